/**
 * Names of the fields of a span in any dialect, with their meanings. An adapter's `fields` uses these names. If several attributes contain
 * a field, the first one with a value counts.
 */
export const fieldMeanings = {
  // who
  agent: "name of the agent at work",
  agentId: "its id",
  workflow: "name of the crew, graph, flow or pipeline",
  caller: "name of the agent that called this one",
  graphNode: "node of a graph in which the span's work was done",
  graphPath: "LangGraph's checkpoint namespace: `node:task|node:task`",
  metadata: "JSON in which a framework hides names, session and model",
  conversation: "id of the conversation or session",
  // a model call
  requestModel: "model that was asked for",
  responseModel: "model that answered",
  model: "one of the two, where the producer does not say which",
  parameters: "JSON: what the request asked for besides its messages, the model among it",
  provider: "who serves the model: `openai`, `aws.bedrock` …",
  responseId: "id of the response",
  finish: "why the model stopped",
  streamed: "boolean: the answer was streamed",
  // tokens
  inputTokens: "tokens of the request",
  outputTokens: "tokens of the answer",
  totalTokens: "both together",
  cachedTokens: "tokens of the request that were read from the provider's cache",
  cacheWriteTokens: "tokens of the request that were written to it",
  longCacheWriteTokens: "those of them that are kept for an hour",
  reasoningTokens: "tokens of the answer that are reasoning",
  usage: "JSON or a printed object that holds several of these counts",
  cost: "US dollars",
  serviceTier: "at which the call was served: `default`, `flex`, `batch`, `priority` …",
  requestedTier: "that was asked for",
  // what went in and came out
  inputMessages: "messages of the request",
  outputMessages: "messages of the answer",
  history: "all messages of a run, both directions",
  eventMessages: "messages of both directions as a list of the old message events",
  outputText: "text of the model's answer, where the tool calls in it have attributes of their own",
  outputCalls: "tool calls in the model's answer, where its text has an attribute of its own",
  instructions: "system instructions",
  toolDefinitions: "tools that the model was offered",
  outputTools: "JSON of a request that lists, as `output_tools`, the tools that only carry the answer",
  input: "whatever the span got: a request, arguments, a query",
  output:
    "whatever it gave: the final answer, or a tool's result where there is no attribute for results alone",
  // a tool call
  tool: "name of the tool",
  callId: "id that the model gave the tool call",
  arguments: "its arguments, as JSON or printed",
  result:
    "what a tool returned, in an attribute for results of tools alone; else `output`. A run's answer is `output`",
  success: "boolean: false means failed",
  decision: "whether a person or a policy let the tool run: `accept`, `reject` …",
  // hand-offs
  handoffFrom: "agent that hands over",
  handoffTo: "agent that takes over",
  handoffs: "agents on offer",
  // retrieval, guardrails
  documents: "what a retrieval found",
  retrievalQuery: "what it looked for",
  guardrail: "name of the guardrail",
  triggered: "boolean: it stepped in",
  // failure
  error: "what went wrong, as text",
  errorType: "its kind: an exception's class, a status",
  level: "`ERROR`, where a producer keeps failure out of the span's status",
} as const;

export type Field = keyof typeof fieldMeanings;

export const fieldNames = Object.keys(fieldMeanings) as readonly Field[];

const indexes: ReadonlyMap<Field, number> = new Map(fieldNames.map((name, index) => [name, index]));

/** Fields as small integers, for tables. */
export function fieldIndex(field: Field): number {
  return indexes.get(field) ?? 0;
}
