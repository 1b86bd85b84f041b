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

/** Record of what happened to a run of a trace. */
export interface RunRecord extends Decision {
  /**
   * Whether the outputs have processed the verdicts: each verdict was sent, stored in a queue on disk, or dropped. False if there is no
   * verdict.
   */
  readonly exported: boolean;
}

/** Whether tail-based forwarding sent a trace to a backend, and the reason. */
export interface ForwardRecord {
  readonly destination: string;
  readonly kept: boolean;
  readonly why: string;
}

/** Record of what happened to one trace. */
export interface TraceRecord {
  readonly traceId: string;
  readonly closedUnixMs: number;
  readonly spans: number;
  readonly closeReason: CloseReason;
  readonly state: TraceOutcome;
  readonly runs: readonly RunRecord[];
  readonly forwarded: readonly ForwardRecord[];
}

/** Decision about a run, with its later outcomes and export state. */
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
  /** The trace's first span; null for a trace that has only log records. */
  beginning: TraceBeginning | null;
  readonly runs: Map<string, RunState>;
  /** Latest forwarding record by backend; absent before the first. */
  forwarded?: Map<string, ForwardRecord>;
}

const furthest = ["evaluated", "ambiguous", "sampled_out", "unmatched"] as const;

/**
 * The number of records may exceed the limit by this share before the oldest records are deleted. A shift of 4 means one sixteenth (2⁻⁴).
 */
const SPARE_SHIFT = 4;

/**
 * Records of what happened to the latest closed traces. The API shows them; no decision depends on them. `TraceLifecycle` adds the records.
 */
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
    const { runId, traceIds } = decision;
    this.#runTraces.delete(runId);
    for (const id of traceIds) {
      const record = this.#records.get(id);
      if (record === undefined) continue;
      record.runs.set(runId, { decision, outcomes: decision.outcomes, exported: false });
      // An entry is added only together with a record, because `forgetOldest` deletes both. If a conversation is decided after its records
      // were forgotten, no entry is added.
      this.#runTraces.set(runId, traceIds);
    }
  }

  /** Forgets a run, because it was joined into another run. */
  replaced(runId: string): void {
    for (const id of this.#runTraces.get(runId) ?? []) this.#records.get(id)?.runs.delete(runId);
    this.#runTraces.delete(runId);
  }

  /** Records the outcomes of a run's verdicts. */
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

  /** Returns the traces without a run and their spans, counted by service, kind and scope of the first span; the largest sums come first. */
  spansWithoutAgent(): readonly SpansWithoutAgent[] {
    return sumByBeginning(
      [...this.#records.values()].flatMap(({ state, beginning, spans }) =>
        state === "no_run" && beginning !== null ? [{ beginning, spans }] : [],
      ),
    );
  }

  /** Determines and returns the final outcome of a trace. Called when all runs of the trace are judged. */
  settled(traceId: string): TraceOutcome {
    const record = this.#records.get(traceId);
    if (record === undefined) return "no_run";
    if (record.state === "pending") this.#pending--;
    record.state = outcomeOf(record);
    return record.state;
  }

  /** Returns the latest records, newest first; if `traceId` is given, only the record of this trace. */
  list(most: number, traceId?: string): readonly TraceRecord[] {
    if (traceId !== undefined) {
      const one = this.#records.get(traceId);
      return one === undefined ? [] : [shown(one)];
    }
    return [...this.#records.values()].slice(-Math.min(most, this.#most)).reverse().map(shown);
  }

  /** Returns the states of the run, one for each of its traces. */
  #statesOf(runId: string): RunState[] {
    const states: RunState[] = [];
    for (const id of this.#runTraces.get(runId) ?? []) {
      const state = this.#records.get(id)?.runs.get(runId);
      if (state !== undefined) states.push(state);
    }
    return states;
  }

  /**
   * Forgets the oldest records of decided traces. A record of an undecided trace is kept until its outcome is counted; the number of such
   * records is limited by the number of traces in memory.
   */
  forgetOldest(): void {
    let spare = this.#records.size - this.#pending - this.#most;
    // Forgets many records at a time: each pass over the map is slow, because it also visits undecided records and deleted slots.
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
  const runRecords = Array.from(runs.values(), ({ decision, ...of }) => ({ ...decision, ...of }));
  const record = { traceId, closedUnixMs, spans, closeReason, state };
  return { ...record, runs: runRecords, forwarded: [...(forwarded?.values() ?? [])] };
}
