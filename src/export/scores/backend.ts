import type { z } from "zod";
import { documentBounds, parseJson } from "../../model/json.ts";
import { type HttpResponse, sendResultOf } from "../otlp/http-transport.ts";
import type { ScoredVerdict } from "./score.ts";

/**
 * Result of posting a verdict's scores. `taken`: accepted. `absent`: the backend does not have the judged trace (yet). `refused`: the
 * backend refused the scores permanently. `retry`: the scores may be sent again.
 */
export type Posted =
  | { readonly outcome: "taken" | "absent" }
  | { readonly outcome: "refused"; readonly error: string }
  | { readonly outcome: "retry"; readonly error: string; readonly retryAfterMs: number | null };

/**
 * Sends one request to a backend.
 * @param path text to append to the backend's address
 */
export type ScoreRequest = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
) => Promise<HttpResponse>;

/** How scores are sent to one kind of backend. */
export interface ScoreBackend {
  /** Returns the request headers with the API key. */
  headers(key: string): Readonly<Record<string, string>>;
  /**
   * Posts the scores of verdicts. Resolves to one result for each verdict, in the order of the verdicts. A score that was posted before is
   * replaced.
   * @param project the project in the configuration
   */
  post(
    verdicts: readonly ScoredVerdict[],
    request: ScoreRequest,
    project: string | null,
  ): Promise<readonly Posted[]>;
}

export const taken: Posted = { outcome: "taken" };
export const absent: Posted = { outcome: "absent" };

/**
 * Converts a response into a result.
 * @param absentOn404 true if status 404 means that the backend does not have the trace or span
 */
export function postedOf(response: HttpResponse, absentOn404 = false): Posted {
  if (absentOn404 && response.status === "failure" && response.statusCode === 404) return absent;
  const result = sendResultOf(response);
  if (result.outcome === "retry") return result;
  return result.outcome === "rejected" ? { outcome: "refused", error: result.error } : taken;
}

/** Returns the worst of several results. */
export function worstOf(results: readonly Posted[]): Posted {
  const found = (outcome: Posted["outcome"]): Posted | undefined =>
    results.find((result) => result.outcome === outcome);
  return found("retry") ?? found("absent") ?? found("refused") ?? taken;
}

export function basic(key: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(key).toString("base64")}` };
}

export function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

/** Decodes the body of a response. Returns `fallback` if the body is missing or does not have this shape. */
export function answerOf<Body>(response: HttpResponse, shape: z.ZodType<Body>, fallback: Body): Body {
  const bytes = response.status === "success" ? response.data : undefined;
  const read = shape.safeParse(parseJson(Buffer.from(bytes ?? []).toString(), documentBounds));
  return read.success ? read.data : fallback;
}

/** Maximum number of concurrent requests of one batch to a backend. */
export const CALLS_AT_ONCE = 4;
