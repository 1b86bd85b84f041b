/** How long an open trace is waited for, and how much of it is held. All times in milliseconds. */
export interface TraceTimeouts {
  /** T1: root seen, no parent missing, and quiet for this long. */
  readonly rootQuietMs: number;
  /** T2: root seen but a parent is missing, and quiet for this long. */
  readonly rootOpenMs: number;
  /** T3: at the latest this long after the root arrived. */
  readonly rootCapMs: number;
  /** T4: no root, and quiet for this long. */
  readonly idleMs: number;
  /** T5: at the latest this long after the first span. */
  readonly maxAgeMs: number;
  /** How long a closed trace is retained to be judged again when spans come late. */
  readonly lateWindowMs: number;
  /** A trace with more spans is closed at once, and further ones are left out. */
  readonly maxSpans: number;
  /** A trace that holds more bytes is closed at once, and what comes further is left out. */
  readonly maxBytes: number;
  /** Bytes of closed traces retained for late spans; the oldest go first. */
  readonly lateBytes: number;
  /** Ids of traces without spans that are known for a while longer, to recognise what arrives too late. */
  readonly forgottenIds: number;
}

/**
 * Defaults: span processors ship every five seconds, so a child process may be that far behind (T1, T2); a span leaves its process
 * only when it has ended, so a long model or tool call is minutes of silence (T4); people in the loop take their time (T5).
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

/** For replay: a trace closes after its last byte, so that no span is late, and no trace is too large. */
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
