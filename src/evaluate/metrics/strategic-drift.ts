/**
 * ProjectScylla's strategic drift: 1 − Σ(alignment·weight) / Σ(weight) over the calls made, alignment being 1 for a tool that is
 * expected or allowed and 0 for any other, the weight 1 unless an expected step has its own. In 0–1; without calls 0.
 */
export function strategicDrift(
  calls: readonly string[],
  onCourse: (name: string) => boolean,
  weight: (name: string) => number,
): number {
  let total = 0;
  let aligned = 0;
  for (const name of calls) {
    const own = weight(name);
    total += own;
    if (onCourse(name)) aligned += own;
  }
  return total === 0 ? 0 : 1 - aligned / total;
}
