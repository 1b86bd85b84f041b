import { cohensKappa } from "./cohens-kappa.ts";

/** One judged answer: what its judge said each time, and what else is known about it. */
export interface AuditedAnswer {
  /** One entry a repeat: passed or not; null when the call failed. */
  readonly verdicts: readonly (boolean | null)[];
  /** Whether the checks that ask no model passed; null when there are none. */
  readonly checksPassed: boolean | null;
  /** What a person said; null when nobody did. */
  readonly label: boolean | null;
}

export type JudgeReliability = "reliable" | "needs_calibration" | "unreliable" | "error";

/** Rates are fractions; null where nothing was there to count. */
export interface JudgeAudit {
  /** Answers with at least one verdict. */
  readonly judged: number;
  /** Judged answers that checks can confirm or contradict. */
  readonly checkable: number;
  readonly labelled: number;
  readonly errors: number;
  /** Share of answers judged more than once whose verdicts differ. */
  readonly flipRate: number | null;
  /** Share of the answers that checks failed and the judge passed. */
  readonly falsePassRate: number | null;
  readonly falsePasses: number;
  /** Answers that the checks passed and the judge failed; listed, not held against the judge. */
  readonly falseAlarms: number;
  /** Agreement with the checks. */
  readonly agreement: number | null;
  readonly labelAgreement: number | null;
  readonly kappa: number | null;
  /** Fewer than five checkable answers: an anecdote. */
  readonly anecdote: boolean;
  readonly reliability: JudgeReliability;
}

/** The verdict of most repeats; a tie fails; null without any. */
function majority(verdicts: readonly (boolean | null)[]): boolean | null {
  const given = verdicts.filter((verdict) => verdict !== null);
  return given.length === 0 ? null : 2 * given.filter(Boolean).length > given.length;
}

function share<T>(items: readonly T[], of: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(of).length / items.length;
}

type Rates = Pick<JudgeAudit, "flipRate" | "falsePassRate" | "falsePasses" | "labelAgreement" | "kappa">;

function reliabilityOf(rates: Rates): JudgeReliability {
  const { flipRate, falsePassRate, falsePasses, labelAgreement, kappa } = rates;
  if ((flipRate ?? 0) > 0.2 || (falsePassRate ?? 0) > 0.15) return "unreliable";
  if ((labelAgreement ?? 1) < 0.75 || (kappa ?? 1) < 0.4) return "unreliable";
  const calibrate = falsePasses > 0 || (flipRate ?? 0) > 0.05 || (labelAgreement ?? 1) < 0.9;
  return calibrate ? "needs_calibration" : "reliable";
}

interface Settled extends AuditedAnswer {
  readonly verdict: boolean;
}

/**
 * Audits a judge from repeated verdicts on the same answers, from checks that need no judge, and from labels
 * (AgentCI). Unreliable: flips > 20 %, false passes > 15 %, label agreement < 75 % or kappa < 0.4. Needs
 * calibration: flips > 5 %, any false pass, or label agreement < 90 %. Error: no call gave a verdict. A kappa
 * needs two labels.
 */
export function auditJudge(answers: readonly AuditedAnswer[]): JudgeAudit {
  const judged: Settled[] = [];
  for (const answer of answers) {
    const verdict = majority(answer.verdicts);
    if (verdict !== null) judged.push({ ...answer, verdict });
  }
  const repeated = judged.filter(
    (answer) => answer.verdicts.filter((verdict) => verdict !== null).length > 1,
  );
  const checkable = judged.filter((answer) => answer.checksPassed !== null);
  const failedByChecks = checkable.filter((answer) => answer.checksPassed === false);
  const labelled = judged.filter((answer) => answer.label !== null);
  const pairs = labelled.map((answer) => [answer.verdict, answer.label] as const);
  const rates = {
    flipRate: share(repeated, ({ verdicts }) => verdicts.includes(true) && verdicts.includes(false)),
    falsePassRate: share(failedByChecks, (answer) => answer.verdict),
    falsePasses: failedByChecks.filter((answer) => answer.verdict).length,
    labelAgreement: share(labelled, (answer) => answer.verdict === answer.label),
    kappa: labelled.length < 2 ? null : (cohensKappa(pairs)?.kappa ?? null),
  };
  return {
    ...rates,
    judged: judged.length,
    checkable: checkable.length,
    labelled: labelled.length,
    errors: answers.reduce((count, { verdicts }) => count + verdicts.filter((v) => v === null).length, 0),
    falseAlarms: checkable.filter((answer) => answer.checksPassed === true && !answer.verdict).length,
    agreement: share(checkable, (answer) => answer.verdict === answer.checksPassed),
    anecdote: checkable.length < 5,
    reliability: judged.length === 0 ? "error" : reliabilityOf(rates),
  };
}
