import type { Adapter } from "../adapter-type.ts";

/** Spans of Galileo's own types, from `start_galileo_span`. Instrumentations beside it write other dialects. */
export const galileo: Adapter = {
  dialect: "galileo",
  scopes: ["galileo-tracer"],
  role: ({ span }, role) => {
    // Only Galileo's `WorkflowSpan` and `RetrieverSpan` have messages and no operation.
    if (span.named("gen_ai.operation.name") !== undefined) return role;
    if (span.named("db.operation") === "search") return "retriever";
    return span.named("gen_ai.input.messages") === undefined ? role : "workflow";
  },
};
