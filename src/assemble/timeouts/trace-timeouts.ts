/** Time-outs of open traces in milliseconds, and size limits. */
export interface TraceTimeouts {
  /** T1: a trace with a root and without missing parents is complete after this time without spans. */
  readonly rootQuietMs: number;
  /** T2: a trace with a root and a missing parent is complete after this time without spans. */
  readonly rootOpenMs: number;
  /** T3: a trace is complete this time after its root arrived. */
  readonly rootCapMs: number;
  /** T4: a trace without a root is complete after this time without spans. */
  readonly idleMs: number;
  /** T5: a trace is complete this time after its first span arrived. */
  readonly maxAgeMs: number;
  /**
   * Time for which the spans of a closed trace are retained, unless `lateBytes` released them. If late spans arrive in this time, the trace
   * is evaluated again.
   */
  readonly lateWindowMs: number;
  /** Maximum number of spans of a trace. A larger trace is closed at the next `closeDue`, and its further spans are dropped. */
  readonly maxSpans: number;
  /** Maximum size of a trace in bytes. A larger trace is closed at the next `closeDue`, and its further spans are dropped. */
  readonly maxBytes: number;
  /** Maximum bytes of closed traces that are retained for late spans. The oldest are released first. */
  readonly lateBytes: number;
  /** Maximum number of remembered ids of released traces, to recognise spans that arrive too late. */
  readonly forgottenIds: number;
}

/**
 * Default time-outs. T1, T2: span processors export every five seconds, so spans of a child process can be five seconds late. T4: a span is
 * exported after its end, so a long model or tool call causes minutes without spans. T5: a run may wait for a person who approves a step.
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

/** Time-outs for a replay. A replay closes a trace after the trace's last byte, so no span is late. The size of traces is not limited. */
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
