import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { judgeLabels, type JudgeLabel, type Scored } from "../reply/scored.ts";
import type { EnsembleStrategy } from "../settings.ts";

export type Ballot = Pick<Scored, "score" | "label" | "confidence">;

export interface Tally {
  /** Combined score, unrounded; null if no vote has a score. */
  readonly score: number | null;
  readonly label: JudgeLabel;
  readonly passed: boolean;
}

/**
 * Combines the votes of the judges that answered. With `majority_vote`, the rubric passes if the label of most judges is not `fail` and the
 * mean score reaches the threshold. With every strategy except `majority_vote`, the combined score alone decides.
 * @param threshold in the unit of the scores
 */
export function tally(ballots: readonly Ballot[], strategy: EnsembleStrategy, threshold: number): Tally {
  const label = majorityLabel(ballots.map((it) => it.label));
  const scored = ballots.filter((it): it is Ballot & { score: number } => it.score !== null);
  if (scored.length === 0) return { score: null, label, passed: false };
  const score = aggregates[strategy](scored);
  const blocked = strategy === "majority_vote" && label === "fail";
  return { score, label, passed: !blocked && isAtLeast(score, threshold) };
}

/** Returns the label of most judges; `borderline` for a tie. */
export function majorityLabel(labels: readonly JudgeLabel[]): JudgeLabel {
  const counts = judgeLabels.map((label) => ({ label, votes: labels.filter((it) => it === label).length }));
  const most = Math.max(...counts.map((it) => it.votes));
  const [first, second] = counts.filter((it) => it.votes === most);
  return first === undefined || second !== undefined ? "borderline" : first.label;
}

type Vote = Ballot & { readonly score: number };

const aggregates: Record<EnsembleStrategy, (votes: readonly Vote[]) => number> = {
  majority_vote: (votes) => mean(scores(votes)),
  mean: (votes) => mean(scores(votes)),
  median: (votes) => median(scores(votes)),
  min: (votes) => Math.min(...scores(votes)),
  max: (votes) => Math.max(...scores(votes)),
  consensus,
};

/** Returns ProjectScylla's Σ(score·confidence) / Σ(confidence), or the plain mean if a confidence is unknown or all are 0. */
function consensus(votes: readonly Vote[]): number {
  let sum = 0;
  let total = 0;
  for (const { score, confidence } of votes) {
    if (confidence === null) return mean(scores(votes));
    sum += score * confidence;
    total += confidence;
  }
  return total === 0 ? mean(scores(votes)) : sum / total;
}

const scores = (votes: readonly Vote[]): readonly number[] => votes.map((it) => it.score);

export function mean(values: readonly number[]): number {
  return values.reduce((sum, it) => sum + it, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/**
 * Whether the judges disagree enough for further votes, by ProjectScylla's limits: variance over 0.15, mean confidence under 0.6, or a
 * range over 0.3.
 * @param scale range of the scores, which normalises them: 4 for scores of 1–5, 1 for scores of 0–1
 */
export function needsMoreVotes(ballots: readonly Ballot[], scale: number): boolean {
  const values = ballots.flatMap((it) => (it.score === null ? [] : [it.score / scale]));
  if (values.length === 0) return false;
  const centre = mean(values);
  const variance = mean(values.map((it) => (it - centre) ** 2));
  const confidences = ballots.flatMap((it) => (it.confidence === null ? [] : [it.confidence]));
  const unsure = confidences.length > 0 && mean(confidences) < 0.6;
  return variance > 0.15 || unsure || Math.max(...values) - Math.min(...values) > 0.3;
}
