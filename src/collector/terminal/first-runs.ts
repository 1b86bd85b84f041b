import type { JudgedRun } from "../../pipeline/judge-run.ts";
import type { Log } from "../../support/telemetry/log/log.ts";

const MOST_AGENTS = 20;

/** Logs the first judged run, and the first run of each agent that no query matches, for at most twenty agents. */
export class FirstRuns {
  readonly #log: Pick<Log, "info">;
  readonly #hasContent: boolean;
  readonly #unmatched = new Set<string | null>();
  #hasJudged = false;

  /** @param hasContent whether log lines may contain texts of runs, as `export.content` decides */
  constructor(log: Pick<Log, "info">, hasContent: boolean) {
    this.#log = log;
    this.#hasContent = hasContent;
  }

  add({ run, verdicts, unmatched, isSampledOut }: JudgedRun): void {
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
    } else if (isSampledOut !== true && nearest !== undefined && this.#isNew(agent)) {
      this.#log.info(
        { agent, run_id: runId, spec: nearest.spec, ...(this.#hasContent ? { reason: nearest.reason } : {}) },
        "no query matches a run of this agent; tracejury init --from ADMIN_ADDRESS writes a spec for it",
      );
    }
  }

  #isNew(agent: string | null): boolean {
    if (this.#unmatched.has(agent) || this.#unmatched.size >= MOST_AGENTS) return false;
    this.#unmatched.add(agent);
    return true;
  }
}
