/** Kinds of faults that the model server injects, with a description of each. */
export const faultKinds = {
  "rate-limit": "status 429, without a Retry-After header",
  "rate-limit-retry-after": "status 429 with Retry-After: 1",
  "server-error": "status 500",
  overloaded: "status 529 (Anthropic) or 503",
  timeout: "no answer until the client gives up",
  reset: "the connection is reset before an answer",
  "stream-cut": "the connection is reset in the middle of the answer",
  empty: "an answer without text and without tool calls",
  length: "half of the text, as if the token limit was reached",
  refusal: "the model refuses to answer",
  "content-filter": "the provider's filter withholds the answer",
  "unknown-tool": "a call of a tool that the request does not offer",
  "bad-json": "a call whose arguments are not JSON",
  "schema-violation": "a call whose arguments violate the tool's schema",
  "same-tool-again": "a repeated request for the last tool call",
  slow: "the answer comes very slowly",
  "context-length": "status 400: the request is longer than the model's context",
} as const;

export type FaultKind = keyof typeof faultKinds;

export const faultNames = Object.keys(faultKinds) as readonly FaultKind[];
