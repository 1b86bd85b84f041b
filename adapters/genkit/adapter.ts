import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

export const genkit: Adapter = {
  dialect: "genkit",
  markers: ["genkit:name", "genkit:type"],
  scopes: ["genkit-tracer"],
  roles: {
    "genkit:metadata:subtype": rolesOf({
      workflow: "flow",
      call: "model background-model",
      tool: "tool tool.v2",
      retriever: "retriever",
      reranker: "reranker",
      embedding: "embedder",
      evaluation: "evaluator",
      step: "indexer prompt util",
    }),
    "genkit:type": {
      util: "step",
      flowStep: "step",
      helper: "step",
      promptTemplate: "step",
      dotprompt: "step",
    },
  },
  fields: {
    workflow: ["genkit:name"],
    conversation: ["genkit:sessionId"],
    input: ["genkit:input"],
    output: ["genkit:output"],
  },
  derive: { tool: nameOf("tool"), requestModel: nameOf("model"), level, finish },
  producers: [
    {
      name: "Genkit",
      scopes: ["genkit-tracer"],
      switches: [{ gives: ["agent_names"], set: "wrap the agent in ai.defineFlow({ name }, …)" }],
      page: "genkit.md",
    },
  ],
};

function nameOf(subtype: string): (facts: SpanFacts) => JsonValue | undefined {
  return ({ span }) => {
    const own = span.named("genkit:metadata:subtype");
    return typeof own === "string" && own.replace(/^background-|\.v2$/, "") === subtype
      ? span.named("genkit:name")
      : undefined;
  };
}

/**
 * Returns the level `error` for the span that failed. Genkit also records the error on all ancestors of this span, but marks only the
 * failed span as the source.
 */
function level({ span }: SpanFacts): string | undefined {
  return span.named("genkit:state") === "error" && span.named("genkit:isFailureSource") === true
    ? "error"
    : undefined;
}

/** Returns the finish reason from the output. Genkit's own attribute is always `stop`, even if the model requests a tool. */
function finish({ span }: SpanFacts): string | undefined {
  const output = span.named("genkit:output");
  const match = typeof output === "string" ? /"finishReason":\s*"(\w+)"/.exec(output) : null;
  return match?.[1];
}
