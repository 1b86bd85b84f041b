import { isObject, type JsonValue } from "../../model/json.ts";
import { objectAt, textAt } from "./fields.ts";
import type { ModelFailure } from "./protocol.ts";

export type FailureKind = ModelFailure["kind"];

/** Returns the kind of error for an HTTP status. Used if the body does not name the kind. */
export function kindOfStatus(status: number): FailureKind {
  if (status === 401 || status === 403) return "authentication";
  if (status === 404) return "not_found";
  if (status === 408 || status === 504) return "timeout";
  if (status === 413) return "too_large";
  if (status === 429) return "rate_limit";
  if (status === 503 || status === 529) return "overloaded";
  return status >= 500 ? "server" : "invalid_request";
}

/** Returns the message of an error body in any usual format. Returns a text body unchanged. */
export function messageIn(body: JsonValue): string {
  if (typeof body === "string") return body;
  if (!isObject(body)) return "";
  const { error } = body;
  if (typeof error === "string") return error;
  return textAt(objectAt(body, "error"), "message") ?? textAt(body, "message") ?? "";
}

const tooLong =
  /context.{0,20}(?:length|window)|(?:prompt|input) is too long|maximum context|exceeds the maximum number of tokens|too many tokens/i;

/** Whether an error message means that the request is longer than the model's context. */
export function isContextLength(message: string): boolean {
  return tooLong.test(message);
}
