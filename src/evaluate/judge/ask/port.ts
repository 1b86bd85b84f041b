import type { JsonObject, JsonValue } from "../../../model/json.ts";

/**
 * One question to one judge model. All fields except `signal`, `runId`, `check`, `userPrefix` and `seed` identify
 * a cached reply.
 */
export interface JudgeRequest {
  /** Model as written in the spec: `provider/model`, or only the model's name. */
  readonly model: string;
  /**
   * Instructions of Tracejury and of the spec. The instructions are equal for all runs under one rubric, so
   * that providers can cache them.
   */
  readonly system: string;
  /** Message that contains the judged text between markers. */
  readonly user: string;
  /** Beginning of `user` that is equal for all runs under one rubric; empty if there is none. */
  readonly userPrefix?: string;
  /** JSON Schema of the reply. */
  readonly schema: JsonObject;
  readonly maxTokens: number;
  readonly temperature: number;
  /** False: the provider's structured output must not be used. */
  readonly structured: boolean;
  /** Seed, for providers that answer requests with equal content and seed in the same way. */
  readonly seed?: number;
  /** Number of the independent reply to the same question, from 0. */
  readonly sample: number;
  readonly rubric: string;
  readonly promptHash: string;
  /** Id of the run to whose budget the call is charged. */
  readonly runId: string;
  /** Returns the problems of a reply; empty if the reply is usable. Only usable replies are cached. */
  readonly check: (json: JsonValue) => readonly string[];
  readonly signal?: AbortSignal;
}

/** Tokens of one call; null if not reported. `input` includes cached tokens. */
export interface JudgeUsage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  /**
   * Tokens written to the provider's cache, which have a separate price; absent if the provider does not
   * report them.
   */
  readonly cacheWrite?: number | null;
}

export interface JudgeReplied {
  readonly ok: true;
  /** The parsed reply; the raw text if the reply is not JSON. */
  readonly json: JsonValue;
  readonly usage: JudgeUsage;
  readonly durationMs: number;
  readonly cached: boolean;
  /** Whether the model reached its token limit. */
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
  /** Message for people; it never contains an API key. */
  readonly message: string;
  readonly retryable: boolean;
  /** Wait that the provider requested, in milliseconds; null if it requested none. */
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

export type JudgeReply = JudgeReplied | JudgeFailed;

/** Reason why a model cannot be called, and the environment variable to set. */
export interface Unavailable {
  readonly message: string;
  readonly remedy: string;
}

/** Asks judge models. Never rejects: every failure is a reply with `ok: false`. */
export interface JudgePort {
  ask(request: JudgeRequest): Promise<JudgeReply>;
  /** Returns null if the model can be called. */
  unavailable(model: string): Unavailable | null;
}

/** Returns a failed reply that a retry would not fix. */
export function failed(errorType: JudgeErrorType, message: string, durationMs = 0): JudgeFailed {
  return { ok: false, errorType, message, retryable: false, retryAfterMs: null, durationMs };
}
