import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import type { Scored } from "../reply/scored.ts";

/**
 * How often a model was right with one score of a rubric: number of labelled answers with this score, and
 * number of answers whose label agrees.
 */
export interface CalibratedScore {
  /** A score of 1–5, or for scores of 0–1 the lower end of a tenth. */
  readonly score: number;
  readonly cases: number;
  readonly right: number;
}

/**
 * Minimum number of labelled answers with a score. With fewer answers, the audit says too little about the
 * score.
 */
const FEWEST_CASES = 5;
/** Minimum distance of a score of 0–1 from its limit, for a decision without an audit. */
const MARGIN = 0.1;

/**
 * Returns the calibration bucket of a score.
 * @param isShare whether scores are from 0 to 1 instead of 1 to 5
 */
export function scoreBucket(score: number, isShare: boolean): number {
  return isShare ? Math.floor(score * 10 + 1e-9) / 10 : Math.round(score);
}

export interface Sureness {
  readonly isSure: boolean;
  /** Reason for the decision, for the report. */
  readonly why: string;
}

/**
 * Whether the answer of a cascade's first model may decide alone. With an audit of five or more labelled
 * answers, five or more labels of this score must exist, and at least the share `trust` of these labels must
 * agree. Without five labels of the score, the label must agree with the score, and the score must not be
 * close to the limit: neither the smallest passing score nor the next lower score, and for scores of 0–1 at
 * least 0.1 away. An answer without a score does not decide.
 */
export function surenessOf(
  { score, label }: Pick<Scored, "score" | "label">,
  limit: number,
  isShare: boolean,
  calibration: readonly CalibratedScore[],
  trust: number,
): Sureness {
  if (score === null) return { isSure: false, why: "it sees nothing to judge" };
  const labelled = calibration.reduce((sum, { cases }) => sum + cases, 0);
  if (labelled >= FEWEST_CASES) {
    const bucket = scoreBucket(score, isShare);
    const { cases, right } = calibration.find((it) => it.score === bucket) ?? { cases: 0, right: 0 };
    const why = `labels agreed with ${right} of ${cases} answers it scored ${bucket}`;
    return { isSure: cases >= FEWEST_CASES && right >= trust * cases, why };
  }
  if (label !== (isAtLeast(score, limit) ? "pass" : "fail"))
    return { isSure: false, why: `its label ${label} contradicts its score` };
  const isNear = isShare ? Math.abs(score - limit) < MARGIN - 1e-9 : score === limit || score === limit - 1;
  return { isSure: !isNear, why: `its score is ${isNear ? "close to" : "far from"} the limit` };
}
