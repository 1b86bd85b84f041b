import type { z } from "zod";
import { documentBounds, parseJson } from "../../model/json.ts";
import { type HttpResponse, sendResultOf } from "../otlp/http-transport.ts";
import type { ScoredVerdict } from "./score.ts";

/** Outcome of one verdict's scores. `absent`: the backend does not have the judged trace (yet). */
export type Posted =
  | { readonly outcome: "taken" | "absent" }
  | { readonly outcome: "refused"; readonly error: string }
  | { readonly outcome: "retry"; readonly error: string; readonly retryAfterMs: number | null };

/** One request to a backend; `path` is put behind its address. */
export type ScoreRequest = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
) => Promise<HttpResponse>;

/** How one kind of backend takes scores. */
export interface ScoreBackend {
  /** The headers that carry the key. */
  headers(key: string): Readonly<Record<string, string>>;
  /**
   * Posts verdicts' scores; one result each, in their order. Scores that were posted before are replaced, never doubled. `project` is that of
   * the configuration.
   */
  post(
    verdicts: readonly ScoredVerdict[],
    request: ScoreRequest,
    project: string | null,
  ): Promise<readonly Posted[]>;
}

export const taken: Posted = { outcome: "taken" };
export const absent: Posted = { outcome: "absent" };

/** A response as a result; where `absentOn404`, the backend says 404 of a trace or span it does not have. */
export function postedOf(response: HttpResponse, absentOn404 = false): Posted {
  if (absentOn404 && response.status === "failure" && response.statusCode === 404) return absent;
  const result = sendResultOf(response);
  if (result.outcome === "retry") return result;
  return result.outcome === "rejected" ? { outcome: "refused", error: result.error } : taken;
}

/** The result for all, of the results for parts: whatever is not taken comes first. */
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

/** The body of an answer; `fallback` where it is none, or has another shape: a backend may answer anything. */
export function answerOf<Body>(response: HttpResponse, shape: z.ZodType<Body>, fallback: Body): Body {
  const bytes = response.status === "success" ? response.data : undefined;
  const read = shape.safeParse(parseJson(Buffer.from(bytes ?? []).toString(), documentBounds));
  return read.success ? read.data : fallback;
}

/** Calls of one backend under way at a time. */
export const CALLS_AT_ONCE = 4;
