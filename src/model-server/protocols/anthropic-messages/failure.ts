import { isObject, type JsonValue } from "../../../model/json.ts";
import { type FailureKind, isContextLength, kindOfStatus, messageIn } from "../failures.ts";
import { objectAt, textAt } from "../fields.ts";
import type { ModelFailure } from "../protocol.ts";

const types: Readonly<Record<FailureKind, string>> = {
  invalid_request: "invalid_request_error",
  context_length: "invalid_request_error",
  authentication: "authentication_error",
  not_found: "not_found_error",
  too_large: "request_too_large",
  rate_limit: "rate_limit_error",
  server: "api_error",
  overloaded: "overloaded_error",
  timeout: "timeout_error",
};

const statuses: ReadonlyMap<string | null, readonly [FailureKind, number]> = new Map([
  ["invalid_request_error", ["invalid_request", 400]],
  ["authentication_error", ["authentication", 401]],
  ["permission_error", ["authentication", 403]],
  ["not_found_error", ["not_found", 404]],
  ["request_too_large", ["too_large", 413]],
  ["rate_limit_error", ["rate_limit", 429]],
  ["api_error", ["server", 500]],
  ["overloaded_error", ["overloaded", 529]],
  ["timeout_error", ["timeout", 504]],
]);

export function writeFailure({ kind, message }: ModelFailure): JsonValue {
  return { type: "error", error: { type: types[kind], message }, request_id: null };
}

/** @param status 0 if a stream with status 200 reports the error */
export function readFailure(status: number, body: JsonValue): ModelFailure {
  const message = messageIn(body);
  const type = isObject(body) ? textAt(objectAt(body, "error"), "type") : null;
  const [kind, usual] = statuses.get(type) ?? [kindOfStatus(status || 500), 500];
  return {
    status: status || usual,
    kind: kind === "invalid_request" && isContextLength(message) ? "context_length" : kind,
    message,
    retryAfterS: null,
  };
}
