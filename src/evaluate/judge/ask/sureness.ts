import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import type { Scored } from "../reply/scored.ts";

/**
 * Number of labelled answers to which a model gave one score by one rubric, and number of agreements with the
 * label.
 */
export interface CalibratedScore {
  /** Score of 1–5; for scores of 0–1, the lower end of the tenth. */
  readonly score: number;
  readonly cases: number;
  readonly right: number;
}

/** Minimum number of labelled answers with a score; with fewer, the score is not trusted. */
const FEWEST_CASES = 5;
/** Minimum distance of a score of 0–1 from its limit if there is no audit. */
const MARGIN = 0.1;

/** Returns the index of a score in a calibration. */
export function scoreBucket(score: number, isShare: boolean): number {
  return isShare ? Math.floor(score * 10 + 1e-9) / 10 : Math.round(score);
}

export interface Sureness {
  readonly isSure: boolean;
  /** The rule that decided, as text for the report. */
  readonly why: string;
}

/**
 * Returns whether a first judge's answer may decide alone. With an audit, at least the share `trust` of five
 * or more labels must agree with this score. Without an audit or labels, the label must agree with the score,
 * and the score must be neither the smallest passing score nor the score below it (for scores of 0–1: at
 * least 0.1 from the limit). An answer that the rubric does not apply to is never sure.
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
