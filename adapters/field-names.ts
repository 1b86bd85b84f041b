/**
 * Names of the fields of a span in any dialect, with their meanings. An adapter's `fields` uses these names. If several attributes contain
 * a field, the first attribute with a value counts.
 */
export const fieldMeanings = {
  // agent and conversation
  agent: "name of the agent at work",
  workflow: "name of the crew, graph, flow or pipeline",
  caller: "name of the agent that called this agent",
  graphNode: "name of the graph's node that did the span's work",
  graphPath: "LangGraph's checkpoint namespace: `node:task|node:task`",
  metadata: "a framework's metadata as JSON, which may contain the agent's name, the session and the model",
  conversation: "id of the conversation or session",
  // a model call
  requestModel: "the requested model",
  responseModel: "model that answered",
  model: "the requested or the answering model, if the attribute does not show which",
  parameters: "JSON: the request's parameters without its messages, including the model",
  provider: "provider of the model: `openai`, `aws.bedrock` …",
  responseId: "id of the response",
  finish: "why the model stopped",
  streamed: "boolean: the answer was streamed",
  // tokens
  inputTokens: "tokens of the request",
  outputTokens: "tokens of the answer",
  totalTokens: "tokens of the request and the answer together",
  cachedTokens: "tokens of the request that were read from the provider's cache",
  cacheWriteTokens: "tokens of the request that were written to the provider's cache",
  longCacheWriteTokens: "tokens of the request that were written to the cache for one hour",
  reasoningTokens: "tokens of the answer that are reasoning",
  usage: "JSON or a printed object that contains several of these counts",
  cost: "US dollars",
  serviceTier: "service tier that served the call: `default`, `flex`, `batch`, `priority` …",
  requestedTier: "the requested service tier",
  // inputs and outputs
  inputMessages: "messages of the request",
  outputMessages: "messages of the answer",
  history: "all messages of a run: input and output",
  eventMessages:
    "input and output messages, as a list in the older event format of OpenTelemetry's conventions",
  outputText: "text of the model's answer, if other attributes contain the answer's tool calls",
  outputCalls: "tool calls of the model's answer, if another attribute contains the answer's text",
  instructions: "system instructions",
  toolDefinitions: "tools that the model was offered",
  input: "input of the span: a request, arguments, a query",
  output: "output of the span: the final answer, or a tool's result if no attribute is only for results",
  // a tool call
  tool: "name of the tool",
  callId: "id that the model gave the tool call",
  arguments: "arguments of the tool call, as JSON or printed",
  result:
    "result of a tool, if the attribute contains only tool results; otherwise use `output`, as for a run's answer",
  success: "boolean: false means failed",
  decision: "whether a person or a policy allowed the tool call: `accept`, `reject` …",
  // hand-offs
  handoffFrom: "agent that hands over",
  handoffTo: "agent that takes over",
  handoffs: "agents to which the agent may hand over",
  // retrieval, guardrails
  documents: "documents that a retrieval returned",
  retrievalQuery: "query of the retrieval",
  guardrail: "name of the guardrail",
  triggered: "boolean: the guardrail intervened",
  // failure
  error: "error message",
  errorType: "type of the error, such as an exception's class or a status",
  level: "`ERROR`, if the producer does not record the failure in the span's status",
} as const;

export type Field = keyof typeof fieldMeanings;

export const fieldNames = Object.keys(fieldMeanings) as readonly Field[];

const indexes: ReadonlyMap<Field, number> = new Map(fieldNames.map((name, index) => [name, index]));

/** Returns the index of a field, a small integer for tables. */
export function fieldIndex(field: Field): number {
  return indexes.get(field) ?? 0;
}
