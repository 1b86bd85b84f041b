import { erfc } from "./normal.ts";

/**
 * P(X > x) of the chi-square distribution with a whole number of degrees of freedom; in [0, 1]. Uses the
 * finite sums for integer degrees of freedom (Abramowitz and Stegun 26.4.4, 26.4.5), the terms kept as
 * logarithms so that neither large x nor many degrees of freedom overflow. x ≤ 0 gives 1.
 */
export function chiSquareSurvival(x: number, degrees: number): number {
  if (!Number.isInteger(degrees) || degrees < 1) {
    throw new RangeError(`degrees of freedom must be a whole number of at least 1, got ${degrees}`);
  }
  if (x <= 0) return 1;
  const half = x / 2;
  const odd = degrees % 2 === 1;
  let sum = odd ? erfc(Math.sqrt(half)) : 0;
  // ln of half^a e^-half / Γ(a+1), for a = 0, 1, … or ½, 3⁄2, …
  let term = odd ? Math.log(half) / 2 - half - Math.log(Math.PI) / 2 + Math.LN2 : -half;
  for (let a = odd ? 0.5 : 0; a < degrees / 2 - 0.25; a++) {
    sum += Math.exp(term);
    term += Math.log(half / (a + 1));
  }
  return Math.min(1, sum);
}
