import type { TraceEntry } from "../../assemble/trace-entry.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import { hexOf } from "../../otlp/bytes/text.ts";
import type { Decision } from "../decisions.ts";
import { type ForwardRecord, TraceHistory } from "./trace-history.ts";
import { identifyRun, noteRunId, traceOfRun } from "./run-ids.ts";
import { type TraceOutcome, TraceState } from "./trace-state.ts";

/** Maximum number of traces in the history that the API shows. */
const HISTORY_KEPT = 10_000;
/** Maximum number of relinquished traces whose ids are remembered. Above this number, the oldest ids are forgotten. */
const RELINQUISHED_KEPT = 100_000;

/** A run, with the states of its traces at the time when it was found. */
interface FoundRun {
  readonly states: readonly TraceState[];
  /** State of the run's trace that this process claimed first; undefined if no trace of the run came from Kafka. */
  readonly claimed: TraceState | undefined;
  isJudging: boolean;
  isUndelivered: boolean;
}

/**
 * Which process may publish a run whose telemetry came from Kafka: this process (`here`) or another (`elsewhere`). `unclaimed`: no
 * telemetry of the run came from Kafka.
 */
export type RunOwner = "here" | "elsewhere" | "unclaimed";

/**
 * State of each trace: open → closed → evaluated → delivered → finished, or relinquished. Components that retain data of a trace (journal,
 * Kafka offsets, forwarding, store) learn from `TraceLifecycle` when they can release the data.
 */
export class TraceLifecycle {
  readonly history = new TraceHistory(HISTORY_KEPT);
  /** Number of traces whose runs are all judged, by outcome. A trace counts once, even if it was reopened. */
  readonly counts = new Map<TraceOutcome, number>();
  /** Number of traces that were closed. A trace counts once, even if it was reopened. */
  closedOnce = 0;
  /** Number of closed traces that are not in `counts` yet. */
  pending = 0;
  readonly #states = new Map<string, TraceState>();
  readonly #unsettled = new Set<TraceState>();
  /** Traces that the assembler no longer needs. */
  readonly #released = new Set<TraceState>();
  readonly #runs = new WeakMap<AgentRun, FoundRun>();
  readonly #relinquished = new Set<string>();
  #claims = 0;

  /** Whether any work on the trace remains. */
  has(traceId: string): boolean {
    return this.#states.has(traceId);
  }

