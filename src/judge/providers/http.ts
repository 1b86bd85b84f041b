import { retryAfterMs } from "../../support/structures/backoff.ts";
import { failed, type JudgeErrorType, type JudgeFailed } from "../../evaluate/judge/ask/port.ts";
import { isObject, parseJson } from "../../model/json.ts";
import { readBody, RedirectError } from "../../support/http/send-request.ts";
import type { Endpoint } from "./provider.ts";
import { redact } from "../redact.ts";

const MAX_BODY = 4 * 1024 * 1024;

/** Returns a fetch that rejects responses larger than 4 MiB. */
export function boundedFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const { status, headers } = response;
    const body = await readBody(response, MAX_BODY);
    return new Response(response.body === null ? null : body, { status, headers });
  };
}

const byStatus: Readonly<Record<number, readonly [type: JudgeErrorType, retryable: boolean]>> = {
  400: ["bad_request", false],
  401: ["unauthorized", false],
  403: ["unauthorized", false],
  404: ["not_found", false],
  408: ["timeout", true],
  409: ["overloaded", true],
  413: ["bad_request", false],
  422: ["bad_request", false],
  429: ["rate_limited", true],
  503: ["overloaded", true],
  529: ["overloaded", true],
};

/**
 * Returns the failure for an HTTP error. The failure contains only a short error code of the server's message, because messages can contain
 * judged text or a key.
 */
export function httpFailure(
  endpoint: Endpoint,
  status: number,
  headers: Headers,
  body: unknown,
): JudgeFailed {
  const [errorType, retryable] =
    byStatus[status] ?? (status >= 500 ? ["server_error", true] : ["bad_request", false]);
  const code = errorCode(body);
  const detail = code === null ? "" : ` (${redact(code, endpoint.key)})`;
  return {
    ...failed(errorType, `${endpoint.name} answered ${status}${detail}`),
    retryable,
    retryAfterMs: requestedWaitMs(headers, endpoint.now()),
  };
}

function errorCode(body: unknown): string | null {
  const json = typeof body === "string" ? parseJson(body) : body;
  const error = isRecord(json) && isRecord(json["error"]) ? json["error"] : json;
  if (!isRecord(error)) return null;
  const code = [error["code"], error["type"]].find((it) => typeof it === "string");
  return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? code : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value as never);
}

/**
 * Returns the delay that the response requests, in milliseconds, from `retry-after-ms` or `retry-after` (seconds or date); null if none.
 */
function requestedWaitMs(headers: Headers, now: number): number | null {
  const ms = headers.get("retry-after-ms");
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms)) return Number(ms);
  return retryAfterMs(headers.get("retry-after"), now);
}

/** Converts an error of fetch into a failed reply. */
export function networkFailure(endpoint: Endpoint, error: unknown, aborted: boolean): JudgeFailed {
  if (aborted) return failed("cancelled", `the call was cancelled before ${endpoint.name} answered`);
  const causes = causesOf(error);
  if (causes.some((it) => it instanceof RangeError))
    return failed("invalid_reply", `${endpoint.name} sent a response of more than ${MAX_BODY / 2 ** 20} MiB`);
  if (causes.some((it) => it instanceof SyntaxError)) return notJson(endpoint);
  const redirect = causes.find((it) => it instanceof RedirectError);
  if (redirect !== undefined) return failed("unreachable", `${endpoint.name}: ${redirect.message}`);
  const code = causes
    .map((it) => (it as { code?: unknown }).code)
    .find((it) => typeof it === "string" && /^[A-Z_0-9]{1,40}$/.test(it));
  if (code === "BLOCKED_ADDRESS")
    return failed(
      "unreachable",
      `${endpoint.name} resolves to a private address; add the network to security.allowed_networks to allow it`,
    );
  const detail = typeof code === "string" ? ` (${code})` : "";
  return { ...failed("unreachable", `${endpoint.name} cannot be reached${detail}`), retryable: true };
}

export function notJson(endpoint: Endpoint): JudgeFailed {
  return { ...failed("invalid_reply", `${endpoint.name} sent a body that is not JSON`), retryable: true };
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at);
  return causes;
}
