import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import type { Scored } from "../reply/scored.ts";

/** How often one score of a model was right for a rubric: number of labelled answers with this score, and number of agreeing labels. */
export interface CalibratedScore {
  /** A score from 1 to 5, or the lower end of an interval of scores from 0 to 1: 0.7 for 0.7 to 0.8. */
  readonly score: number;
  readonly cases: number;
  readonly right: number;
}

/** Minimum number of labelled answers with a score. Fewer answers prove too little. */
const FEWEST_CASES = 5;
/** Minimum distance between a score of 0–1 and its limit, for a decision without audit. */
const MARGIN = 0.1;

/**
 * Returns the `CalibratedScore.score` to which a score belongs, such as 0.7 for 0.75.
 * @param isShare whether scores range from 0 to 1 instead of 1 to 5
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
 * Whether the first model of a cascade may decide alone; never without a score. If an audit has 5 or more labelled answers, 5 or more must
 * have this score, and at least the share `trust` of their labels must agree. With fewer labelled answers, the model's label must match its
 * score, and the score must not be close to the limit. Scores of 1–5 are close if they are the lowest passing score or the next lower
 * score; scores of 0–1 are close if they differ from the limit by less than 0.1.
 */
export function surenessOf(
  { score, label }: Pick<Scored, "score" | "label">,
  limit: number,
  isShare: boolean,
  calibration: readonly CalibratedScore[],
  trust: number,
): Sureness {
  if (score === null)
    return { isSure: false, why: "the model gave no score, because it found nothing to judge" };
  const labelled = calibration.reduce((sum, { cases }) => sum + cases, 0);
  if (labelled >= FEWEST_CASES) {
    const bucket = scoreBucket(score, isShare);
    const { cases, right } = calibration.find((it) => it.score === bucket) ?? { cases: 0, right: 0 };
    const why = `labels agreed with ${right} of ${cases} answers that the model scored ${bucket}`;
    return { isSure: cases >= FEWEST_CASES && right >= trust * cases, why };
  }
  if (label !== (isAtLeast(score, limit) ? "pass" : "fail"))
    return { isSure: false, why: `the label ${label} contradicts the score` };
  const isNear = isShare ? Math.abs(score - limit) < MARGIN - 1e-9 : score === limit || score === limit - 1;
  return { isSure: !isNear, why: `the score is ${isNear ? "close to" : "far from"} the limit` };
}
