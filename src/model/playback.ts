/** A difference between a request of the agent and the recording. */
export interface Divergence {
  /** Number of the agent's model call, from 1; null for a call that was not made. */
  readonly call: number | null;
  /**
   * Part of the request that differs: `system prompt`, `user`, `assistant`, `tool call`, `tool definitions`,
   * `result of tool X`, `model`, `one call more`, `one call fewer`.
   */
  readonly what: string;
  /**
   * Position within the part: `message 3`, `tool get_order: description`; empty if the part has no
   * subdivisions.
   */
  readonly where: string;
  /** Recorded text; null if the recording lacks this part. */
  readonly recorded: string | null;
  /** Text of the agent's request; null if the request lacks this part. */
  readonly now: string | null;
  /** The recorded and the new text in one line, with some words before and after the change. */
  readonly diff: string;
}

/**
 * Effect of a divergence on the verdict. `warn`: the run is evaluated, and `run_status` warns. `incomplete`:
 * the verdict cannot pass. `fail`: `run_status` fails.
 */
export type PlaybackEffect = "none" | "warn" | "incomplete" | "fail";

/** Data of a run whose model calls were answered from a recording. */
export interface Playback {
  /** Id of the recorded run. */
  readonly runId: string;
  readonly effect: PlaybackEffect;
  readonly divergences: readonly Divergence[];
}

/**
 * Estimated cost of runs with recorded answers if a model had answered. Tokens and dollars are null if the
 * cost of a call is unknown.
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
