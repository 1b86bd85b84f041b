/** A generator of pseudo-random numbers. The same seed gives the same numbers on every machine. */
export interface Random {
  /** Returns a random integer in [0, 2³²). */
  next(): number;
  /** Returns a uniform random number in [0, 1) with 32 random bits. */
  uniform(): number;
  /**
   * Returns a random integer in [0, size).
   * @param size below 2³²
   */
  below(size: number): number;
  /** Fills `into` with random values of `from`, drawn with replacement. */
  draw(from: Float64Array, into: Float64Array): void;
  /** Returns a standard normal random number, by the polar method. */
  normal(): number;
}

/** Mixes the bits of a seed (one step of SplitMix32), so that similar seeds give different states. */
function splitMix(state: number): number {
  let z = (state + 0x9e3779b9) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return z ^ (z >>> 15);
}

/** Factor that converts a 32-bit integer into a fraction in [0, 1). */
const unit = 2 ** -32;

/**
 * Fills `into` with random fractions in [0, 1), by Doty-Humphrey's generator sfc32. The state is three 32-bit
 * words and a counter, with a period of at least 2³². Local variables hold the state in the loop, because V8
 * keeps them unboxed.
 */
function generate(state: Int32Array, into: Float64Array): void {
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let counter = state[3] ?? 0;
  for (let i = 0; i < into.length; i++) {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    into[i] = (result >>> 0) * unit;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}

const batch = 256;

/**
 * Creates a generator of pseudo-random numbers, which is not suitable for secrets.
 * @param seed integer; only the lowest 32 bits are used
 */
export function createRandom(seed: number): Random {
  const state = Int32Array.of(splitMix(seed | 0), 0, 0, 1);
  state[1] = splitMix(state[0] ?? 0);
  state[2] = splitMix(state[1] ?? 0);
  const ready = new Float64Array(batch);
  generate(state, ready.subarray(0, 12));
  let used = batch;
  let spare: number | undefined;

  function uniform(): number {
    if (used === batch) {
      generate(state, ready);
      used = 0;
    }
    return ready[used++] ?? 0;
  }
  function draw(from: Float64Array, into: Float64Array): void {
    generate(state, into);
    for (let i = 0; i < into.length; i++) into[i] = from[((into[i] ?? 0) * from.length) >>> 0] ?? 0;
  }
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

  const below = (size: number) => (uniform() * size) >>> 0;
  return { next: () => uniform() * 0x100000000, uniform, below, draw, normal };
}
