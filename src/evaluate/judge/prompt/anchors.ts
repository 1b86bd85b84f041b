import { mapThreshold } from "../reply/threshold.ts";

/** Problem of a rubric's scale, and how to fix it. */
export interface AnchorProblem {
  readonly message: string;
  readonly hint: string;
}

/** Lowest and highest score of a judge. */
const LOWEST = 1;
const HIGHEST = 5;

/** Matches an anchor (the description of a score) that begins with its score: `1: off topic`, `5 - perfect`, `3. so so`. */
const numbered = /^\s*(-?\d+(?:\.\d+)?)\s*(?:[:.)=]|[-–—]\s)/;

/**
 * Returns the contradiction between a scale and its threshold, for scores of 1 to 5; null if there is none.
 * @param threshold null if unknown; only the scale is then checked
 */
export function anchorProblem(scale: readonly string[], threshold: number | null): AnchorProblem | null {
  const scores = scale.map((anchor) => scoreOf(anchor));
  const known = scores.filter((score) => score !== null);
  const outside = known.filter((score) => score < LOWEST || score > HIGHEST);
  if (outside.length > 0) {
    return {
      message: `the scale has an anchor for ${outside.join(" and ")}, but judges give scores from ${LOWEST} to ${HIGHEST}`,
      hint: "number the anchors from 1 to 5, and set `threshold` accordingly",
    };
  }
  if (scale.length === HIGHEST || scale.length === 0) return null;
  if (known.length < scale.length) {
    const asked = threshold === null ? "" : ` (threshold ${threshold} requires ${mapThreshold(threshold)})`;
    return {
      message: `the scale has ${scale.length} anchors and does not assign them to the scores 1 to 5${asked}`,
      hint: "begin each anchor with its score, as in `1: …` and `5: …`, or write five anchors",
    };
  }
  return threshold === null ? null : againstThreshold(known, threshold);
}

/** Returns a problem if every score that the scale describes passes, or if none of these scores passes. */
function againstThreshold(scores: readonly number[], threshold: number): AnchorProblem | null {
  const passing = mapThreshold(threshold);
  const highest = Math.max(...scores);
  const lowest = Math.min(...scores);
  if (highest < passing) {
    return {
      message: `threshold ${threshold} requires a score of ${passing}, and the highest anchor of the scale is ${highest}: a judge that follows the anchors never passes`,
      hint: `write anchors up to 5, or \`threshold: ${highest / HIGHEST}\``,
    };
  }
  if (lowest >= passing) {
    return {
      message: `threshold ${threshold} requires a score of ${passing}, and the lowest anchor of the scale is ${lowest}: a judge that follows the anchors never fails`,
      hint: "write anchors from 1, or raise `threshold`",
    };
  }
  return null;
}

function scoreOf(anchor: string): number | null {
  const found = numbered.exec(anchor)?.[1];
  return found === undefined ? null : Number(found);
}
