/**
 * "of 2 of 5 tool calls: REASON; of 1 of 5: REASON": the number of steps without a value, by reason; undefined for none.
 */
export function someOf<Step>(
  kind: string,
  steps: readonly Step[],
  isUnknown: (step: Step) => boolean,
  why: (step: Step) => string,
): string | undefined {
  let reasons: Map<string, number> | undefined;
  for (const step of steps) {
    if (!isUnknown(step)) continue;
    const reason = why(step);
    reasons ??= new Map();
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  if (reasons === undefined) return undefined;
  return [...reasons].map(([reason, many]) => `of ${many} of ${steps.length} ${kind}: ${reason}`).join("; ");
}
