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

/** An agent span of OpenAI's Agents SDK has the SDK's description of the agent as input. */
function sdkAgent(facts: SpanFacts): JsonValue | undefined {
  const head = facts.head("lmnr.span.input");
  const named =
    head === undefined ? undefined : /^\{"name":"([^"]+)","(?:tools|handoffs|output_type)":/.exec(head);
  return named?.[1] === facts.span.name ? named[1] : undefined;
}

/**
 * An agent inside another agent's graph is a task of that graph. LangChain's metadata on the task span contains the
 * agent's name.
 */
function graphAgent({ span }: SpanFacts): JsonValue | undefined {
  const task = /^execute_task (.+)$/.exec(span.name)?.[1];
  const metadata = task === undefined ? undefined : span.named("langchain.metadata");
  const agent = typeof metadata === "string" ? /"lc_agent_name":\s*"([^"]+)"/.exec(metadata)?.[1] : undefined;
  return agent !== undefined && agent === task ? agent : undefined;
}

/** LiteLLM's callback names the model only in the span's name, with the provider: `llm.openai/gpt-4.1`. */
function model({ span }: SpanFacts): JsonValue | undefined {
  return /^llm\.([\w-]+\/[\w.:-]+)$/.exec(span.name)?.[1];
}
