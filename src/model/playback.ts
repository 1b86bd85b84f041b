/** A difference between a request of the agent and the recorded request. */
export interface Divergence {
  /** Number of the agent's model call, from 1; null if the agent did not make the call. */
  readonly call: number | null;
  /**
   * Part of the request that differs: `system prompt`, `user`, `assistant`, `tool call`, `tool definitions`,
   * `result of tool X`, `model`, `one call more` or `one call fewer`.
   */
  readonly what: string;
  /**
   * Position within the part, such as `message 3` or `tool get_order: description`. Empty if the part has no
   * subdivisions.
   */
  readonly where: string;
  /** Recorded text; null if the recording lacks the part. */
  readonly recorded: string | null;
  /** Text of the agent's request; null if the request lacks the part. */
  readonly now: string | null;
  /** The recorded and the new text on one line, with some words before and after the difference. */
  readonly diff: string;
}

/**
 * Effect of a divergence on the verdict.
 * `warn`: the run is evaluated, and `run_status` warns.
 * `incomplete`: the verdict cannot pass.
 * `fail`: `run_status` fails.
 */
export type PlaybackEffect = "none" | "warn" | "incomplete" | "fail";

/** How recorded answers were used in a run whose model calls were answered from a recording. */
export interface Playback {
  /** Id of the recorded run. */
  readonly runId: string;
  readonly effect: PlaybackEffect;
  readonly divergences: readonly Divergence[];
}

/**
 * Estimated model cost that runs with recorded answers did not incur. Tokens and dollars are null if they are
 * unknown for a call.
 */
export interface PlaybackSaving {
  readonly runs: number;
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
}

export function addSavings(a: PlaybackSaving, b: PlaybackSaving): PlaybackSaving {
  const sum = (one: number | null, other: number | null): number | null =>
    one === null || other === null ? null : one + other;
  return {
    runs: a.runs + b.runs,
    calls: a.calls + b.calls,
    tokens: sum(a.tokens, b.tokens),
    usd: sum(a.usd, b.usd),
  };
}
