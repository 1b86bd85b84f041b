import { erfc } from "./normal.ts";

/**
 * Returns ln Γ(x) for x > 0 by Lanczos' approximation (g = 7, nine terms), with a relative error of about
 * 1e-15.
 */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  let series = 0.99999999999980993;
  for (const [index, term] of terms.entries()) series += term / (x + index);
  const t = x + 6.5;
  return (x - 0.5) * Math.log(t) - t + Math.log(Math.sqrt(2 * Math.PI) * series);
}

/**
 * Returns the continued fraction of the incomplete beta function by Lentz' method (Numerical Recipes 6.4).
 */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return fraction;
}

/** Returns the regularized incomplete beta function Iₓ(a, b), in [0, 1]. */
function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const log = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  const factor = Math.exp(log);
  // The continued fraction converges fast below the mean of the beta distribution. Above the mean, the result
  // is 1 minus the opposite tail.
  if (x < (a + 1) / (a + b + 2)) return (factor * betaFraction(x, a, b)) / a;
  return 1 - (factor * betaFraction(1 - x, b, a)) / b;
}

/**
 * Returns P(|T| ≥ t) of Student's t distribution, in [0, 1]. Above 1e7 degrees of freedom, the normal
 * distribution is used (Abramowitz and Stegun 26.7.1).
 */
function studentTwoSided(t: number, degrees: number): number {
  if (degrees > 1e7) return erfc(Math.abs(t) / Math.SQRT2);
  return regularizedBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/**
 * Returns the t of a two-sided interval of a mean, such as 2.262 for nine degrees of freedom and a confidence
 * of 0.95.
 * @throws RangeError unless 0 < confidence < 1 and `degrees` ≥ 1
 */
export function twoSidedT(confidence: number, degrees: number): number {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(
      `a confidence must lie between 0 and 1 (both excluded), such as 0.95, got ${confidence}`,
    );
  }
  if (!(degrees >= 1)) throw new RangeError(`degrees of freedom must be at least 1, got ${degrees}`);
  const tail = 1 - confidence;
  let low = 0;
  let high = 1;
  while (studentTwoSided(high, degrees) > tail) high *= 2;
  // Bisects until two neighbouring doubles remain. The loop ends, because the tail decreases with t.
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (studentTwoSided(middle, degrees) > tail) low = middle;
    else high = middle;
  }
}
