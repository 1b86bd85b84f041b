import type { Trace } from "../../assemble/trace.ts";
import type { Holding } from "../../export/forward/tail/holding.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import { Settling } from "../../pipeline/settling.ts";
import { TraceRecords } from "../../pipeline/trace-records.ts";
import type { ReceivedRequest } from "../../receive/ports.ts";
import type { Recorder } from "../../telemetry/metrics/recorder.ts";
import type { Journalling } from "../inputs/journal-accept-log.ts";

export interface FatesOptions {
  readonly recorder: Recorder;
  readonly holding: Holding | null;
  readonly journalling: Journalling | null;
  readonly now: () => number;
}

/** Traces that can be looked at. */
const RECORDS_KEPT = 10_000;
/** How often traces are looked at that nobody waits for. */
const SELDOM_MS = 1_000;

/** Follows each trace from when it is assembled to what becomes of it, and tells those who hold it back. */
export class Fates {
  readonly records = new TraceRecords(RECORDS_KEPT);
  readonly #settling = new Settling();
  readonly #options: FatesOptions;
  #lookedMs = -Infinity;

  constructor(options: FatesOptions) {
    this.#options = options;
    const { recorder, holding, journalling } = options;
    recorder.observe("tracejury.traces.settled", (report) => {
      for (const [state, count] of this.records.counts) report(count, [state]);
    });
    recorder.observe("tracejury.traces.pending", (report) => report(this.records.pending, []));
    if (holding === null) return;
    holding.events = {
      decided: (destination, traceId, { kept, why }) => {
        this.records.forwarded(traceId, { destination, kept, why });
        recorder.count("tracejury.forward.traces", 1, [destination, kept ? "kept" : "left_out", why]);
      },
      note: (note) => journalling?.ledger.forwarded(note) ?? Promise.resolve(),
    };
    recorder.observe("tracejury.forward.held_traces", (report) => {
      for (const { name, hold } of holding.routes) report(hold.size, [name]);
    });
  }

  closed(trace: Trace): void {
    this.records.closed(trace, Date.now());
    this.#settling.closed(trace.traceId);
    this.#options.holding?.closed(trace);
  }

  begin(run: AgentRun): void {
    this.#settling.begin(run);
  }

  judged(run: AgentRun, verdicts: readonly Verdict[]): void {
    if (verdicts.length > 0) this.records.judged(run.runId, verdicts);
    if (run.turns === undefined) this.#options.holding?.judged(run, verdicts);
    this.#settling.end(run);
  }

  /** An earlier process has judged the run, as it is. */
  judgedBefore(run: AgentRun): void {
    if (run.turns !== undefined) return;
    const { traceId, traceIds, runId, agent, closeReason } = run;
    const about = { traceId, traceIds, runId, agent, closeReason, matches: [], outcomes: [], rate: 1 };
    this.records.decided({ ...about, decision: "evaluated", why: "before_restart" });
    this.#options.holding?.judged(run, null);
  }

  exported({ run }: Verdict): void {
    this.records.exported(run.runId);
  }

  /**
   * To be called several times a second.
   * @param aheadMs until the next time
   */
  tick(awaited: () => Set<string>, aheadMs: number): void {
    const { holding } = this.#options;
    const now = this.#options.now();
    const isWanted = holding !== null || now - this.#lookedMs >= SELDOM_MS;
    const looks = this.#settling.size > 0 && isWanted;
    const settled = looks ? this.#settling.take(awaited()) : new Set<string>();
    if (looks) this.#lookedMs = now;
    this.records.settle(settled);
    holding?.tick(settled, now + aheadMs);
  }
}

/** Holds the parts of a request that no journal keeps. */
export function holdWithoutJournal(
  holding: Holding,
  batch: Batch,
  request: ReceivedRequest,
  nowMs: number,
): void {
  const { signal, encoding, sent } = request;
  const header = (name: string): string | undefined => sent?.header(name);
  const isCompressed = (sent?.coding ?? null) !== null;
  holding.add(batch, { signal, encoding, isCompressed, header, number: 0 }, nowMs, { request });
}
