/** Time-outs of open traces in milliseconds, and size limits. */
export interface TraceTimeouts {
  /** T1: maximum time without new spans, for a trace with a root and no missing parent. The trace is then complete. */
  readonly rootQuietMs: number;
  /** T2: maximum time without new spans, for a trace with a root and a missing parent. The trace is then complete. */
  readonly rootOpenMs: number;
  /** T3: maximum time since the trace's root arrived. The trace is then complete. */
  readonly rootCapMs: number;
  /** T4: maximum time without new spans, for a trace without a root. The trace is then complete. */
  readonly idleMs: number;
  /** T5: maximum time since the trace's first span arrived. The trace is then complete. */
  readonly maxAgeMs: number;
  /**
   * Time for which the spans of a closed trace are retained, unless they are released earlier because of `lateBytes`. If late spans arrive
   * within this time, the trace is evaluated again.
   */
  readonly lateWindowMs: number;
  /** Maximum number of spans of a trace. If a trace has more, the next `closeDue` closes it, and its further spans are dropped. */
  readonly maxSpans: number;
  /** Maximum size of a trace in bytes. If a trace is larger, the next `closeDue` closes it, and its further spans are dropped. */
  readonly maxBytes: number;
  /** Maximum size in bytes of all closed traces that are retained for late spans. Above this size, the oldest are released. */
  readonly lateBytes: number;
  /** Maximum number of released traces whose ids are remembered, so that spans which arrive too late are recognised. */
  readonly forgottenIds: number;
}

/**
 * Default time-outs. T1 and T2: span processors export every five seconds, so the spans of a child process can arrive five seconds late.
 * T4: a span is exported after its end, so during a long model or tool call no span arrives for minutes. T5: a run may wait for a person
 * who approves a step.
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
 * Time-outs for a replay. No time-out ends a trace, because a replay closes each trace after the trace's last byte; so no span is late. The
 * size of traces is not limited.
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
