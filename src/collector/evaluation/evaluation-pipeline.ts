import type { AgentRun } from "../../model/run.ts";
import { type Decision, Decisions, type Sampling } from "../../pipeline/decisions.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { JudgingQueue } from "../../pipeline/judging-queue.ts";
import { sampledJudge } from "../../pipeline/sampled-judge.ts";
import type { EvaluationEnd } from "../../support/telemetry/traces/own-traces.ts";
import { type LimitedLog, limitedLog } from "../../support/telemetry/log/limited-log.ts";
import {
  recordRun,
  recordUnjudged,
  recordVerdict,
} from "../../support/telemetry/metrics/instruments/verdict-metrics.ts";
import { redactJudged } from "../../replay/judging/redaction.ts";
import type { AcceptLogs } from "../inputs/accept-logs.ts";
import type { TraceLifecycle } from "../../pipeline/lifecycle/trace-lifecycle.ts";
import type { TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import { VerdictDelivery } from "./verdict-delivery.ts";
import type { CollectorOptions } from "../settings/options.ts";
import type { EvaluationRules } from "./rules.ts";
import type { CollectorSinks } from "../outputs/sinks.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import { plainRun } from "../../model/plain-run.ts";

export interface EvaluationPipelineOptions extends Pick<CollectorOptions, "log" | "onJudged"> {
  readonly rules: EvaluationRules;
  readonly sinks: Pick<CollectorSinks, "meter" | "results" | "exporter" | "traces">;
  readonly sampling: Sampling | undefined;
  readonly lifecycle: TraceLifecycle;
  readonly acceptLogs: AcceptLogs;
  readonly tailForwarder: TailForwarder | null;
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
  readonly delivery: VerdictDelivery;
  readonly #options: EvaluationPipelineOptions;
  readonly #log: LimitedLog;
  /** What ends the span of a run's evaluation. */
  readonly #evaluated = new WeakMap<AgentRun, (end: EvaluationEnd) => void>();
  #isAbandoned = false;

  constructor(options: EvaluationPipelineOptions) {
    this.#options = options;
    this.#log = limitedLog(options.log);
    this.delivery = new VerdictDelivery({
      ...options,
      onError: (error) => this.#log.error({ err: error }, "verdicts cannot be recorded"),
    });
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
    const run = this.#options.sinks.results.isSplit(whole.traceIds) ? splitRun(whole) : whole;
    this.#options.lifecycle.found(run);
    this.#evaluate(run);
  }

  #evaluate(run: AgentRun): void {
    const { acceptLogs, lifecycle, sinks } = this.#options;
    const may = acceptLogs.mayPublish(run, () => this.#evaluate(run));
    if (may === "never") this.#end(run);
    if (may !== "now") return;
    try {
      sinks.results.onRun(run);
    } catch (error) {
      this.#failed(run, error);
    }
    if (!acceptLogs.ownerOf(run).begin(run)) {
      if (run.turns === undefined) this.#options.tailForwarder?.judged(run, null);
      return lifecycle.judgedBefore(run);
    }
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
    const { acceptLogs, rules, sinks, onJudged } = this.#options;
    const may = acceptLogs.mayPublish(asJudged.run, () => this.#judged(asJudged));
    if (may === "never") this.#end(asJudged.run);
    if (may !== "now") return;
    this.#evaluated.get(asJudged.run)?.({ outcomes: asJudged.verdicts.map(({ outcome }) => outcome) });
    const judged = redactJudged(asJudged, rules.redactor);
    const first = judged.verdicts.every(({ revision }) => revision === 1);
    if (first && judged.run.turns === undefined) recordRun(sinks.meter.recorder, judged.run);
    this.#publish(judged, asJudged.run);
    this.#settled(asJudged.run, judged.verdicts);
    for (const one of [...judged.unmatched, ...judged.ambiguous]) recordUnjudged(sinks.meter.recorder, one);
    onJudged?.(judged);
  }

  /** @param run as it was found; `judged` may be redacted */
  #publish(judged: JudgedRun, run: AgentRun): void {
    const { lifecycle, sinks } = this.#options;
    const { exporter, results, meter } = sinks;
    const stored = results.onJudged(judged, run);
    for (const verdict of judged.verdicts) recordVerdict(meter.recorder, verdict);
    this.delivery.publish(run, judged.verdicts, (verdict, how) => {
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
    this.#evaluated.get(run)?.({
      outcomes: [],
      error: messageOf(error),
    });
    this.#log.error({ err: error, run_id: run.runId }, "a run could not be judged");
    this.#end(run);
  }

  #settled(run: AgentRun, verdicts: readonly Verdict[]): void {
    this.#options.lifecycle.judged(run, verdicts);
    if (run.turns === undefined) this.#options.tailForwarder?.judged(run, verdicts);
  }

  /** The run gets no verdict. */
  #end(run: AgentRun): void {
    this.#settled(run, []);
    this.#options.lifecycle.delivered(run);
  }

  #decided(decision: Decision): void {
    this.decisions.add(decision);
    this.#options.lifecycle.decided(decision);
    this.#options.sinks.meter.recorder.count("tracejury.decisions", 1, [decision.decision, decision.why]);
  }
}

/** A run of which spans are known to be elsewhere: not complete, whatever there is of it looks like. */
function splitRun(run: AgentRun): AgentRun {
  const why = "spans of the trace went to another process: route by trace id";
  return {
    ...plainRun(run),
    complete: false,
    closeReason: "split",
    missing: [...run.missing, { what: "run", why }],
  };
}
