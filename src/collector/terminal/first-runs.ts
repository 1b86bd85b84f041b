import type { JudgedRun } from "../../pipeline/judge-run.ts";
import type { Log } from "../../support/telemetry/log/log.ts";

const MOST_AGENTS = 20;

/**
 * Logs the first judged run. Also logs runs that match no query, each with a next step for the user: one run for each agent and step, for
 * up to twenty agents.
 */
export class FirstRuns {
  readonly #log: Pick<Log, "info">;
  readonly #hasContent: boolean;
  readonly #adminUrl: () => string | null;
  readonly #unmatched = new Map<string | null, Set<string>>();
  #hasJudged = false;

  /**
   * @param hasContent true if log lines may contain texts of runs (`export.content`)
   * @param adminUrl returns the URL of the admin port; null if it is off
   */
  constructor(log: Pick<Log, "info">, hasContent: boolean, adminUrl: () => string | null) {
    this.#log = log;
    this.#hasContent = hasContent;
    this.#adminUrl = adminUrl;
  }

  /**
   * If the run matches no query, returns the next step for the user. Returns null if a query matches, or if this step was already logged
   * for the agent.
   */
  nextStep({ run: { agent, query }, verdicts, unmatched, isSampledOut }: JudgedRun): string | null {
    const [nearest] = unmatched;
    if (verdicts.length > 0 || nearest === undefined || isSampledOut === true) return null;
    const from = this.#adminUrl() ?? "DUMP";
    const step =
      nearest.isOfOtherAgent === true
        ? `tracejury init --from ${from} writes a spec from the agent's runs`
        : query === null
          ? `tracejury doctor ${from} shows the setting that records the question`
          : `tracejury init --from ${from} --add adds such questions to the spec`;
    return this.#isNew(agent, step) ? step : null;
  }

  /** Logs the first judged run. Of later runs, logs those that match no query, if their next step was not yet logged for the agent. */
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
      `${cause(judged, nearest)}; ${nextStep}`,
    );
  }

  #isNew(agent: string | null, step: string): boolean {
    const steps = this.#unmatched.get(agent);
    if (steps?.has(step) === true || (steps === undefined && this.#unmatched.size >= MOST_AGENTS))
      return false;
    this.#unmatched.set(agent, new Set([...(steps ?? []), step]));
    return true;
  }
}

function cause({ run }: JudgedRun, nearest: JudgedRun["unmatched"][number]): string {
  if (nearest.isOfOtherAgent === true) return "no spec is for the agent of this run";
  return run.query === null
    ? "the telemetry lacks the question of this run"
    : "no query of any spec matches this run";
}
