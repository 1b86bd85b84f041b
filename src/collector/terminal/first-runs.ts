import type { JudgedRun } from "../../pipeline/judge-run.ts";
import type { Log } from "../../support/telemetry/log/log.ts";

const MOST_AGENTS = 20;

/**
 * Reports the first judged run. Also reports the first run of each agent that matches no query, for at most
 * twenty agents.
 */
export class FirstRuns {
  readonly #log: Pick<Log, "info">;
  readonly #hasContent: boolean;
  readonly #adminUrl: () => string | null;
  readonly #unmatched = new Set<string | null>();
  #hasJudged = false;

  /**
   * @param hasContent whether log lines may contain texts of runs, according to `export.content`
   * @param adminUrl returns the URL of the admin port; null if the port is off
   */
  constructor(log: Pick<Log, "info">, hasContent: boolean, adminUrl: () => string | null) {
    this.#log = log;
    this.#hasContent = hasContent;
    this.#adminUrl = adminUrl;
  }

  /** Returns the suggested next step for an agent's first run that matches no query; null for other runs. */
  nextStep({ run: { agent }, verdicts, unmatched, isSampledOut }: JudgedRun): string | null {
    if (verdicts.length > 0 || unmatched.length === 0 || isSampledOut === true) return null;
    if (!this.#isNew(agent)) return null;
    return `tracejury init --from ${this.#adminUrl() ?? "DUMP"} writes a spec from its runs`;
  }

  /** Logs the run if it is the first judged run, or the first run of an agent that matches no query. */
  log(judged: JudgedRun): void {
    const { run, verdicts, unmatched } = judged;
    const { agent, runId } = run;
    const [first] = verdicts;
    const [nearest] = unmatched;
    if (first !== undefined) {
      if (this.#hasJudged) return;
      this.#hasJudged = true;
      this.#log.info(
        { agent, run_id: runId, outcome: first.outcome, spec: first.spec },
        "the first run was judged",
      );
      return;
    }
    const nextStep = this.nextStep(judged);
    if (nextStep === null || nearest === undefined) return;
    this.#log.info(
      { agent, run_id: runId, spec: nearest.spec, ...(this.#hasContent ? { reason: nearest.reason } : {}) },
      `no query matches a run of this agent; ${nextStep}`,
    );
  }

  #isNew(agent: string | null): boolean {
    if (this.#unmatched.has(agent) || this.#unmatched.size >= MOST_AGENTS) return false;
    this.#unmatched.add(agent);
    return true;
  }
}
