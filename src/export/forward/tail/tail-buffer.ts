import { NewestEntries } from "../../../support/structures/newest-entries.ts";
import { ReferenceCountedBatches } from "../../../assemble/batches/reference-counted-batches.ts";
import type { Trace } from "../../../assemble/trace.ts";
import { traceIdAt } from "../../../journal/records/batch-traces.ts";
import { ownScope } from "../../../model/telemetry/own-scope.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { Verdict } from "../../../model/verdict.ts";
import { type Batch, logAt, spanAt } from "../../../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../../../otlp/rows/columns.ts";
import { scopeNames } from "../../../otlp/rows/scope-names.ts";
import { cutOut } from "./held-bodies.ts";
import { type HeldRequest, HeldTrace } from "./held-trace.ts";
import { decideKeep, type Keep, type KeepDecision } from "./keep.ts";

export interface HoldSettings {
  /** Maximum time in milliseconds for which a trace is held. */
  readonly maxWaitMs: number;
  /** Rules for the traces to forward; null to forward all. */
  readonly keep: Keep | null;
}

/** A trace that is no longer held, with the decision to forward or drop it. */
export interface Decided extends KeepDecision {
  readonly trace: HeldTrace;
  /** Whether the records arrived after the decision about their trace. */
  readonly isLate: boolean;
}

const ERROR = 2;
const NO_TRACE = "0".repeat(32);
/** Maximum number of decisions that are remembered for late records. */
const DECISIONS_KEPT = 100_000;

/**
 * Holds the records of each trace until the trace is judged, but at most for `maxWaitMs`. If memory is short, `evict` releases the oldest
 * traces earlier. Records without a trace id, and Tracejury's own telemetry, are not held.
 */
export class TailBuffer {
  readonly settings: HoldSettings;
  /** Reports an exception that occurred for a trace. The trace is then forwarded unchanged. */
  onFault: (traceId: string, error: unknown) => void = () => undefined;
  /** Held traces, in the order of their first held record. */
  readonly #held = new Map<string, HeldTrace>();
  readonly #decided = new NewestEntries<string, KeepDecision>(DECISIONS_KEPT, (id) => this.#past.delete(id));
  /**
   * Decisions of an earlier process, by trace id. `through` is the number of the newest request that the decision covers; `kept` is true if
   * the trace was forwarded.
   */
  readonly #past = new Map<string, { readonly through: number; readonly kept: boolean }>();
  /** Batches of held traces that the assembler no longer needs. */
  readonly #pinned = new ReferenceCountedBatches();

