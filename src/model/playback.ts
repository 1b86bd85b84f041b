/** Where a request of the agent is not what was recorded. */
export interface Divergence {
  /** Which model call of the agent, from 1; null where it is a call that was not made. */
  readonly call: number | null;
  /** `system prompt`, `user`, `assistant`, `tool call`, `tool definitions`, `result of tool X`, `model`, `one call more`, `one call fewer`. */
  readonly what: string;
  /** Where within it: `message 3`, `tool get_order: description`; empty where `what` says it all. */
  readonly where: string;
  /** Null where the recording has no such part. */
  readonly recorded: string | null;
  /** Null where the agent sent no such part. */
  readonly now: string | null;
  /** Both in one line, with the words around the change. */
  readonly diff: string;
}

/** `warn`: judged with a warning. `incomplete`: never a pass. `fail`: a failure. */
export type PlaybackEffect = "none" | "warn" | "incomplete" | "fail";

/** A run whose model calls were answered with what was recorded. */
export interface Playback {
  /** The recorded run. */
  readonly runId: string;
  readonly effect: PlaybackEffect;
  readonly divergences: readonly Divergence[];
}

/** Cost of runs with recorded model answers, had a model answered. Null if a part is unknown. */
export interface PlaybackSaving {
  readonly runs: number;
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** What both would have cost together. */
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
