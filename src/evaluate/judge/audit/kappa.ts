/** Number of cases by the decision of a judge and the label of a person. */
export interface Confusion {
  readonly truePass: number;
  readonly falsePass: number;
  readonly trueFail: number;
  readonly falseFail: number;
}

export function confusionOf(
  pairs: readonly (readonly [judge: "pass" | "fail", truth: "pass" | "fail"])[],
): Confusion {
  const count = (judge: string, truth: string): number =>
    pairs.filter((it) => it[0] === judge && it[1] === truth).length;
  return {
    truePass: count("pass", "pass"),
    falsePass: count("pass", "fail"),
    trueFail: count("fail", "fail"),
    falseFail: count("fail", "pass"),
  };
}

/**
 * Returns Cohen's kappa of a 2×2 table: (observed − expected) / (1 − expected) agreement. Returns null
 * without cases, or if both sides gave the same label to all cases, because chance alone would agree as
 * well.
 */
export function cohensKappa({ truePass, falsePass, trueFail, falseFail }: Confusion): number | null {
  const n = truePass + falsePass + trueFail + falseFail;
  if (n === 0) return null;
  const observed = (truePass + trueFail) / n;
  const judgePasses = (truePass + falsePass) / n;
  const trulyPasses = (truePass + falseFail) / n;
  const expected = judgePasses * trulyPasses + (1 - judgePasses) * (1 - trulyPasses);
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}
