const twoOverRootPi = 2 / Math.sqrt(Math.PI);

/** Returns Σ 2ⁿ x²ⁿ⁺¹ / (2n+1)!! over n ≥ 0. Only positive terms are added, so no precision is lost. */
function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return twoOverRootPi * Math.exp(-x * x) * sum;
}

/**
 * Returns erfc(x) by Laplace's continued fraction x + ½/(x + 1/(x + 3⁄2/(x + …))), evaluated from the last
 * term.
 */
function erfcFraction(x: number): number {
  let tail = x;
  for (let n = 120; n > 0; n--) tail = x + n / 2 / tail;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail);
}

/**
 * Returns the complementary error function, in [0, 2], with a relative error of about 1e-15. The function is
 * a series below 1.5, and a continued fraction above (Abramowitz and Stegun 7.1.6, 7.1.14).
 */
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  return x < 1.5 ? 1 - erfSeries(x) : erfcFraction(x);
}

/** Returns P(Z ≤ z) of the standard normal distribution, in [0, 1]. Results close to 0 are accurate. */
export function normalCdf(z: number): number {
  return erfc(-z / Math.SQRT2) / 2;
}

/** Returns P(Z > z) of the standard normal distribution, in [0, 1]. Results close to 0 are accurate. */
export function normalSurvival(z: number): number {
  return erfc(z / Math.SQRT2) / 2;
}

function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/**
 * Returns the normal quantile of p < 0.5. The rational approximation 26.2.23 of Abramowitz and Stegun is
 * refined by Halley's method.
 */
function lowerQuantile(p: number): number {
  const t = Math.sqrt(-2 * Math.log(p));
  const start = 2.515517 + t * (0.802853 + t * 0.010328);
  let z = start / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 4; step++) {
    const newton = (normalCdf(z) - p) / normalDensity(z);
    z -= newton / (1 + (z * newton) / 2);
  }
  return z;
}

/**
 * Returns the z with P(Z ≤ z) = p, with an error of about 1e-15.
 * @throws RangeError unless 0 < p < 1
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1))
    throw new RangeError(`a probability must lie between 0 and 1 (both excluded), got ${p}`);
  if (p === 0.5) return 0;
  return p < 0.5 ? lowerQuantile(p) : -lowerQuantile(1 - p);
}

/**
 * Returns the z of a two-sided interval, such as 1.96 for a confidence of 0.95.
 * @throws RangeError unless 0 < confidence < 1
 */
export function twoSidedZ(confidence: number): number {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(
      `a confidence must lie between 0 and 1 (both excluded), such as 0.95, got ${confidence}`,
    );
  }
  return -normalQuantile((1 - confidence) / 2);
}
