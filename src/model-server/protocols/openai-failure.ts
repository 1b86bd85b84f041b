import { isObject, type JsonValue } from "../../model/json.ts";
import { type FailureKind, isContextLength, kindOfStatus, messageIn } from "./failures.ts";
import { objectAt, textAt } from "./fields.ts";
import type { ModelFailure } from "./protocol.ts";

/** OpenAI's `type` and `code` for each kind of error. */
const words: Readonly<Record<FailureKind, { readonly type: string; readonly code: string | null }>> = {
  invalid_request: { type: "invalid_request_error", code: null },
  context_length: { type: "invalid_request_error", code: "context_length_exceeded" },
  authentication: { type: "invalid_request_error", code: "invalid_api_key" },
  not_found: { type: "invalid_request_error", code: "not_found" },
  too_large: { type: "invalid_request_error", code: "request_too_large" },
  rate_limit: { type: "requests", code: "rate_limit_exceeded" },
  server: { type: "server_error", code: null },
  overloaded: { type: "server_error", code: "overloaded" },
  timeout: { type: "server_error", code: "timeout" },
};

export function writeOpenAiFailure({ kind, message }: ModelFailure): JsonValue {
  const { type, code } = words[kind];
  return { error: { message, type, param: kind === "context_length" ? "messages" : null, code } };
}

export function readOpenAiFailure(status: number, body: JsonValue): ModelFailure {
  const message = messageIn(body);
  const error = isObject(body) ? objectAt(body, "error") : {};
  return {
    status,
    kind: kindIn(textAt(error, "code"), textAt(error, "type"), message, status),
    message,
    retryAfterS: null,
  };
}

/** Returns the error that an event of a stream reports. The response with the stream had status 200. */
export function failureInStream(error: JsonValue | undefined): ModelFailure {
  const object = isObject(error) ? error : {};
  const message = typeof error === "string" ? error : (textAt(object, "message") ?? "");
  const kind = kindIn(textAt(object, "code"), textAt(object, "type"), message, 500);
  return { status: statusOf(kind), kind, message, retryAfterS: null };
}

function kindIn(code: string | null, type: string | null, message: string, status: number): FailureKind {
  if (code === "context_length_exceeded" || (status < 500 && isContextLength(message)))
    return "context_length";
  if (code === "rate_limit_exceeded" || type === "requests" || type === "tokens") return "rate_limit";
  if (code === "overloaded") return "overloaded";
  return kindOfStatus(status);
}

function statusOf(kind: FailureKind): number {
  if (kind === "rate_limit") return 429;
  if (kind === "context_length") return 400;
  return kind === "overloaded" ? 503 : 500;
}
