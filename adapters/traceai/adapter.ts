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
  },
  fields: { requestModel: ["fi.llm.model_name"] },
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

/** A hand-off of the Agents SDK is a tool span. */
function correct({ span }: SpanFacts, role: SpanRole): SpanRole {
  return role === "tool" && span.name.startsWith("handoff to ") ? "handoff" : role;
}

/** The graph node is the agent's name only on agent spans. On all other spans, the graph node has a generated name. */
function nodeAgent(facts: SpanFacts): string | undefined {
  const { span } = facts;
  const kind = span.named("gen_ai.span.kind") ?? span.named("fi.span.kind");
  if (kind !== "AGENT" || facts.text("agent") !== undefined) return undefined;
  const node = span.named("graph.node.id");
  return typeof node === "string" ? node : undefined;
}

/** The requested model is among the request parameters. The attribute for the requested model contains the response model. */
function asked({ span }: SpanFacts): JsonValue | undefined {
  const parameters = span.named("gen_ai.request.parameters");
  if (typeof parameters !== "string") return undefined;
  return /"model(?:_name|_id)?":\s*"([^"]+)"/.exec(parameters)?.[1];
}

function answered(facts: SpanFacts): JsonValue | undefined {
  return asked(facts) === undefined ? undefined : facts.span.named("gen_ai.request.model");
}
