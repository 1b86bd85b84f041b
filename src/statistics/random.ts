/** A source of reproducible pseudo-random numbers: the same seed gives the same numbers on every machine. */
export interface Random {
  /** A whole number in [0, 2³²). */
  next(): number;
  /** Uniform in [0, 1), 32 bits fine. */
  uniform(): number;
  /** A whole number in [0, size); `size` at most 2³². */
  below(size: number): number;
  /** Standard normal, by the polar method. */
  normal(): number;
}

/** One step of SplitMix32, which spreads nearby seeds far apart. */
function splitMix(state: number): number {
  let z = (state + 0x9e3779b9) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return z ^ (z >>> 15);
}

/**
 * A small fast counting generator (Doty-Humphrey's sfc32): three words of chaotic state and a counter, period
 * of at least 2³². Only the low 32 bits of the whole number `seed` count. Not for secrets.
 */
export function createRandom(seed: number): Random {
  let a = splitMix(seed | 0);
  let b = splitMix(a);
  let c = splitMix(b);
  let counter = 1;
  let spare: number | undefined;

  function next(): number {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    return result >>> 0;
  }
  const uniform = () => next() / 0x100000000;

  function normal(): number {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square === 0 || square >= 1) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  }

  for (let warmUp = 0; warmUp < 12; warmUp++) next();
  return { next, uniform, below: (size) => Math.floor((next() * size) / 0x100000000), normal };
}
