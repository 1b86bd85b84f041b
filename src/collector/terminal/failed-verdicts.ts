import { explainVerdict } from "../../export/records/explanation.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import type { Log } from "../../support/telemetry/log/log.ts";

const WINDOW_MS = 60_000;
const MOST_IN_WINDOW = 20;

/**
 * Logs verdicts with the outcome `fail` or `error`, at most twenty a minute. If verdicts were omitted, the next line contains their number.
 */
export class FailedVerdicts {
  readonly #log: Pick<Log, "warn">;
  readonly #hasContent: boolean;
  readonly #now: () => number;
  #sinceMs = -Infinity;
  #written = 0;
  #suppressed = 0;

  /** @param hasContent true if log lines may contain answer texts and judges' reasons (`export.content`) */
  constructor(log: Pick<Log, "warn">, hasContent: boolean, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#hasContent = hasContent;
    this.#now = now;
  }

  add({ verdicts }: Pick<JudgedRun, "verdicts">): void {
    for (const verdict of verdicts)
      if (verdict.outcome === "fail" || verdict.outcome === "error") this.#write(verdict);
  }

  #write(verdict: Verdict): void {
    const now = this.#now();
    if (now - this.#sinceMs >= WINDOW_MS) {
      this.#sinceMs = now;
      this.#written = 0;
    }
    if (this.#written >= MOST_IN_WINDOW) {
      this.#suppressed++;
      return;
    }
    const { spec, queryId, outcome, revision, run } = verdict;
    const details = {
      outcome,
      spec,
      query_id: queryId,
      agent: run.agent,
      run_id: run.runId,
      reason: explainVerdict(verdict, this.#hasContent),
      ...(revision > 1 ? { revision } : {}),
      ...(this.#suppressed > 0 ? { suppressed: this.#suppressed } : {}),
    };
    this.#written++;
    this.#suppressed = 0;
    this.#log.warn(
      details,
      outcome === "fail" ? "a run failed" : "the evaluation of a run ended in an error",
    );
  }
}
