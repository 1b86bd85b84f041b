import type { ModelFailure, ProtocolName } from "../protocols/protocol.ts";
import type { FaultKind } from "../../model/fault-kinds.ts";

/** Returns the provider's error response for a fault; null if the fault is not an error of the provider. */
export function failureOf(kind: FaultKind, protocol: ProtocolName): ModelFailure | null {
  return failures[kind]?.(protocol) ?? null;
}

const limited = "Rate limit reached for requests.";

const failures: Partial<Record<FaultKind, (protocol: ProtocolName) => ModelFailure>> = {
  "rate-limit": () => failure(429, "rate_limit", limited),
  "rate-limit-retry-after": () => ({ ...failure(429, "rate_limit", limited), retryAfterS: 1 }),
  "server-error": () => failure(500, "server", "The server had an error while processing your request."),
  overloaded: (protocol) =>
    failure(protocol === "anthropic-messages" ? 529 : 503, "overloaded", "Overloaded"),
  "context-length": (protocol) => failure(400, "context_length", tooLong[protocol]),
};

const openAiTooLong =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130412 tokens.";

const tooLong: Readonly<Record<ProtocolName, string>> = {
  "openai-chat": openAiTooLong,
  "openai-responses":
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "anthropic-messages": "prompt is too long: 207412 tokens > 200000 maximum",
  "gemini-generate":
    "The input token count (1207412) exceeds the maximum number of tokens allowed (1048576).",
};

function failure(status: number, kind: ModelFailure["kind"], message: string): ModelFailure {
  return { status, kind, message, retryAfterS: null };
}