  constructor(settings: HoldSettings) {
    this.settings = settings;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Bytes of the batches that only this buffer retains. */
  get heldBytes(): number {
    return this.#pinned.bytes;
  }

  has(traceId: string): boolean {
    return this.#held.has(traceId);
  }

  /**
   * Restores decisions that an earlier process made.
   * @param through number of the newest request that the decisions cover
   */
  resume(traceIds: readonly string[], decision: KeepDecision, through: number): void {
    for (const id of traceIds) {
      this.#past.set(id, { through, kept: decision.kept });
      this.#decided.set(id, decision);
    }
  }

  /**
   * Holds the rows of a request that have a trace id.
   * @param sinceMs arrival time of the request
   * @param finished ids of traces whose rows are not held
   * @returns the request without the held rows, to forward at once: null if all rows are held, `whole` if none is. For a request that an
   * earlier process received, that process has already forwarded this part.
   */
  add(request: HeldRequest, sinceMs: number, finished?: ReadonlySet<string>): Uint8Array | "whole" | null {
    const { batch, number } = request;
    const held = new Set<number>();
    for (const { traceId, row, start } of rowsWithTrace(batch)) {
      if (finished?.has(traceId) === true) continue;
      const past = this.#past.get(traceId);
      if (past !== undefined && number <= past.through) continue;
      try {
        this.#traceOf(traceId, sinceMs).add(request, row);
        held.add(start);
      } catch (error) {
        this.onFault(traceId, error);
      }
    }
    const { spanCount, logCount, rejected } = batch;
    if (held.size === spanCount + logCount && rejected.count === 0) return null;
    if (held.size === 0) return "whole";
    return cutOut(batch, { has: (start) => !held.has(start) });
  }

  /** Records that the assembler has closed a trace, for the first time or again. */
  closed(trace: Trace): void {
    const held = this.#held.get(trace.traceId);
    if (held === undefined) return;
    held.isClosed = true;
    for (const span of trace.spans) {
      if (span.status === ERROR) held.hasError = true;
      held.startMs = Math.min(held.startMs, span.startUnixMs);
      held.endMs = Math.max(held.endMs, span.endUnixMs);
    }
  }

  /** Records that the assembler no longer needs a trace. Only this buffer then holds the trace's memory, which counts in `heldBytes`. */
  gone(traceId: string): void {
    const held = this.#held.get(traceId);
    if (held === undefined || held.isOnlyOurs) return;
    held.isOnlyOurs = true;
    held.pinned = [...held.parts.keys()].map(({ batch }) => batch);
    for (const batch of held.pinned) this.#pinned.pin(batch);
  }

  /**
   * Records the verdicts of a run, or that the run will get none.
   * @param verdicts null if they are unknown, because an earlier process judged the run
   */
  judged(run: AgentRun, verdicts: readonly Verdict[] | null): void {
    for (const id of run.traceIds) {
      const held = this.#held.get(id);
      held?.runs.set(run.runId, { traceId: run.traceId, verdicts: verdicts ?? [] });
      if (held !== undefined && verdicts === null) held.isUnsure = true;
    }
  }

  /**
   * Removes and returns the traces that are judged or were held for `maxWaitMs`, each with the decision to forward or drop it.
   * @param settled ids of traces whose runs are all judged
   */
  decide(settled: ReadonlySet<string>, nowMs: number): Decided[] {
    const decided: Decided[] = [];
    for (const held of this.#held.values()) {
      const decision = this.#decisionNow(held, settled, nowMs);
      if (decision !== undefined) decided.push(this.#sendOn(held, decision));
    }
    return decided;
  }

  #decisionNow(held: HeldTrace, settled: ReadonlySet<string>, nowMs: number): KeepDecision | undefined {
    const known = this.#decided.get(held.traceId);
    if (known !== undefined) return known;
    try {
      if (held.isClosed && settled.has(held.traceId)) return this.#decision(held);
    } catch (error) {
      this.onFault(held.traceId, error);
      return { kept: true, why: "fault" };
    }
    return nowMs - held.sinceMs >= this.settings.maxWaitMs ? { kept: true, why: "timeout" } : undefined;
  }

  /**
   * Removes and returns the oldest of the traces that only this buffer retains, until `bytes` bytes are free. The returned traces are
   * forwarded without waiting for verdicts.
   */
  evict(bytes: number): Decided[] {
    const decided: Decided[] = [];
    const target = Math.max(0, this.heldBytes - bytes);
    for (const held of this.#held.values()) {
      if (this.heldBytes <= target) break;
      if (held.isOnlyOurs) decided.push(this.#sendOn(held, { kept: true, why: "memory" }));
    }
    return decided;
  }

  /** Removes and returns all held traces. The returned traces are forwarded without waiting for verdicts. */
  drain(): Decided[] {
    return [...this.#held.values()].map((held) => this.#sendOn(held, { kept: true, why: "shutdown" }));
  }

  #decision(held: HeldTrace): KeepDecision {
    const decision = decideKeep(knownOf(held), this.settings.keep);
    return held.isUnsure && !decision.kept ? { kept: true, why: "restart" } : decision;
  }

  #sendOn(held: HeldTrace, decision: KeepDecision): Decided {
    const isLate = this.#decided.has(held.traceId);
    this.#held.delete(held.traceId);
    for (const batch of held.pinned) this.#pinned.unpin(batch);
    this.#decided.set(held.traceId, decision);
    return { ...decision, trace: held, isLate };
  }

  #traceOf(traceId: string, sinceMs: number): HeldTrace {
    let held = this.#held.get(traceId);
    if (held === undefined) this.#held.set(traceId, (held = new HeldTrace(traceId, sinceMs)));
    return held;
  }
}

function knownOf({
  shareId,
  outcomes,
  hasError,
  startMs,
  endMs,
}: HeldTrace): Parameters<typeof decideKeep>[0] {
  return { shareId, outcomes, hasError, durationMs: Math.max(0, endMs - startMs) };
}

/** Yields the rows that have a trace id, without Tracejury's own telemetry. */
function* rowsWithTrace(batch: Batch): Generator<{ traceId: string; row: number; start: number }> {
  const { rows } = batch;
  const ours = scopeNames(batch).map((name) => name === ownScope);
  for (let row = 0; row < batch.spanCount; row++) {
    const at = spanAt(row);
    if (ours[rows[at + SpanColumn.scope] ?? -1] === true) continue;
    yield {
      traceId: traceIdAt(rows, at + SpanColumn.traceId),
      row,
      start: rows[at + SpanColumn.bytes] ?? -1,
    };
  }
  for (let row = 0; row < batch.logCount; row++) {
    const at = logAt(batch, row);
    const traceId = traceIdAt(rows, at + LogColumn.traceId);
    if (ours[rows[at + LogColumn.scope] ?? -1] === true || traceId === NO_TRACE) continue;
    yield { traceId, row, start: rows[at + LogColumn.bytes] ?? -1 };
  }
}
