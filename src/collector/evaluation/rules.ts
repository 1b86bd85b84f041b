import { createAskingJudge, type JudgedRun, type Pending } from "../../pipeline/judge-run.ts";
import type { Revisions } from "../../pipeline/revisions.ts";
import { everyRun, type Sampling } from "../../pipeline/decisions.ts";
import { nothingRedacted, type Redactor } from "../../support/redact/redactor.ts";
import type { AgentRun } from "../../model/run.ts";
import { version } from "../../support/process/version.ts";
import { openRedactor } from "../../replay/judging/redaction.ts";
import { today } from "../../replay/judging/today.ts";
import type { JudgeCalls, JudgedBy, CollectorOptions, ConfigReload } from "../settings/options.ts";

/** Specs, judge models, sampling and redaction for runs. A reload replaces all of them together. */
export class EvaluationRules {
  readonly #revisions: Revisions;
  readonly #tell: JudgeCalls["tell"];
  #by: JudgedBy;
  #judge: (run: AgentRun) => JudgedRun | Pending;
  #redactor: Redactor | null;
  #sampling: Sampling;

  /** @param tell callback for each request to a judge model, which exports the request as a span */
  constructor(options: CollectorOptions, revisions: Revisions, tell: JudgeCalls["tell"]) {
    this.#revisions = revisions;
    this.#tell = tell;
    this.#by = options;
    this.#redactor = openRedactor(options.settings.redact ?? nothingRedacted);
    this.#judge = this.#judgeBy(options);
    this.#sampling = options.settings.sampling ?? everyRun;
  }

  get by(): JudgedBy {
    return this.#by;
  }

  /** The redactor; null if no redaction is configured. */
  get redactor(): Redactor | null {
    return this.#redactor;
  }

  get sampling(): Sampling {
    return this.#sampling;
  }

  judge(run: AgentRun): JudgedRun | Pending {
    return this.#judge(run);
  }

  /** Prepares new rules. Returns a function that activates the new rules and never throws. */
  prepare({ by, settings }: ConfigReload): () => void {
    const redactor = openRedactor(settings.redact ?? nothingRedacted);
    const judge = this.#judgeBy(by);
    return () => {
      this.#by = by;
      this.#judge = judge;
      this.#redactor = redactor;
      this.#sampling = settings.sampling ?? everyRun;
    };
  }

  #judgeBy({ specs, judgeSkipPolicy, userChecks, reference, judging, judgeCalls }: JudgedBy) {
    if (judgeCalls !== undefined) judgeCalls.tell = this.#tell;
    return createAskingJudge(
      {
        specs,
        judgeSkipPolicy,
        userChecks,
        engine: version,
        revisions: this.#revisions,
        today,
        ...(reference === undefined ? {} : { reference }),
      },
      judging?.asking,
    );
  }
}
