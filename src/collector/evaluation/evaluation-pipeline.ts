import type { AgentRun } from "../../model/run.ts";
import { splitRun } from "../../model/split-run.ts";
import { type Decision, Decisions, type Sampling } from "../../pipeline/decisions.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { JudgingQueue } from "../../pipeline/judging-queue.ts";
import { sampledJudge } from "../../pipeline/sampled-judge.ts";
import type { EvaluationEnd } from "../../telemetry/traces/own-traces.ts";
import { type LimitedLog, limitedLog } from "../../telemetry/log/limited-log.ts";
import {
  recordRun,
  recordUnjudged,
  recordVerdict,
} from "../../telemetry/metrics/instruments/verdict-metrics.ts";
import { redactJudged } from "../../replay/judging/redaction.ts";
import type { AcceptLogs } from "../inputs/accept-logs.ts";
import type { TraceLifecycle } from "./trace-lifecycle.ts";
import type { CollectorOptions } from "../settings/options.ts";
import type { EvaluationRules } from "./rules.ts";
import type { CollectorSinks } from "../outputs/sinks.ts";

export interface EvaluationPipelineOptions extends Pick<CollectorOptions, "log" | "onJudged"> {
  readonly rules: EvaluationRules;
  readonly sinks: Pick<CollectorSinks, "meter" | "results" | "exporter" | "traces">;
  readonly sampling: Sampling | undefined;
  readonly lifecycle: TraceLifecycle;
  readonly acceptLogs: AcceptLogs;
}

/** Runs that may wait for judges; what comes on top is judged without them, and says so. */
const MOST_WAITING = 2_000;
/** Decisions about runs that can be looked at. */
const DECISIONS_KEPT = 10_000;
const everyRun: Sampling = { rate: 1, agents: new Map(), queries: new Map(), always: [] };

/** The way of a run from when it is found to when its verdicts are handed to everybody who wants them. */
export class EvaluationPipeline {
  readonly queue: JudgingQueue;
  readonly decisions = new Decisions(DECISIONS_KEPT);
  readonly #options: EvaluationPipelineOptions;
  readonly #log: LimitedLog;
  /** What ends the span of a run's evaluation. */
  readonly #evaluated = new WeakMap<AgentRun, (end: EvaluationEnd) => void>();
  #isAbandoned = false;

  constructor(options: EvaluationPipelineOptions) {
    this.#options = options;
    this.#log = limitedLog(options.log);
    const { rules, sampling = everyRun } = options;
    this.queue = new JudgingQueue({
      judge: sampledJudge(
        (run) => rules.judge(run),
        sampling,
        (decision) => this.#decided(decision),
      ),
      onJudged: (judged) => this.#judged(judged),
      onError: (run, error) => this.#failed(run, error),
      mostWaiting: MOST_WAITING,
    });
  }

  found(whole: AgentRun): void {
    const { acceptLogs, lifecycle, sinks } = this.#options;
    const run = sinks.results.isSplit(whole.traceIds) ? splitRun(whole) : whole;
    if (acceptLogs.mayPublish(run, () => this.found(run)) !== "now") return;
    try {
      sinks.results.onRun(run);
    } catch (error) {
      this.#failed(run, error);
    }
    if (!acceptLogs.begin(run)) return lifecycle.judgedBefore(run);
    lifecycle.begin(run);
    const evaluated = sinks.traces?.evaluating(run);
    if (evaluated !== undefined) this.#evaluated.set(run, evaluated);
    this.queue.submit(run);
  }

  /** What judges say from now on is dropped, where the next process asks them again. */
  abandon(): void {
    this.#isAbandoned = this.#options.acceptLogs.isDurable;
  }

  #judged(asJudged: JudgedRun): void {
    if (this.#isAbandoned) return; // its judges were cut off; it waits in the journal
    const { acceptLogs, lifecycle, rules, sinks, onJudged } = this.#options;
    const may = acceptLogs.mayPublish(asJudged.run, () => this.#judged(asJudged));
    if (may === "never") lifecycle.judged(asJudged.run, []);
    if (may === "never" || may === "later") return;
    this.#evaluated.get(asJudged.run)?.({ outcomes: asJudged.verdicts.map(({ outcome }) => outcome) });
    const judged = redactJudged(asJudged, rules.redactor);
    const first = judged.verdicts.every(({ revision }) => revision === 1);
    if (first && judged.run.turns === undefined) recordRun(sinks.meter.recorder, judged.run);
    this.#publish(judged, asJudged.run);
    lifecycle.judged(asJudged.run, judged.verdicts);
    for (const one of [...judged.unmatched, ...judged.ambiguous]) recordUnjudged(sinks.meter.recorder, one);
    onJudged?.(judged);
  }

  /** @param run as it was found; `judged` may be redacted */
  #publish(judged: JudgedRun, run: AgentRun): void {
    const { acceptLogs, lifecycle, sinks } = this.#options;
    const { exporter, results, meter } = sinks;
    const stored = results.onJudged(judged, run);
    for (const verdict of judged.verdicts) recordVerdict(meter.recorder, verdict);
    acceptLogs.publish(run, judged.verdicts, (verdict, how) => {
      const done = (): void => {
        lifecycle.exported(verdict);
        // A durable log retains the run until the store has it, too.
        if (stored === null) how.done();
        else void stored.then(how.done);
      };
      exporter.publish(verdict, { ...how, done });
    });
  }

  #failed(run: AgentRun, error: unknown): void {
    const { acceptLogs, lifecycle } = this.#options;
    this.#evaluated.get(run)?.({
      outcomes: [],
      error: error instanceof Error ? error.message : String(error),
    });
    this.#log.error({ err: error, run_id: run.runId }, "a run could not be judged");
    acceptLogs.end(run);
    lifecycle.judged(run, []);
  }

  #decided(decision: Decision): void {
    this.decisions.add(decision);
    this.#options.lifecycle.records.decided(decision);
    this.#options.sinks.meter.recorder.count("tracejury.decisions", 1, [decision.decision, decision.why]);
  }
}
