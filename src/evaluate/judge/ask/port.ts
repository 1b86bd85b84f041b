import type { JsonObject, JsonValue } from "../../../model/json.ts";

/** One question to one judge model. The whole of it (but for `signal`, `runId`, `check` and `userPrefix`) identifies a cached reply. */
export interface JudgeRequest {
  /** As written in the spec: `provider/model`, or a bare model name. */
  readonly model: string;
  /** Ours and the spec author's; the same for every run judged by a rubric, so that providers can cache it. */
  readonly system: string;
  /** Holds the judged text, fenced. */
  readonly user: string;
  /** The beginning of `user` that is the same for every run judged by a rubric; empty where there is none. */
  readonly userPrefix?: string;
  /** JSON Schema of the reply. */
  readonly schema: JsonObject;
  readonly maxTokens: number;
  readonly temperature: number;
  /** False: the provider's structured output is not to be used. */
  readonly structured: boolean;
  /** For providers that make equal requests with an equal seed alike. */
  readonly seed?: number;
  /** Which of several independent replies to the same question, from 0. */
  readonly sample: number;
  readonly rubric: string;
  readonly promptHash: string;
  /** Whose budget pays. */
  readonly runId: string;
  /** Problem of a reply; empty if it is usable. Only usable replies are cached. */
  readonly check: (json: JsonValue) => readonly string[];
  readonly signal?: AbortSignal;
}

/** Tokens of one call; null where the provider does not say. `input` includes cached ones. */
export interface JudgeUsage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  /** Written to the provider's cache, at a price of its own; absent where the provider does not say. */
  readonly cacheWrite?: number | null;
}

export interface JudgeReplied {
  readonly ok: true;
  /** The reply parsed; the raw text when it is not JSON. */
  readonly json: JsonValue;
  readonly usage: JudgeUsage;
  readonly durationMs: number;
  readonly cached: boolean;
  /** The model ran into its token limit. */
  readonly cutOff: boolean;
}

const judgeErrors = [
  "timeout",
  "rate_limited",
  "overloaded",
  "server_error",
  "unreachable",
  "unauthorized",
  "not_found",
  "bad_request",
  "refused",
  "invalid_reply",
  "budget",
  "cancelled",
  "internal",
] as const;
export type JudgeErrorType = (typeof judgeErrors)[number];

export interface JudgeFailed {
  readonly ok: false;
  /** An `error.type` with low cardinality. */
  readonly errorType: JudgeErrorType;
  /** For people; never holds a key. */
  readonly message: string;
  readonly retryable: boolean;
  /** The wait that the provider requested; null for none. */
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

export type JudgeReply = JudgeReplied | JudgeFailed;

/** Why a model cannot be called, and which variable to set. */
export interface Unavailable {
  readonly message: string;
  readonly remedy: string;
}

/** Asks judge models. Never rejects: whatever goes wrong is a reply with `ok: false`. */
export interface JudgePort {
  ask(request: JudgeRequest): Promise<JudgeReply>;
  /** Null if the model can be called. */
  unavailable(model: string): Unavailable | null;
}

/** A failed reply that no retry would fix. */
export function failed(errorType: JudgeErrorType, message: string, durationMs = 0): JudgeFailed {
  return { ok: false, errorType, message, retryable: false, retryAfterMs: null, durationMs };
}