  /** Returns the fingerprints of the run's traces, separated by spaces. */
  printOf({ traceIds }: AgentRun): string {
    return traceIds.map((id) => this.#states.get(id)?.fingerprint ?? "?").join(" ");
  }

  /** Records that this process reads these traces from Kafka. Returns the ids of the traces that it had not claimed before. */
  claim(traceIds: Iterable<string>): string[] {
    const fresh: string[] = [];
    for (const id of traceIds) {
      const state = this.#stateOf(id);
      if (state.claim > 0) continue;
      state.claim = ++this.#claims;
      this.#relinquished.delete(id);
      fresh.push(id);
    }
    return fresh;
  }

  /** Records that the assembler has closed a trace. Also called when a reopened trace is closed again. */
  closed(trace: Trace, nowUnixMs: number): void {
    const { traceId, fingerprint = "?", isRevision = false } = trace;
    const state = this.#stateOf(traceId, isRevision);
    state.stage = "closed";
    state.fingerprint = fingerprint;
    if (!isRevision) {
      this.closedOnce++;
      this.pending++;
    }
    this.#unsettled.add(state);
    this.history.closed(trace, nowUnixMs);
  }

  /** Records that the assembler no longer needs a trace. */
  released({ id }: TraceEntry): void {
    this.#released.add(this.#stateOf(hexOf(id)));
  }

  /** Restores the ids of runs that an earlier process found in traces. These traces are now read again. */
  resumed(runIds: Iterable<string>): void {
    for (const id of runIds) noteRunId(id, this.#stateOf(traceOfRun(id)));
  }

  /** Returns the run with the id under which it was first found. At that time, it may have had fewer spans or another root. */
  identify(run: AgentRun): AgentRun {
    const states = run.traceIds.flatMap((id) => this.#states.get(id) ?? []);
    const identified = identifyRun(run, states);
    for (const id of identified.replaces?.slice(1) ?? []) this.history.replaced(id);
    return identified;
  }

  /** Records that a complete run was found. The run then counts in each of its traces as not judged and not delivered. */
  found(run: AgentRun): void {
    if (this.#runs.has(run)) return;
    const states = run.traceIds.flatMap((id) => this.#states.get(id) ?? []);
    const isJudging = run.turns === undefined; // The runs of a conversation's turns were already counted.
    for (const state of states) {
      if (isJudging) state.judging++;
      state.undelivered++;
    }
    this.#runs.set(run, { states, claimed: firstClaimed(states), isJudging, isUndelivered: true });
  }

  decided(decision: Decision): void {
    this.history.decided(decision);
  }

  /** Records that a run was judged, or that it will not be judged. */
  judged(run: AgentRun, verdicts: readonly Verdict[]): void {
    if (verdicts.length > 0) this.history.judged(run.runId, verdicts);
    const found = this.#runs.get(run);
    if (found?.isJudging !== true) return;
    found.isJudging = false;
    for (const state of found.states) state.judging--;
  }

  /** Records that an earlier process judged the run and delivered its verdicts, and that the run has not changed since. */
  judgedBefore(run: AgentRun): void {
    this.judged(run, []);
    this.delivered(run);
    if (run.turns !== undefined) return;
    const { traceId, traceIds, runId, agent, closeReason } = run;
    const about = { traceId, traceIds, runId, agent, closeReason, matches: [], outcomes: [], rate: 1 };
    this.decided({ ...about, decision: "evaluated", why: "before_restart" });
  }

  /** Records that all destinations have the run's verdicts, or that there are no verdicts. */
  delivered(run: AgentRun): void {
    this.deliveryOf(run)();
  }

  /** Returns a function that does the same as `delivered`, but does not retain the run in memory. */
  deliveryOf(run: AgentRun): () => void {
    return deliveryOf(this.#runs.get(run));
  }

  exported(runId: string): void {
    this.history.exported(runId);
  }

  forwarded(traceId: string, record: ForwardRecord): void {
    this.history.forwarded(traceId, record);
  }

  /**
   * Counts the final outcome of each trace whose runs are all judged, and returns the ids of these traces.
   * @param isAwaited whether a run of the trace is still awaited
   */
  settle(isAwaited: (traceId: string) => boolean): ReadonlySet<string> {
    const settled = new Set<string>();
    for (const state of this.#unsettled) {
      if (state.judging > 0 || isAwaited(state.traceId)) continue;
      this.#unsettled.delete(state);
      settled.add(state.traceId);
      if (state.stage === "closed") state.stage = state.undelivered === 0 ? "delivered" : "evaluated";
      const outcome = this.history.settled(state.traceId);
      if (state.isCounted) continue;
      state.isCounted = true;
      this.pending--;
      this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
    }
    this.history.forgetOldest();
    return settled;
  }

  /**
   * Returns the traces for which no work remains: the assembler no longer needs them, and all their verdicts were delivered.
   * @param isOpen whether the trace may still become part of a run, or must still be forwarded
   */
  finishable(isOpen: (traceId: string) => boolean): TraceState[] {
    const isDone = ({ judging, undelivered, traceId }: TraceState): boolean =>
      judging === 0 && undelivered === 0 && !isOpen(traceId);
    return [...this.#released].filter(isDone);
  }

  finish(states: readonly TraceState[]): void {
    for (const state of states) if (state.stage !== "relinquished") this.#leave(state, "finished");
  }

  /** Records that another process reads these traces again. From now on, that process publishes their results. */
  relinquish(traceIds: Iterable<string>): void {
    for (const id of traceIds) {
      const state = this.#states.get(id);
      if (state === undefined) continue;
      this.#leave(state, "relinquished");
      if (state.claim > 0) this.#relinquished.add(id);
    }
    for (const oldest of this.#relinquished) {
      if (this.#relinquished.size <= RELINQUISHED_KEPT) break;
      this.#relinquished.delete(oldest);
    }
  }

  /** Whether this process reads one of these traces from Kafka. */
  ownsAny(traceIds: readonly string[]): boolean {
    return traceIds.some((id) => (this.#states.get(id)?.claim ?? 0) > 0);
  }

  /**
   * Returns which process publishes a run. The result is `elsewhere` if the trace that was claimed first was relinquished after the run was
   * found. This holds even if this process has claimed the trace again.
   */
  ownerOf(run: AgentRun): RunOwner {
    const claimed = this.#runs.get(run)?.claimed;
    if (claimed !== undefined) return claimed.stage === "relinquished" ? "elsewhere" : "here";
    if (this.ownsAny(run.traceIds)) return "here";
    return run.traceIds.some((id) => this.#relinquished.has(id)) ? "elsewhere" : "unclaimed";
  }

  #leave(state: TraceState, stage: "finished" | "relinquished"): void {
    state.stage = stage;
    this.#released.delete(state);
    if (this.#states.get(state.traceId) === state) this.#states.delete(state.traceId);
  }

  #stateOf(traceId: string, isCounted = false): TraceState {
    let state = this.#states.get(traceId);
    if (state === undefined) this.#states.set(traceId, (state = new TraceState(traceId, isCounted)));
    return state;
  }
}

function deliveryOf(found: FoundRun | undefined): () => void {
  return () => {
    if (found?.isUndelivered !== true) return;
    found.isUndelivered = false;
    for (const state of found.states) {
      state.undelivered--;
      if (state.stage === "evaluated" && state.undelivered === 0) state.stage = "delivered";
    }
  };
}

function firstClaimed(states: readonly TraceState[]): TraceState | undefined {
  let first: TraceState | undefined;
  for (const state of states)
    if (state.claim > 0 && (first === undefined || state.claim < first.claim)) first = state;
  return first;
}
