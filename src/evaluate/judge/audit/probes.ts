/** Scores of one answer before and after a change that should not matter. */
export interface ProbePair {
  readonly original: number;
  readonly changed: number;
}

export interface BiasProbe {
  readonly pairs: number;
  /** Mean difference of changed and original score; null without pairs. */
  readonly meanShift: number | null;
  /** Share of pairs in which the changed score is higher; in `down`, lower. Null without pairs. */
  readonly up: number | null;
  readonly down: number | null;
  /** p-value of the two-sided sign test over pairs with different scores; null if no scores differ. */
  readonly p: number | null;
  /** True if the mean shift is at least 0.5 points, or p < 0.05. */
  readonly biased: boolean;
}

/** Returns how a change that should not matter shifts a judge's scores: the mean shift, and a sign test. */
export function biasOf(pairs: readonly ProbePair[]): BiasProbe {
  const shifts = pairs.map((it) => it.changed - it.original);
  const up = shifts.filter((it) => it > 0).length;
  const down = shifts.filter((it) => it < 0).length;
  const n = shifts.length;
  const meanShift = n === 0 ? null : shifts.reduce((sum, it) => sum + it, 0) / n;
  const p = signTest(up, down);
  return {
    pairs: n,
    meanShift,
    up: n === 0 ? null : up / n,
    down: n === 0 ? null : down / n,
    p,
    biased: (meanShift !== null && Math.abs(meanShift) >= 0.5) || (p !== null && p < 0.05),
  };
}

/** Returns the p-value of the exact two-sided binomial test with probability ½. Null if both numbers are 0. */
export function signTest(up: number, down: number): number | null {
  const n = up + down;
  if (n === 0) return null;
  let logTerm = -n * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= Math.min(up, down); k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * tail);
}

const FILLER = [
  "To put it differently, what is said above covers the matter as asked.",
  "It may help to keep the points above in mind when reading on.",
  "All of this has been set out with care, so that nothing is left unclear.",
  "In sum, the answer stands as given above.",
];

/** Returns an answer of at least twice the length, by appending sentences without content. */
export function padded(answer: string): string {
  let text = answer;
  for (let i = 0; text.length < answer.length * 2 || i < FILLER.length; i++)
    text += ` ${FILLER[i % FILLER.length]}`;
  return text;
}
