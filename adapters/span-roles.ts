/** Roles of a span, for `roles` and `names` of an adapter, with their meanings. */
export const spanRoleMeanings = {
  agent: "work of an agent",
  workflow: "a crew, graph, flow or pipeline",
  session: "encloses several runs",
  call: "a model call",
  tool: "a tool call",
  handoff: "one agent hands over to another",
  retriever: "a search for documents",
  embedding: "an embedding of texts",
  reranker: "an ordering of documents",
  guardrail: "a check of input or output",
  evaluation: "a judgement of the run, not a part of the run",
  memory: "a change of the agent's memory: model calls within the span do not answer the query",
  step: "encloses other spans, and is neither an agent, a model call nor a tool call",
  setup: "builds an agent and does not run it",
  message: "passes a message between actors: not part of the run",
  copy: "a duplicate of another span: not part of the run",
  unknown: "the role is not known",
} as const;

export type SpanRole = keyof typeof spanRoleMeanings;

export const spanRoles = Object.keys(spanRoleMeanings) as readonly SpanRole[];
