import type { AgentRun } from "../../model/run.ts";
import { splitRun } from "../../model/split-run.ts";
import { type Decision, Decisions, type Sampling } from "../../pipeline/decisions.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { JudgingQueue } from "../../pipeline/judging-queue.ts";
import { sampledJudge } from "../../pipeline/sampled-judge.ts";
import { type LimitedLog, limitedLog } from "../../telemetry/log/limited-log.ts";
import {
  recordRun,
  recordUnjudged,
  recordVerdict,
} from "../../telemetry/metrics/instruments/verdict-metrics.ts";
import { redactJudged } from "../../replay/judging/redaction.ts";
import type { Consuming } from "../inputs/kafka-accept-log.ts";
import type { Fates } from "./trace-lifecycle.ts";
import type { Journalling } from "../inputs/journal-accept-log.ts";
import type { LiveOptions } from "../settings/options.ts";
import type { LiveRules } from "./rules.ts";
import type { LiveSinks } from "../outputs/sinks.ts";

export interface RunLineOptions extends Pick<LiveOptions, "log" | "onJudged"> {
  readonly rules: LiveRules;
  readonly sinks: Pick<LiveSinks, "meter" | "results" | "exporter">;
  readonly sampling: Sampling | undefined;
  readonly fates: Fates;
  /** What remembers runs over a crash: those from Kafka, and all others. */
  readonly consuming: Consuming | null;
  readonly journalling: Journalling | null;
}

/** Runs that may wait for judges; what comes on top is judged without them, and says so. */
const MOST_WAITING = 2_000;
/** Decisions about runs that can be looked at. */
const DECISIONS_KEPT = 10_000;
const everyRun: Sampling = { rate: 1, agents: new Map(), queries: new Map(), always: [] };

/** The way of a run from when it is found to when its verdicts are handed to everybody who wants them. */
export class RunLine {
  readonly queue: JudgingQueue;
  readonly decisions = new Decisions(DECISIONS_KEPT);
  readonly #options: RunLineOptions;
  readonly #log: LimitedLog;
  #isAbandoned = false;

  constructor(options: RunLineOptions) {
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
    const { consuming, fates, sinks } = this.#options;
    const run = sinks.results.isSplit(whole.traceIds) ? splitRun(whole) : whole;
    if (consuming !== null && consuming.may(run, () => this.found(run)) !== "now") return;
    try {
      sinks.results.onRun(run);
    } catch (error) {
      this.#failed(run, error);
    }
    const keeper = this.#keeperOf(run);
    if (keeper !== null && !keeper.begin(run)) return fates.judgedBefore(run);
    fates.begin(run);
    this.queue.submit(run);
  }

  /** What judges say from now on is dropped, where the next process asks them again. */
  abandon(): void {
    const { consuming, journalling } = this.#options;
    this.#isAbandoned = consuming !== null || journalling !== null;
  }

  #keeperOf(run: AgentRun): Consuming | Journalling | null {
    const { consuming, journalling } = this.#options;
    return consuming?.owns(run) === true ? consuming : journalling;
  }

  #judged(asJudged: JudgedRun): void {
    if (this.#isAbandoned) return; // its judges were cut off; it waits in the journal
    const { consuming, fates, rules, sinks, onJudged } = this.#options;
    const may = consuming?.may(asJudged.run, () => this.#judged(asJudged));
    if (may === "never") fates.judged(asJudged.run, []);
    if (may === "never" || may === "later") return;
    const judged = redactJudged(asJudged, rules.redactor);
    const first = judged.verdicts.every(({ revision }) => revision === 1);
    if (first && judged.run.turns === undefined) recordRun(sinks.meter.recorder, judged.run);
    this.#publish(judged, asJudged.run);
    fates.judged(asJudged.run, judged.verdicts);
    for (const one of [...judged.unmatched, ...judged.ambiguous]) recordUnjudged(sinks.meter.recorder, one);
    onJudged?.(judged);
  }

  /** @param run as it was found; `judged` may be redacted */
  #publish(judged: JudgedRun, run: AgentRun): void {
    const { fates, sinks } = this.#options;
    const { exporter, results, meter } = sinks;
    const keeper = this.#keeperOf(run);
    const kept = results.onJudged(judged, run);
    for (const verdict of judged.verdicts) {
      recordVerdict(meter.recorder, verdict);
      if (keeper === null) exporter.publish(verdict, { done: () => fates.exported(verdict) });
    }
    keeper?.publish(run, judged.verdicts, (verdict, how) => {
      const done = (): void => {
        fates.exported(verdict);
        // The journal keeps the run until the store has it, too.
        if (kept === null) how.done();
        else void kept.then(how.done);
      };
      exporter.publish(verdict, { ...how, done });
    });
  }

  #failed(run: AgentRun, error: unknown): void {
    const { consuming, journalling, fates } = this.#options;
    this.#log.error({ err: error, run_id: run.runId }, "a run could not be judged");
    journalling?.ledger.end(run);
    consuming?.end(run);
    fates.judged(run, []);
  }

  #decided(decision: Decision): void {
    this.decisions.add(decision);
    this.#options.fates.records.decided(decision);
    this.#options.sinks.meter.recorder.count("tracejury.decisions", 1, [decision.decision, decision.why]);
  }
}
