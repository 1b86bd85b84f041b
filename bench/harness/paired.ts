export interface Options {
  readonly rounds: number;
  /** CPU time of one sample, in milliseconds. */
  readonly sampleMs: number;
}

/**
 * CPU microseconds that each of `sides` takes for one call, in interleaved rounds: a slow phase of the machine meets all of them. Work of
 * helper threads (garbage collection, compiling) counts, waiting for a busy core does not.
 */
export function measure(sides: readonly (() => void)[], { rounds, sampleMs }: Options): number[][] {
  for (const side of sides) sample(side, sampleMs * 2);
  return Array.from({ length: rounds }, (_, round) => {
    const costs = sides.map(() => 0);
    for (let turn = 0; turn < sides.length; turn++) {
      const index = round % 2 === 0 ? turn : sides.length - 1 - turn;
      const side = sides[index];
      if (side !== undefined) costs[index] = sample(side, sampleMs);
    }
    return costs;
  });
}

/** For each round, how many times the CPU of `other` that `own` takes. */
export function ratios(own: () => void, other: () => void, options: Options): number[] {
  return measure([own, other], options).map(([a = Number.NaN, b = Number.NaN]) => a / b);
}

function sample(side: () => void, leastMs: number): number {
  globalThis.gc?.();
  const from = process.cpuUsage();
  for (let calls = 1; ; calls++) {
    side();
    const { user, system } = process.cpuUsage(from);
    if (user + system >= leastMs * 1000) return (user + system) / calls;
  }
}
