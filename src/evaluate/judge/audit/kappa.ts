/** Numbers of cases by a judge's decision and a person's label. */
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
 * Returns Cohen's kappa of a 2×2 table: (observed − expected agreement) / (1 − expected agreement). Null without cases, or if both sides
 * gave all cases the same label.
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
