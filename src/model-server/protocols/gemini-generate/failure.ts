import { isArray, isObject, type JsonValue } from "../../../model/json.ts";
import { type FailureKind, isContextLength, kindOfStatus, messageIn } from "../failures.ts";
import { countAt, objectAt, objectsAt, textAt } from "../fields.ts";
import type { ModelFailure } from "../protocol.ts";

const words: Readonly<Record<FailureKind, string>> = {
  invalid_request: "INVALID_ARGUMENT",
  context_length: "INVALID_ARGUMENT",
  authentication: "UNAUTHENTICATED",
  not_found: "NOT_FOUND",
  too_large: "INVALID_ARGUMENT",
  rate_limit: "RESOURCE_EXHAUSTED",
  server: "INTERNAL",
  overloaded: "UNAVAILABLE",
  timeout: "DEADLINE_EXCEEDED",
};

const retryInfo = "type.googleapis.com/google.rpc.RetryInfo";

/** Writes an error. The body contains the retry delay, too, as Google's errors do. */
export function writeFailure({ kind, status, message, retryAfterS }: ModelFailure): JsonValue {
  const details = [{ "@type": retryInfo, retryDelay: `${retryAfterS ?? 0}s` }];
  return {
    error: { code: status, message, status: words[kind], ...(retryAfterS === null ? {} : { details }) },
  };
}

/** @param status 0 if a stream with status 200 reports the error */
export function readFailure(status: number, body: JsonValue): ModelFailure {
  // If the stream is a JSON list, the error is an element of this list.
  const inner = isArray(body) ? (body[0] ?? null) : body;
  const error = isObject(inner) ? objectAt(inner, "error") : {};
  const message = messageIn(inner);
  const code = status || (countAt(error, "code") ?? 500);
  const named = Object.entries(words).find(([, word]) => word === textAt(error, "status"));
  const ofStatus = kindOfStatus(code);
  const kind =
    code >= 500 && ofStatus === "server" && named !== undefined ? (named[0] as FailureKind) : ofStatus;
  return {
    status: code,
    kind: kind === "invalid_request" && isContextLength(message) ? "context_length" : kind,
    message,
    retryAfterS: retryDelayS(objectsAt(error, "details").map((detail) => textAt(detail, "retryDelay"))),
  };
}

function retryDelayS(delays: readonly (string | null)[]): number | null {
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(delays.find((delay) => delay !== null) ?? "") ?? [];
  return seconds === undefined ? null : Number(seconds);
}
