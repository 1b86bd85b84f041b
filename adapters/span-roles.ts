/** Roles of a span, for `roles` and `names` of an adapter, with their meanings. */
export const spanRoleMeanings = {
  agent: "an agent at work",
  workflow: "a crew, graph, flow or pipeline",
  session: "holds several runs",
  call: "a model call",
  tool: "a tool call",
  handoff: "one agent hands over to another",
  retriever: "a search for documents",
  embedding: "an embedding of texts",
  reranker: "an ordering of documents",
  guardrail: "a check of what goes in or comes out",
  evaluation: "a judgement of the run, not a part of it",
  step: "groups others and says nothing by itself",
  setup: "builds an agent and runs none",
  message: "passes something on between actors: left out",
  copy: "repeats what another span shows: left out",
  unknown: "none of these is known",
} as const;

export type SpanRole = keyof typeof spanRoleMeanings;

export const spanRoles = Object.keys(spanRoleMeanings) as readonly SpanRole[];
