/**
 * What an attribute can tell about a span, dialect removed. An adapter says which attributes tell it; a field that several
 * attributes may hold is read from the first that has a value.
 */
export const fieldNames = [
  // who
  "agent", // name of the agent at work
  "agentId",
  "workflow", // name of the crew, graph, flow or pipeline
  "caller", // the agent that called this one
  "graphNode", // the node of a graph in which the span's work was done
  "graphPath", // LangGraph's checkpoint namespace: `node:task|node:task`
  "metadata", // JSON in which a framework hides names, session and model
  "conversation", // id of the conversation or session
  // a model call
  "requestModel",
  "responseModel",
  "model", // one of the two, the producer does not say which
  "parameters", // JSON: what the request asked for besides its messages, the model among it
  "provider",
  "responseId",
  "finish", // why the model stopped
  "streamed",
  // tokens; `usage` is JSON or a printed object that holds several of them
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cachedTokens",
  "cacheWriteTokens",
  "longCacheWriteTokens", // those of them that are kept for an hour
  "reasoningTokens",
  "usage",
  "cost", // USD
  "serviceTier", // at which the call was served: `default`, `flex`, `batch`, `priority` …
  "requestedTier",
  // what went in and came out
  "inputMessages",
  "outputMessages",
  "history", // all messages of a run, both directions
  "eventMessages", // messages of both directions as a list of the old message events
  "outputText", // text of the answer where calls stand apart from it
  "outputCalls", // tool calls of the answer where they stand apart from its text
  "instructions",
  "toolDefinitions",
  "outputTools", // JSON of a request that lists, as `output_tools`, the tools that only carry the answer
  "input", // whatever the span got: a request, arguments, a query
  "output", // whatever it gave: an answer, or a tool's result where there is no attribute for results alone
  // a tool call
  "tool", // its name
  "callId",
  "arguments",
  "result", // where an attribute holds results of tools alone; else `output`
  "success", // boolean: false means failed
  // hand-offs
  "handoffFrom",
  "handoffTo",
  "handoffs", // agents on offer
  // retrieval, guardrails
  "documents",
  "retrievalQuery",
  "guardrail", // its name
  "triggered",
  // failure
  "error", // what went wrong, as text
  "errorType",
  "level", // "ERROR" where a producer keeps failure out of the span's status
] as const;

export type Field = (typeof fieldNames)[number];

const indexes: ReadonlyMap<Field, number> = new Map(fieldNames.map((name, index) => [name, index]));

/** Fields as small integers, for tables. */
export function fieldIndex(field: Field): number {
  return indexes.get(field) ?? 0;
}
