import type { Adapter, JsonValue, SpanFacts, SpanRole } from "../adapter-type.ts";
import { contentEvidence, openAiStreams } from "../producer-type.ts";
import { rolesOf } from "../tables.ts";

/** Future AGI's traceAI: OpenInference's structure under names of its own, later under `gen_ai.*`. */
export const traceai: Adapter = {
  dialect: "traceai",
  markers: ["fi.span.kind"],
  scopes: ["traceai_*", "traceai-*", "@traceai/*"],
  roles: [
    {
      attribute: "fi.span.kind",
      roles: rolesOf({
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
  ],
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
          set: "unset FI_HIDE_INPUTS, FI_HIDE_OUTPUTS and every other FI_HIDE_* variable",
        },
        openAiStreams,
      ],
      page: "other-platforms.md",
    },
  ],
};

/** A hand-off of the Agents SDK is shown as a tool. */
function correct({ span }: SpanFacts, role: SpanRole): SpanRole {
  return role === "tool" && span.name.startsWith("handoff to ") ? "handoff" : role;
}

/** The node of a graph is an agent where the span is one; other spans have nodes too, with names made up. */
function nodeAgent(facts: SpanFacts): string | undefined {
  const { span } = facts;
  const kind = span.named("gen_ai.span.kind") ?? span.named("fi.span.kind");
  if (kind !== "AGENT" || facts.text("agent") !== undefined) return undefined;
  const node = span.named("graph.node.id");
  return typeof node === "string" ? node : undefined;
}

/** The model that the request named stands among its parameters; the attribute of that name has the one that answered. */
function asked({ span }: SpanFacts): JsonValue | undefined {
  const parameters = span.named("gen_ai.request.parameters");
  if (typeof parameters !== "string") return undefined;
  return /"model(?:_name|_id)?":\s*"([^"]+)"/.exec(parameters)?.[1];
}

function answered(facts: SpanFacts): JsonValue | undefined {
  return asked(facts) === undefined ? undefined : facts.span.named("gen_ai.request.model");
}
