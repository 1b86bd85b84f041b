import type { AgentRun } from "../../model/run.ts";
import { type Decision, Decisions } from "../../pipeline/decisions.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { JudgingQueue } from "../../pipeline/judging-queue.ts";
import { sampledJudge } from "../../pipeline/sampled-judge.ts";
import type { EvaluationEnd } from "../../support/telemetry/traces/own-traces.ts";
import { type LimitedLog, limitedLog } from "../../support/telemetry/log/log.ts";
import {
  recordRun,
  recordUnjudged,
  recordVerdict,
} from "../../support/telemetry/metrics/instruments/verdict-metrics.ts";
import { redactJudged } from "../../replay/judging/redaction.ts";
import type { AcceptLogs } from "../inputs/accept-logs.ts";
import type { TraceLifecycle } from "../../pipeline/lifecycle/trace-lifecycle.ts";
import type { TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import type { PublishOptions } from "../../export/exporter.ts";
import { HeldRuns } from "../../pipeline/held-runs.ts";
import { VerdictDelivery } from "./verdict-delivery.ts";
import type { CollectorOptions } from "../settings/options.ts";
import type { EvaluationRules } from "./rules.ts";
import type { CollectorSinks } from "../outputs/sinks.ts";
import { faultOf, type FaultStage } from "../../model/fault.ts";
import { faultyRun, type OnFault, runFault, traceFault } from "../../pipeline/faults/faulty-run.ts";
import { errorVerdict } from "../../evaluate/result/error-evaluation.ts";
import { plainRun } from "../../model/plain-run.ts";

export interface EvaluationPipelineOptions extends Pick<CollectorOptions, "log" | "onJudged"> {
  readonly rules: EvaluationRules;
  readonly sinks: Pick<CollectorSinks, "meter" | "results" | "exporter" | "traces">;
  readonly lifecycle: TraceLifecycle;
  readonly acceptLogs: AcceptLogs;
  readonly tailForwarder: TailForwarder | null;
  /** Returns the memory of waiting runs in bytes above which further runs are judged without judge models. */
  readonly mostHeldBytes: () => number;
  /** Reports an exception that occurred while a run was judged or reported. Other runs are not affected. */
  readonly onFault: OnFault;
}

/**
 * Maximum number of runs that wait for judge models. A run that arrives above this number is judged without judge models, and its verdicts
 * state this reason.
 */
const MOST_WAITING = 2_000;
/** Maximum number of the latest sampling decisions that are retained for the API. */
const DECISIONS_KEPT = 10_000;

/** Judges each assembled run, and passes its verdicts to all outputs. */
export class EvaluationPipeline {
  readonly queue: JudgingQueue;
  readonly decisions = new Decisions(DECISIONS_KEPT);
  readonly delivery: VerdictDelivery;
  /** Runs that are being judged, or whose verdicts are not yet passed to the outputs. */
  readonly held = new HeldRuns();
  readonly #options: EvaluationPipelineOptions;
  readonly #log: LimitedLog;
  /** Functions that end Tracejury's own span of an evaluation, by run. */
  readonly #evaluated = new WeakMap<AgentRun, (end: EvaluationEnd) => void>();
  #isAbandoned = false;

  constructor(options: EvaluationPipelineOptions) {
    this.#options = options;
    this.#log = limitedLog(options.log);
    this.delivery = new VerdictDelivery({
      ...options,
      onError: (error) =>
        this.#log.error(
          { err: error },
          "verdicts of a run could not be recorded or sent; after a restart, the run may be judged again",
        ),
      onPassed: (run) => this.held.release(run),
    });
    const { rules } = options;
    this.queue = new JudgingQueue({
      judge: sampledJudge(
        (run) => rules.judge(run),
        () => rules.sampling,
        (decision) => this.#decided(decision),
      ),
      onJudged: (judged) => this.#judged(judged),
      onError: (run, error) => this.#failed(run, "judge", error),
      mostWaiting: MOST_WAITING,
      isFull: () => this.held.bytes > options.mostHeldBytes(),
    });
  }

  found(whole: AgentRun): void {
    let run = whole;
    try {
      if (this.#options.sinks.results.isSplit(whole.traceIds)) run = splitRun(whole);
      this.#options.lifecycle.found(run);
      this.held.add(run);
      this.#evaluate(run);
    } catch (error) {
      this.#failed(run, "publish", error);
    }
  }

  #evaluate(run: AgentRun): void {
    const { acceptLogs, lifecycle, sinks } = this.#options;
    const may = acceptLogs.mayPublish(run, () => this.#evaluate(run));
    if (may === "never") this.#end(run);
    if (may !== "now") return;
    sinks.results.onRun(run);
    if (!acceptLogs.ownerOf(run).begin(run)) {
      if (run.turns === undefined) this.#options.tailForwarder?.judged(run, null);
      this.held.release(run);
      return lifecycle.judgedBefore(run);
    }
    const evaluated = sinks.traces?.evaluating(run);
    if (evaluated !== undefined) this.#evaluated.set(run, evaluated);
    this.queue.submit(run);
  }

  /**
   * From this call on, runs in a durable accept log are not reported after their judge models reply: the next process judges these runs
   * again.
   */
  abandon(): void {
    this.#isAbandoned = true;
  }

  #judged(asJudged: JudgedRun): void {
    const { acceptLogs, onFault } = this.#options;
    // The calls to judge models were cancelled, so the verdicts are not reported. The run stays in the journal or in Kafka.
    if (this.#isAbandoned && acceptLogs.ownerOf(asJudged.run).isDurable) return;
    const may = acceptLogs.mayPublish(asJudged.run, () => this.#judged(asJudged));
    if (may === "never") this.#end(asJudged.run);
    if (may !== "now") return;
    for (const fault of asJudged.faults ?? []) onFault(fault);
    this.#evaluated.get(asJudged.run)?.({ outcomes: asJudged.verdicts.map(({ outcome }) => outcome) });
    this.#report(asJudged, asJudged.run);
  }

  /**
   * Reports the verdicts of a run. If this fails, reports error verdicts instead. If the second report fails too, reports no verdict.
   * @param run the run before redaction
   */
  #report(asJudged: JudgedRun, run: AgentRun): void {
    const { onFault } = this.#options;
    try {
      this.#publish(asJudged, run);
    } catch (error) {
      onFault(runFault("publish", error, run));
      try {
        this.#publish(withErrors(asJudged, error), run);
      } catch {
        return this.#end(run);
      }
    }
  }

  #publish(asJudged: JudgedRun, run: AgentRun): void {
    const { sinks, rules, onFault } = this.#options;
    const { exporter, results, meter } = sinks;
    const judged = redactJudged(asJudged, rules.redactor);
    const first = judged.verdicts.every(({ revision }) => revision === 1);
    if (first && judged.run.turns === undefined) recordRun(meter.recorder, judged.run);
    // Verdicts are published even if the store rejects the run.
    const stored = results.onJudged(judged, run)?.catch((error: unknown) => {
      onFault(runFault("publish", error, run));
    });
    for (const verdict of judged.verdicts) recordVerdict(meter.recorder, verdict);
    this.delivery.publish(run, judged.verdicts, (verdict, how) => {
      const done = this.#whenExported(run, stored, how.done);
      try {
        exporter.publish(verdict, { ...how, done });
      } catch (error) {
        this.#publishError(verdict, error, { ...how, done });
      }
    });
    this.#published(judged, run);
  }

  /**
   * Returns a function that must be called when every destination has received, stored or dropped a verdict. The function does not retain
   * the run, because a verdict can wait for a long time while a destination is unreachable.
   */
  #whenExported(
    { runId, traceId }: AgentRun,
    stored: Promise<void> | undefined,
    noteExported: () => void,
  ): () => void {
    const { lifecycle, onFault } = this.#options;
    return () => {
      try {
        lifecycle.exported(runId);
      } catch (error) {
        onFault(traceFault("publish", error, { traceId }));
      }
      // If the store is durable, the journal retains the run until the store has written it.
      if (stored === undefined) noteExported();
      else void stored.then(noteExported);
    };
  }

  /**
   * Publishes an error verdict instead of a verdict that cannot be encoded. If the error verdict cannot be encoded either, publishes
   * nothing.
   */
  #publishError(verdict: Verdict, error: unknown, how: PublishOptions & { readonly done: () => void }): void {
    const { onFault, sinks } = this.#options;
    const fault = faultOf("publish", error);
    onFault(runFault("publish", error, verdict.run));
    try {
      sinks.exporter.publish(errorVerdict(verdict, faultyRun(verdict.run, fault), fault), how);
    } catch {
      how.done();
    }
  }

  /**
   * Settles and reports a run whose verdicts were passed to the outputs. An error in this step is reported as a fault; the published
   * verdicts do not change.
   */
  #published(judged: JudgedRun, run: AgentRun): void {
    const { onFault, onJudged, sinks } = this.#options;
    try {
      this.#settled(run, judged.verdicts);
      for (const one of [...judged.unmatched, ...judged.ambiguous]) recordUnjudged(sinks.meter.recorder, one);
      onJudged?.(judged);
    } catch (error) {
      onFault(runFault("publish", error, run));
    }
  }

  /** Reports error verdicts for a run that failed, with a placeholder instead of the run. */
  #failed(run: AgentRun, stage: FaultStage, error: unknown): void {
    const { rules, onFault } = this.#options;
    const fault = runFault(stage, error, run);
    this.#evaluated.get(run)?.({ outcomes: [], error: fault.message });
    onFault(fault);
    try {
      const found = rules.judge(faultyRun(run, faultOf(stage, error)));
      const judged = "verdicts" in found ? found : found.giveUp({ judge: "off" });
      this.#report(judged, run);
    } catch {
      this.#end(run);
    }
  }

  #settled(run: AgentRun, verdicts: readonly Verdict[]): void {
    this.#options.lifecycle.judged(run, verdicts);
    if (run.turns === undefined) this.#options.tailForwarder?.judged(run, verdicts);
  }

  /** Ends the processing of a run without a verdict. */
  #end(run: AgentRun): void {
    this.#settled(run, []);
    this.held.release(run);
    this.#options.lifecycle.delivered(run);
  }

  #decided(decision: Decision): void {
    this.decisions.add(decision);
    this.#options.lifecycle.decided(decision);
    this.#options.sinks.meter.recorder.count("tracejury.decisions", 1, [decision.decision, decision.why]);
  }
}

/** Replaces verdicts that cannot be reported by error verdicts. */
function withErrors({ run, verdicts, matched }: JudgedRun, error: unknown): JudgedRun {
  const fault = faultOf("publish", error);
  const stand = faultyRun(run, fault);
  const errors = verdicts.map((verdict) => errorVerdict(verdict, stand, fault));
  return { run: stand, verdicts: errors, matched, unmatched: [], ambiguous: [] };
}

/** Marks the run as incomplete, because another process received some of its spans. */
function splitRun(run: AgentRun): AgentRun {
  const why =
    "another process received spans of the trace: send all spans of a trace to one process (route by trace id)";
  return {
    ...plainRun(run),
    complete: false,
    closeReason: "split",
    missing: [...run.missing, { what: "run", why }],
  };
}
