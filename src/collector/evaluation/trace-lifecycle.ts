import type { Trace } from "../../assemble/trace.ts";
import type { TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import { CompletionTracker } from "../../pipeline/completion-tracker.ts";
import { TraceRecords } from "../../pipeline/trace-records.ts";
import type { Recorder } from "../../telemetry/metrics/recorder.ts";
import type { AcceptLogs } from "../inputs/accept-logs.ts";

export interface TraceLifecycleOptions {
  readonly recorder: Recorder;
  readonly tailForwarder: TailForwarder | null;
  readonly acceptLogs: Pick<AcceptLogs, "recordForwarded">;
  readonly now: () => number;
}

/** Traces that can be looked at. */
const RECORDS_KEPT = 10_000;
/** How often traces are looked at that nobody waits for. */
const SELDOM_MS = 1_000;

/** Follows each trace from when it is assembled to what becomes of it, and tells those who hold it back. */
export class TraceLifecycle {
  readonly records = new TraceRecords(RECORDS_KEPT);
  readonly #settling = new CompletionTracker();
  readonly #options: TraceLifecycleOptions;
  #lookedMs = -Infinity;

  constructor(options: TraceLifecycleOptions) {
    this.#options = options;
    const { recorder, tailForwarder, acceptLogs } = options;
    recorder.observe("tracejury.traces.settled", (report) => {
      for (const [state, count] of this.records.counts) report(count, [state]);
    });
    recorder.observe("tracejury.traces.pending", (report) => report(this.records.pending, []));
    if (tailForwarder === null) return;
    tailForwarder.events = {
      decided: (destination, traceId, { kept, why }) => {
        this.records.forwarded(traceId, { destination, kept, why });
        recorder.count("tracejury.forward.traces", 1, [destination, kept ? "kept" : "left_out", why]);
      },
      note: (forwarded) => acceptLogs.recordForwarded(forwarded),
    };
    recorder.observe("tracejury.forward.held_traces", (report) => {
      for (const { name, hold } of tailForwarder.routes) report(hold.size, [name]);
    });
  }

  closed(trace: Trace): void {
    this.records.closed(trace, Date.now());
    this.#settling.closed(trace.traceId);
    this.#options.tailForwarder?.closed(trace);
  }

  begin(run: AgentRun): void {
    this.#settling.begin(run);
  }

  judged(run: AgentRun, verdicts: readonly Verdict[]): void {
    if (verdicts.length > 0) this.records.judged(run.runId, verdicts);
    if (run.turns === undefined) this.#options.tailForwarder?.judged(run, verdicts);
    this.#settling.end(run);
  }

  /** An earlier process has judged the run, as it is. */
  judgedBefore(run: AgentRun): void {
    if (run.turns !== undefined) return;
    const { traceId, traceIds, runId, agent, closeReason } = run;
    const about = { traceId, traceIds, runId, agent, closeReason, matches: [], outcomes: [], rate: 1 };
    this.records.decided({ ...about, decision: "evaluated", why: "before_restart" });
    this.#options.tailForwarder?.judged(run, null);
  }

  exported({ run }: Verdict): void {
    this.records.exported(run.runId);
  }

  /**
   * To be called several times a second.
   * @param aheadMs until the next time
   */
  tick(awaited: () => Set<string>, aheadMs: number): void {
    const { tailForwarder } = this.#options;
    const now = this.#options.now();
    const isWanted = tailForwarder !== null || now - this.#lookedMs >= SELDOM_MS;
    const looks = this.#settling.size > 0 && isWanted;
    const settled = looks ? this.#settling.take(awaited()) : new Set<string>();
    if (looks) this.#lookedMs = now;
    this.records.settle(settled);
    tailForwarder?.tick(settled, now + aheadMs);
  }
}
