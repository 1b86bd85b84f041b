import type { Adapter, JsonValue, SpanFacts, SpanRole } from "../adapter-type.ts";
import { contentEvidence, openAiStreams } from "../producer-type.ts";
import { rolesOf } from "../tables.ts";

/** Future AGI's traceAI: OpenInference's structure with traceAI's own names, in later versions with `gen_ai.*`. */
export const traceai: Adapter = {
  dialect: "traceai",
  markers: ["fi.span.kind"],
  scopes: ["traceai_*", "traceai-*", "@traceai/*"],
  roles: {
    "fi.span.kind": rolesOf({
      call: "llm",
      agent: "agent",
      tool: "tool",
      step: "chain",
      retriever: "retriever",
      embedding: "embedding",
      reranker: "reranker",
      guardrail: "guardrail",
      evaluation: "evaluator",
    }),
    "claude_agent.span_kind": rolesOf({
      call: "assistant_turn",
      agent: "conversation subagent",
      tool: "tool_execution",
    }),
  },
  fields: {
    requestModel: ["fi.llm.model_name"],
    model: ["claude_agent.model"],
    conversation: ["claude_agent.session_id"],
    input: ["claude_agent.prompt"],
    outputText: ["claude_agent.message.content"],
  },
  // The Claude Agent SDK returns each part of an answer as a message, and each message is a turn.
  inParts: true,
  role: correct,
  derive: { agent: nodeAgent, requestModel: asked, responseModel: answered },
  producers: [
    {
      name: "Future AGI's traceAI",
      scopes: ["traceai_*", "traceai-*", "@traceai/*"],
      switches: [
        {
          gives: contentEvidence,
          bySide: true,
          set: "unset FI_HIDE_INPUTS, FI_HIDE_OUTPUTS and every other FI_HIDE_* variable",
        },
        openAiStreams,
      ],
      page: "other-platforms.md",
    },
  ],
};

/** Gives the role `handoff` to hand-offs of the Agents SDK, which have tool spans. */
function correct({ span }: SpanFacts, role: SpanRole): SpanRole {
  return role === "tool" && span.name.startsWith("handoff to ") ? "handoff" : role;
}

/** Returns the graph node as the agent's name, on agent spans only; other spans have a generated name there. */
function nodeAgent(facts: SpanFacts): string | undefined {
  const { span } = facts;
  const kind = span.named("gen_ai.span.kind") ?? span.named("fi.span.kind");
  if (kind !== "AGENT" || facts.text("agent") !== undefined) return undefined;
  const node = span.named("graph.node.id");
  return typeof node === "string" ? node : undefined;
}

/** Returns the requested model from the request parameters. The attribute for the requested model contains the response model. */
function asked({ span }: SpanFacts): JsonValue | undefined {
  const parameters = span.named("gen_ai.request.parameters");
  if (typeof parameters !== "string") return undefined;
  return /"model(?:_name|_id)?":\s*"([^"]+)"/.exec(parameters)?.[1];
}

function answered(facts: SpanFacts): JsonValue | undefined {
  return asked(facts) === undefined ? undefined : facts.span.named("gen_ai.request.model");
}
