import { mean, type Sample } from "../samples/moments.ts";

/**
 * The least-squares slope of values over their positions 0, 1, 2, …: the change a step, negative when they
 * fall. Null for fewer than two values (EvalView's drift has 0 there).
 */
export function slope(values: Sample): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  const middle = (values.length - 1) / 2;
  let products = 0;
  for (let i = 0; i < values.length; i++) products += (i - middle) * ((values[i] ?? 0) - centre);
  return products / ((values.length * (values.length ** 2 - 1)) / 12);
}
