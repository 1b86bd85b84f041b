import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { rolesOf } from "../tables.ts";
import { mastraName, mastraSpan } from "./mastra-names.ts";

export const laminar: Adapter = {
  dialect: "laminar",
  markers: ["lmnr.span.type", "lmnr.span.path", "lmnr.span.input"],
  scopes: ["lmnr*"],
  roles: {
    "lmnr.span.type": rolesOf({
      call: "llm cached",
      tool: "tool",
      step: "default",
      workflow: "pipeline",
      agent: "executor",
      evaluation: "evaluator human_evaluator evaluation",
    }),
  },
  fields: {
    agent: ["openai.agents.turn.agent_name"],
    conversation: ["lmnr.association.properties.session_id"],
    metadata: ["langchain.metadata"],
    input: ["lmnr.span.input"],
    output: ["lmnr.span.output"],
  },
  role: (facts, role) => {
    const own = mastraSpan(facts);
    if (own !== undefined) return own.role;
    if (agent(facts) !== undefined) return "agent";
    return role === "unknown" ? "step" : role;
  },
  derive: { agent, model, tool: (facts) => mastraName(facts, "tool") },
  producers: [
    {
      name: "Laminar",
      scopes: ["lmnr*"],
      switches: [
        { gives: contentEvidence, bySide: true, set: "leave ignoreInput and ignoreOutput out of observe()" },
      ],
      page: "laminar.md",
    },
  ],
};

function agent(facts: SpanFacts): JsonValue | undefined {
  return graphAgent(facts) ?? sdkAgent(facts) ?? mastraName(facts, "agent");
}

/** Returns the agent's name from an agent span of OpenAI's Agents SDK, whose input is the SDK's description of the agent. */
function sdkAgent(facts: SpanFacts): JsonValue | undefined {
  const head = facts.head("lmnr.span.input");
  const named =
    head === undefined ? undefined : /^\{"name":"([^"]+)","(?:tools|handoffs|output_type)":/.exec(head);
  return named?.[1] === facts.span.name ? named[1] : undefined;
}

/**
 * Returns the name of an agent that runs inside another agent's graph. The agent is a task of that graph, and LangChain's metadata on the
 * task's span contains the agent's name.
 */
function graphAgent({ span }: SpanFacts): JsonValue | undefined {
  const task = /^execute_task (.+)$/.exec(span.name)?.[1];
  const metadata = task === undefined ? undefined : span.named("langchain.metadata");
  const agent = typeof metadata === "string" ? /"lc_agent_name":\s*"([^"]+)"/.exec(metadata)?.[1] : undefined;
  return agent !== undefined && agent === task ? agent : undefined;
}

/** Returns the model's name from the span name, such as `llm.openai/gpt-4.1`. LiteLLM's callback names the model nowhere else. */
function model({ span }: SpanFacts): JsonValue | undefined {
  return /^llm\.([\w-]+\/[\w.:-]+)$/.exec(span.name)?.[1];
}
