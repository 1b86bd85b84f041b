import type { Adapter } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { words } from "../tables.ts";

/** Pydantic AI, all formats of its instrumentation. */
export const pydanticAi: Adapter = {
  dialect: "pydantic-ai",
  markers: words(`
    pydantic_ai.all_messages model_request_parameters all_messages_events
    pydantic_ai.tool.retry.cause tool_response
  `),
  scopes: ["pydantic-ai"],
  names: [
    { pattern: /^agent run$/, role: "agent" },
    { pattern: /^running tools$/, role: "step" },
    { pattern: /^running (?:tool|output function)\b/, role: "tool" },
    { pattern: /^running \d+ tools?$/, role: "step" },
    { pattern: /^chat /, role: "call" },
  ],
  fields: {
    agent: ["agent_name"],
    requestModel: ["model_name"],
    history: ["pydantic_ai.all_messages", "all_messages_events"],
    arguments: ["tool_arguments"],
    result: ["tool_response"],
    outputText: ["final_result"],
    toolDefinitions: ["model_request_parameters"],
  },
  producers: [
    {
      name: "Pydantic AI",
      scopes: ["pydantic-ai"],
      switches: [
        { gives: contentEvidence, set: "InstrumentationSettings(include_content=True)" },
        { gives: ["agent_names"], set: "Agent(…, name=…)" },
      ],
      page: "pydantic-ai.md",
    },
  ],
};
