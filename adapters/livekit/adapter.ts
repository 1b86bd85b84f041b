import type { Adapter } from "../adapter-type.ts";
import { words } from "../tables.ts";

/** LiveKit Agents: voice sessions of many turns. Newer versions write keys of content with a segment `pii`, older versions without it. */
export const livekit: Adapter = {
  dialect: "livekit",
  markers: words("lk.agent_label lk.agent_name lk.function_tool.name lk.job_id lk.room_name lk.retry_count"),
  scopes: ["livekit-agents"],
  names: [
    { pattern: /^(?:job_entrypoint|agent_session|start_agent_activity)$/, role: "session" },
    { pattern: /^agent_turn$/, role: "agent" },
    { pattern: /^(?:llm_request|llm_request_run)$/, role: "call" },
    { pattern: /^function_tool$/, role: "tool" },
    { pattern: /^(?:llm_node|user_turn|tts_node|tts_request|tts_request_run|eou_detection)$/, role: "step" },
    { pattern: /^(?:user_speaking|agent_speaking|realtime_metrics|drain_agent_activity)$/, role: "step" },
    { pattern: /^judge_evaluation$/, role: "evaluation" },
  ],
  fields: {
    agent: ["lk.agent_label", "lk.agent_name"],
    conversation: ["lk.room_name", "lk.pii.room_name", "lk.job_id"],
    input: words(`
      lk.user_input lk.pii.user_input lk.user_transcript lk.pii.user_transcript lk.chat_ctx
      lk.pii.chat_ctx
    `),
    outputText: ["lk.response.text", "lk.pii.response.text"],
    outputCalls: ["lk.response.function_calls", "lk.pii.response.function_calls"],
    instructions: ["lk.instructions", "lk.pii.instructions"],
    usage: ["lk.llm_metrics"],
    tool: ["lk.function_tool.name"],
    callId: ["lk.function_tool.id"],
    arguments: ["lk.function_tool.arguments", "lk.pii.function_tool.arguments"],
    result: ["lk.function_tool.output", "lk.pii.function_tool.output"],
  },
  derive: { level: ({ span }) => (span.named("lk.function_tool.is_error") === true ? "error" : undefined) },
  producers: [
    {
      name: "LiveKit Agents",
      scopes: ["livekit-agents"],
      switches: [],
      page: "livekit.md",
    },
  ],
};
