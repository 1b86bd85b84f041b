import type { JsonObject, JsonValue } from "../../../model/json.ts";

/**
 * One question to one judge model. The key of a cached reply consists of all fields except `signal`, `runId`, `check`, `userPrefix` and
 * `seed`.
 */
export interface JudgeRequest {
  /** Model as in the spec: `provider/model`, or the model's name alone. */
  readonly model: string;
  /** Instructions of Tracejury and of the spec. All runs under one rubric have the same instructions, so that providers can cache them. */
  readonly system: string;
  /** Message with the judged text between markers. */
  readonly user: string;
  /** Beginning of `user` that is the same for all runs under one rubric; empty if there is none. */
  readonly userPrefix?: string;
  /** JSON Schema of the reply. */
  readonly schema: JsonObject;
  readonly maxTokens: number;
  readonly temperature: number;
  /** True if the provider's structured output may be used. */
  readonly structured: boolean;
  /** Seed, for providers that reply equally to equal requests with equal seeds. */
  readonly seed?: number;
  /** Number of the independent reply to the same question, from 0. A judge that votes several times needs several replies. */
  readonly sample: number;
  readonly rubric: string;
  readonly promptHash: string;
  /** Id of the run that pays for the call from its budget. */
  readonly runId: string;
  /** Returns the problems of a reply; empty if the reply is usable. Replies with problems are not cached. */
  readonly check: (json: JsonValue) => readonly string[];
  readonly signal?: AbortSignal;
}

/** Numbers of tokens of one call; null if the provider did not report them. `input` includes cached tokens. */
export interface JudgeUsage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  /** Tokens written to the provider's cache, which have their own price. Absent if the provider does not report cache writes. */
  readonly cacheWrite?: number | null;
}

export interface JudgeReplied {
  readonly ok: true;
  /** Parsed reply; the raw text if the reply is not JSON. */
  readonly json: JsonValue;
  readonly usage: JudgeUsage;
  readonly durationMs: number;
  readonly cached: boolean;
  /** True if the reply was truncated at the token limit. */
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
  /** Kind of the failure: the value of the attribute `error.type`. */
  readonly errorType: JudgeErrorType;
  /** Message for users. Never contains an API key. */
  readonly message: string;
  readonly retryable: boolean;
  /** Delay that the provider requested, in milliseconds; null if none. */
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

export type JudgeReply = JudgeReplied | JudgeFailed;

/** Why a model cannot be called, and what the user can do, such as setting an environment variable. */
export interface Unavailable {
  readonly message: string;
  readonly remedy: string;
}

/** Calls judge models. A failure is a reply with `ok: false`; the promise does not reject. */
export interface JudgePort {
  ask(request: JudgeRequest): Promise<JudgeReply>;
  /** Returns why the model cannot be called; null if it can. */
  unavailable(model: string): Unavailable | null;
}

/** Returns a failed reply that is not worth a retry. */
export function failed(errorType: JudgeErrorType, message: string, durationMs = 0): JudgeFailed {
  return { ok: false, errorType, message, retryable: false, retryAfterMs: null, durationMs };
}
