/** Time-outs in milliseconds, and size limits, of open traces. */
export interface TraceTimeouts {
  /** T1: quiet time after which a trace with a root and without missing parents is complete. */
  readonly rootQuietMs: number;
  /** T2: quiet time after which a trace with a root and a missing parent is complete. */
  readonly rootOpenMs: number;
  /** T3: maximum time after the arrival of the root. */
  readonly rootCapMs: number;
  /** T4: quiet time after which a trace without a root is complete. */
  readonly idleMs: number;
  /** T5: maximum time after the arrival of the first span. */
  readonly maxAgeMs: number;
  /**
   * Time for which the spans of a closed trace are held. If late spans arrive in this time, the trace is
   * evaluated again.
   */
  readonly lateWindowMs: number;
  /** Maximum number of spans. A larger trace is closed at once, and its further spans are dropped. */
  readonly maxSpans: number;
  /** Maximum size in bytes. A larger trace is closed at once, and its further spans are dropped. */
  readonly maxBytes: number;
  /** Maximum bytes of closed traces that are held for late spans. The oldest are released first. */
  readonly lateBytes: number;
  /**
   * Maximum number of remembered ids of released traces. The remembered ids identify spans that arrive too
   * late.
   */
  readonly forgottenIds: number;
}

/**
 * Default time-outs. T1, T2: span processors export every five seconds, so spans of a child process may be
 * that late. T4: a span is exported after it has ended, so a long model or tool call causes minutes without
 * spans. T5: people in the loop need time.
 */
export const defaultTraceTimeouts: TraceTimeouts = {
  rootQuietMs: 6_000,
  rootOpenMs: 15_000,
  rootCapMs: 60_000,
  idleMs: 300_000,
  maxAgeMs: 3_600_000,
  lateWindowMs: 120_000,
  maxSpans: 32_000,
  maxBytes: 16 * 2 ** 20,
  lateBytes: 64 * 2 ** 20,
  forgottenIds: 100_000,
};

/**
 * Time-outs for a replay. The replay itself closes a trace after its last byte, so no span is late, and no
 * trace is too large.
 */
export const unlimitedTraceTimeouts: TraceTimeouts = {
  rootQuietMs: Infinity,
  rootOpenMs: Infinity,
  rootCapMs: Infinity,
  idleMs: Infinity,
  maxAgeMs: Infinity,
  lateWindowMs: 0,
  maxSpans: Infinity,
  maxBytes: Infinity,
  lateBytes: 0,
  forgottenIds: 100,
};
