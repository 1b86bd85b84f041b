/** A source of reproducible pseudo-random numbers: the same seed gives the same numbers on every machine. */
export interface Random {
  /** A whole number in [0, 2³²). */
  next(): number;
  /** Uniform in [0, 1), 32 bits fine. */
  uniform(): number;
  /** A whole number in [0, size); `size` below 2³². */
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
  // In a typed array, because numbers beyond 31 bits in variables are boxed: it is twice as fast.
  const state = new Int32Array(4);
  state[0] = splitMix(seed | 0);
  state[1] = splitMix(state[0] ?? 0);
  state[2] = splitMix(state[1] ?? 0);
  state[3] = 1;
  let spare: number | undefined;

  function next(): number {
    const b = state[1] ?? 0;
    const c = state[2] ?? 0;
    const counter = state[3] ?? 0;
    const result = ((((state[0] ?? 0) + b) | 0) + counter) | 0;
    state[3] = counter + 1;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + result;
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
  return { next, uniform, below: (size) => ((next() / 0x100000000) * size) >>> 0, normal };
}
