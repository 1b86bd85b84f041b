/**
 * What a span is. `session` holds several runs; `setup` builds something and runs nothing; `copy` repeats another span and
 * `message` is infrastructure between actors: both are left out. `step` groups others and says nothing by itself.
 */
export const roles = [
  "agent",
  "workflow",
  "session",
  "call",
  "tool",
  "handoff",
  "retriever",
  "embedding",
  "reranker",
  "guardrail",
  "evaluation",
  "step",
  "setup",
  "message",
  "copy",
  "unknown",
] as const;

export type Role = (typeof roles)[number];
