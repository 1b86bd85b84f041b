import type { Trace } from "../assemble/trace.ts";
import type { Outcome } from "../model/outcome.ts";
import type { CloseReason } from "../model/run.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Decision } from "./decisions.ts";

/** What became of a run of a trace. */
export interface RunRecord extends Decision {
  /** Everybody has got its verdicts; false as well when there is none, or nobody to send it to. */
  readonly exported: boolean;
}

/** Whether a trace went on to a backend that does not get all, and why or why not. */
export interface ForwardRecord {
  readonly destination: string;
  readonly kept: boolean;
  readonly why: string;
}

/** What a trace comes to: that of its runs that got furthest; `no_run` when there was no agent in it, `pending` until all is known. */
export type TraceState = Decision["decision"] | "no_run" | "pending";

/** What became of one trace. */
export interface TraceRecord {
  readonly traceId: string;
  readonly closedUnixMs: number;
  readonly spans: number;
  readonly closeReason: CloseReason;
  readonly state: TraceState;
  readonly runs: readonly RunRecord[];
  readonly forwarded: readonly ForwardRecord[];
}

/** A run's decision, with what has become of it since. Read less often than written, so it is put together when somebody looks. */
interface RunState {
  readonly decision: Decision;
  outcomes: readonly Outcome[];
  exported: boolean;
}

interface Entry {
  traceId: string;
  closedUnixMs: number;
  spans: number;
  closeReason: CloseReason;
  state: TraceState;
  readonly runs: Map<string, RunState>;
  /** By destination; absent until there is one. */
  forwarded?: Map<string, ForwardRecord>;
}

const furthest = ["evaluated", "ambiguous", "sampled_out", "unmatched"] as const;

/** A sixteenth more than are kept may gather before the oldest are forgotten. */
const SPARE_SHIFT = 4;

/**
 * A record for every trace that was closed, the last so many of which can be looked at. Every trace is counted once: those begun are those
 * open, those pending, and those of each state.
 */
export class TraceRecords {
  readonly #most: number;
  readonly #records = new Map<string, Entry>();
  readonly #runTraces = new Map<string, readonly string[]>();
  /** Settled traces, by state. */
  readonly counts = new Map<TraceState, number>();
  /** Traces that were counted and have more spans since are not counted again. */
  readonly #pending = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Traces that have been closed, however often. */
  closedOnce = 0;

  /** Traces that are closed and not settled, for the first time. */
  get pending(): number {
    return this.#pending.size;
  }

  closed({ traceId, spans, closeReason, isRevision = false }: Trace, nowUnixMs: number): void {
    const known = this.#records.get(traceId);
    if (!isRevision) {
      this.#pending.add(traceId);
      this.closedOnce++;
    }
    const record: Entry = known ?? {
      traceId,
      closedUnixMs: nowUnixMs,
      spans: 0,
      closeReason,
      state: "pending",
      runs: new Map(),
    };
    record.closedUnixMs = nowUnixMs;
    record.spans = spans.length;
    record.closeReason = closeReason;
    record.state = "pending";
    this.#records.delete(traceId);
    this.#records.set(traceId, record);
  }

  decided(decision: Decision): void {
    this.#runTraces.delete(decision.runId);
    this.#runTraces.set(decision.runId, decision.traceIds);
    for (const id of decision.traceIds) {
      const state = { decision, outcomes: decision.outcomes, exported: false };
      this.#records.get(id)?.runs.set(decision.runId, state);
    }
  }

  /** The run has its verdicts. */
  judged(runId: string, verdicts: readonly Verdict[]): void {
    const outcomes: Outcome[] = verdicts.map(({ outcome }) => outcome);
    for (const state of this.#statesOf(runId)) state.outcomes = outcomes;
  }

  exported(runId: string): void {
    for (const state of this.#statesOf(runId)) state.exported = true;
  }

  forwarded(traceId: string, record: ForwardRecord): void {
    const about = this.#records.get(traceId);
    if (about !== undefined) (about.forwarded ??= new Map()).set(record.destination, record);
  }

  /** All runs of these traces were judged. */
  settle(traceIds: Iterable<string>): void {
    for (const id of traceIds) {
      const record = this.#records.get(id);
      const state = record === undefined ? "no_run" : stateOf(record);
      if (record !== undefined) record.state = state;
      if (this.#pending.delete(id)) this.counts.set(state, (this.counts.get(state) ?? 0) + 1);
    }
    this.#forgetOldest();
  }

  /** Newest first. */
  list(most: number, traceId?: string): readonly TraceRecord[] {
    if (traceId !== undefined) {
      const one = this.#records.get(traceId);
      return one === undefined ? [] : [shown(one)];
    }
    return [...this.#records.values()].slice(-Math.min(most, this.#most)).reverse().map(shown);
  }

  /** One for each of the run's traces. */
  #statesOf(runId: string): RunState[] {
    const states: RunState[] = [];
    for (const id of this.#runTraces.get(runId) ?? []) {
      const state = this.#records.get(id)?.runs.get(runId);
      if (state !== undefined) states.push(state);
    }
    return states;
  }

  /** Forgets settled records. One that is pending is retained, so that it is counted as what it comes to; there are never many more of them than traces in memory. */
  #forgetOldest(): void {
    let spare = this.#records.size - this.#pending.size - this.#most;
    // Many at a time: going through a map from its beginning passes all pending records, and all that was deleted there since it was last packed.
    if (spare <= this.#most >> SPARE_SHIFT) return;
    for (const [id, { runs }] of this.#records) {
      if (spare <= 0) break;
      if (this.#pending.has(id)) continue;
      spare--;
      this.#records.delete(id);
      for (const runId of runs.keys()) this.#runTraces.delete(runId);
    }
  }
}

function stateOf({ runs }: Entry): TraceState {
  const decisions = new Set(Array.from(runs.values(), ({ decision }) => decision.decision));
  return furthest.find((one) => decisions.has(one)) ?? "no_run";
}

function shown({ runs, forwarded, ...record }: Entry): TraceRecord {
  const told = Array.from(runs.values(), ({ decision, ...state }) => ({ ...decision, ...state }));
  return { ...record, runs: told, forwarded: [...(forwarded?.values() ?? [])] };
}
