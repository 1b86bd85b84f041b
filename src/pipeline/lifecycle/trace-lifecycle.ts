import type { TraceEntry } from "../../assemble/trace-entry.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import { hexOf } from "../../otlp/bytes/text.ts";
import type { Decision } from "../decisions.ts";
import { type ForwardRecord, TraceHistory } from "./trace-history.ts";
import { identifyRun, noteRunId, traceOfRun } from "./run-ids.ts";
import { type TraceOutcome, TraceState } from "./trace-state.ts";

/** Most traces that the API keeps. */
const HISTORY_KEPT = 10_000;
/** Ids of relinquished traces that are remembered; the oldest are forgotten. */
const RELINQUISHED_KEPT = 100_000;

/** A run from when it is found, with the states that its traces had then. */
interface FoundRun {
  readonly states: readonly TraceState[];
  /** Its first trace from Kafka; undefined for none. */
  readonly claimed: TraceState | undefined;
  isJudging: boolean;
  isUndelivered: boolean;
}

/** Whether a run may be published by this process, as far as its telemetry came over Kafka; `unclaimed` when none did. */
export type RunOwner = "here" | "elsewhere" | "unclaimed";

/**
 * The one owner of what state each trace is in: open → closed → evaluated → delivered → finished, or relinquished. Parts that retain something
 * of a trace (journal, Kafka offsets, forwarding, store) read it here, or are called by its owner. The caller passes the time.
 */
export class TraceLifecycle {
  readonly history = new TraceHistory(HISTORY_KEPT);
  /** Traces all of whose runs were judged, by what they came to. A trace is counted once. */
  readonly counts = new Map<TraceOutcome, number>();
  /** Traces that have been closed, however often. */
  closedOnce = 0;
  /** Traces that were closed and are not in `counts`. */
  pending = 0;
  readonly #states = new Map<string, TraceState>();
  readonly #unsettled = new Set<TraceState>();
  /** Their spans were released. */
  readonly #released = new Set<TraceState>();
  readonly #runs = new WeakMap<AgentRun, FoundRun>();
  readonly #relinquished = new Set<string>();
  #claims = 0;

  /** Whether something is still to be done about the trace. */
  has(traceId: string): boolean {
    return this.#states.has(traceId);
  }

  /** Close reasons of the run's traces as one text. */
  printOf({ traceIds }: AgentRun): string {
    return traceIds.map((id) => this.#states.get(id)?.fingerprint ?? "?").join(" ");
  }

  /** This process reads these traces from Kafka. Returns those that it did not read before. */
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

  /** The assembler closed a trace, for the first time or again. */
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

  /** The assembler released the spans of a trace. */
  released({ id }: TraceEntry): void {
    const state = this.#stateOf(hexOf(id));
    state.isReleased = true;
    this.#released.add(state);
  }

  /** An earlier process found these runs in traces that are read again. */
  resumed(runIds: Iterable<string>): void {
    for (const id of runIds) noteRunId(id, this.#stateOf(traceOfRun(id)));
  }

  /** Gives a run the id under which it was found first, when it had fewer spans or another root. */
  identify(run: AgentRun): AgentRun {
    const states = run.traceIds.flatMap((id) => this.#states.get(id) ?? []);
    const identified = identifyRun(run, states);
    for (const id of identified.replaces?.slice(1) ?? []) this.history.replaced(id);
    return identified;
  }

  /** A run was found, whole; it is judged once it may be. */
  found(run: AgentRun): void {
    if (this.#runs.has(run)) return;
    const states = run.traceIds.flatMap((id) => this.#states.get(id) ?? []);
    const isJudging = run.turns === undefined; // a conversation's runs were judged by themselves before
    for (const state of states) {
      if (isJudging) state.judging++;
      state.undelivered++;
    }
    this.#runs.set(run, { states, claimed: firstClaimed(states), isJudging, isUndelivered: true });
  }

  decided(decision: Decision): void {
    this.history.decided(decision);
  }

  /** The run was judged, or will not be. */
  judged(run: AgentRun, verdicts: readonly Verdict[]): void {
    if (verdicts.length > 0) this.history.judged(run.runId, verdicts);
    const found = this.#runs.get(run);
    if (found?.isJudging !== true) return;
    found.isJudging = false;
    for (const state of found.states) state.judging--;
  }

  /** An earlier process judged the run as it is, and delivered its verdicts. */
  judgedBefore(run: AgentRun): void {
    this.judged(run, []);
    this.delivered(run);
    if (run.turns !== undefined) return;
    const { traceId, traceIds, runId, agent, closeReason } = run;
    const about = { traceId, traceIds, runId, agent, closeReason, matches: [], outcomes: [], rate: 1 };
    this.decided({ ...about, decision: "evaluated", why: "before_restart" });
  }

  /** All destinations have the run's verdicts, or it has none. */
  delivered(run: AgentRun): void {
    const found = this.#runs.get(run);
    if (found?.isUndelivered !== true) return;
    found.isUndelivered = false;
    for (const state of found.states) {
      state.undelivered--;
      if (state.stage === "evaluated" && state.undelivered === 0) state.stage = "delivered";
    }
  }

  exported({ run }: Verdict): void {
    this.history.exported(run.runId);
  }

  forwarded(traceId: string, record: ForwardRecord): void {
    this.history.forwarded(traceId, record);
  }

  /**
   * Settles the traces whose runs were all judged, and returns their ids.
   * @param isAwaited whether a run of the trace is still to come
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
   * Traces about which nothing more is to be done: their spans were released and their verdicts delivered.
   * @param isOpen whether the trace may yet become part of a run, or is to be forwarded
   */
  finishable(isOpen: (traceId: string) => boolean): TraceState[] {
    const isDone = ({ judging, undelivered, traceId }: TraceState): boolean =>
      judging === 0 && undelivered === 0 && !isOpen(traceId);
    return [...this.#released].filter(isDone);
  }

  finish(states: readonly TraceState[]): void {
    for (const state of states) if (state.stage !== "relinquished") this.#leave(state, "finished");
  }

  /** Another process reads these traces again: nothing more is published about them here. */
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

  /** Whether one of these traces came over Kafka and is still read here. */
  ownsAny(traceIds: readonly string[]): boolean {
    return traceIds.some((id) => (this.#states.get(id)?.claim ?? 0) > 0);
  }

  /** A run is elsewhere when what came of it over Kafka was relinquished, even if it has been claimed again since it was found. */
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

function firstClaimed(states: readonly TraceState[]): TraceState | undefined {
  let first: TraceState | undefined;
  for (const state of states)
    if (state.claim > 0 && (first === undefined || state.claim < first.claim)) first = state;
  return first;
}
