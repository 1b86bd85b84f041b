import type { Trace } from "../../assemble/trace.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { CloseReason } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Decision } from "../decisions.ts";
import {
  beginningOf,
  type SpansWithoutAgent,
  sumByBeginning,
  type TraceBeginning,
} from "./trace-beginning.ts";
import type { TraceOutcome } from "./trace-state.ts";

/** Outcome of a run of a trace. */
export interface RunRecord extends Decision {
  /** Every destination has its verdicts; also false when there is no verdict or no destination. */
  readonly exported: boolean;
}

/** Whether a trace went on to a backend that does not get all, and why or why not. */
export interface ForwardRecord {
  readonly destination: string;
  readonly kept: boolean;
  readonly why: string;
}

/** Outcome of one trace. */
export interface TraceRecord {
  readonly traceId: string;
  readonly closedUnixMs: number;
  readonly spans: number;
  readonly closeReason: CloseReason;
  readonly state: TraceOutcome;
  readonly runs: readonly RunRecord[];
  readonly forwarded: readonly ForwardRecord[];
}

/** A run's decision, with what has become of it since. Read less often than written, so it is put together when it is first read. */
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
  state: TraceOutcome;
  /** Null for a trace of log records only. */
  beginning: TraceBeginning | null;
  readonly runs: Map<string, RunState>;
  /** By destination; absent until there is one. */
  forwarded?: Map<string, ForwardRecord>;
}

const furthest = ["evaluated", "ambiguous", "sampled_out", "unmatched"] as const;

/** A sixteenth more than are kept may gather before the oldest are forgotten. */
const SPARE_SHIFT = 4;

/** Outcomes of the traces that closed last, for display. It decides nothing: `TraceLifecycle` reports to it. */
export class TraceHistory {
  readonly #most: number;
  readonly #records = new Map<string, Entry>();
  readonly #runTraces = new Map<string, readonly string[]>();
  #pending = 0;

  constructor(most: number) {
    this.#most = most;
  }

  closed({ traceId, spans, closeReason }: Trace, nowUnixMs: number): void {
    const known = this.#records.get(traceId);
    if (known?.state !== "pending") this.#pending++;
    const record: Entry = known ?? {
      traceId,
      closedUnixMs: nowUnixMs,
      spans: 0,
      closeReason,
      state: "pending",
      beginning: null,
      runs: new Map(),
    };
    record.closedUnixMs = nowUnixMs;
    record.spans = spans.length;
    const [first] = spans;
    record.beginning = first === undefined ? null : beginningOf(first);
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

  /** The run has become a part of another one. */
  replaced(runId: string): void {
    for (const id of this.#runTraces.get(runId) ?? []) this.#records.get(id)?.runs.delete(runId);
    this.#runTraces.delete(runId);
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

  /** Spans of the traces that were settled without a run. */
  spansWithoutAgent(): readonly SpansWithoutAgent[] {
    return sumByBeginning(
      [...this.#records.values()].flatMap(({ state, beginning, spans }) =>
        state === "no_run" && beginning !== null ? [{ beginning, spans }] : [],
      ),
    );
  }

  /** Marks all runs of the trace as judged. Returns its final decision. */
  settled(traceId: string): TraceOutcome {
    const record = this.#records.get(traceId);
    if (record === undefined) return "no_run";
    if (record.state === "pending") this.#pending--;
    record.state = outcomeOf(record);
    return record.state;
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
  forgetOldest(): void {
    let spare = this.#records.size - this.#pending - this.#most;
    // Many at a time: going through a map from its beginning passes all pending records, and all that was deleted there since it was last packed.
    if (spare <= this.#most >> SPARE_SHIFT) return;
    for (const [id, { runs, state }] of this.#records) {
      if (spare <= 0) break;
      if (state === "pending") continue;
      spare--;
      this.#records.delete(id);
      for (const runId of runs.keys()) this.#runTraces.delete(runId);
    }
  }
}

function outcomeOf({ runs }: Entry): TraceOutcome {
  const decisions = new Set(Array.from(runs.values(), ({ decision }) => decision.decision));
  return furthest.find((one) => decisions.has(one)) ?? "no_run";
}

function shown({ traceId, closedUnixMs, spans, closeReason, state, runs, forwarded }: Entry): TraceRecord {
  const told = Array.from(runs.values(), ({ decision, ...of }) => ({ ...decision, ...of }));
  const record = { traceId, closedUnixMs, spans, closeReason, state };
  return { ...record, runs: told, forwarded: [...(forwarded?.values() ?? [])] };
}
