/** A difference between a request that the agent sent and the recorded request. */
export interface Divergence {
  /** Number of the agent's model call, from 1; null if the agent did not make the call. */
  readonly call: number | null;
  /**
   * Part of the request that differs: `model`, `system prompt`, `tool definitions`, `user`, `assistant`, `call of tool X`, `result of tool
   * X` or, if X is unknown, `tool call`, `result of a tool`. `one call more` and `one call fewer` refer to a complete request.
   */
  readonly what: string;
  /**
   * Position of the difference, such as `part 3 of the history` or `description of tool get_order`. Empty for the model, the system prompt
   * and complete requests.
   */
  readonly where: string;
  /** Recorded text, truncated after 20,000 characters; null if the recording lacks this part. */
  readonly recorded: string | null;
  /** Text of the agent's request, truncated after 20,000 characters; null if the request lacks this part. */
  readonly now: string | null;
  /** The recorded text and the new text on one line, with a few words before and after the difference. */
  readonly diff: string;
}

/**
 * Effect of a divergence on the verdict.
 * `warn`: the run is evaluated, and `run_status` warns.
 * `incomplete`: the verdict cannot pass.
 * `fail`: `run_status` fails.
 */
export type PlaybackEffect = "none" | "warn" | "incomplete" | "fail";

/** How recorded answers were used in a run. Only for a run whose model calls were answered from a recording. */
export interface Playback {
  /** Id of the recorded run. */
  readonly runId: string;
  readonly effect: PlaybackEffect;
  readonly divergences: readonly Divergence[];
  /** What the user can do to get the model's own answers, if requests differ. The default is for an agent that `test --exec` starts. */
  readonly remedy?: string;
}

/**
 * Estimated cost of the model calls that runs avoided by using recorded answers. Tokens and dollars are null if they are unknown for one of
 * the calls.
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
