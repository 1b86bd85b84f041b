import type { Adapter } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/** Brokle's SDK. Its decorator writes the Python function's name as `gen_ai.tool.name`, also on spans of agents. */
export const brokle: Adapter = {
  dialect: "brokle",
  markers: ["brokle.span.type", "brokle.environment"],
  roles: {
    "brokle.span.type": rolesOf({
      call: "generation",
      agent: "agent",
      workflow: "workflow",
      tool: "tool",
      step: "span chain event",
      retriever: "retrieval",
      embedding: "embedding",
      reranker: "rerank",
      guardrail: "guardrail",
      evaluation: "evaluator",
    }),
  },
  fields: { totalTokens: ["brokle.usage.total_tokens"], streamed: ["brokle.streaming"] },
  derive: {
    agent: ({ span }) => (span.named("brokle.span.type") === "agent" ? span.name : undefined),
  },
};
