export interface Options {
  readonly rounds: number;
  /** CPU time of one sample, in milliseconds. */
  readonly sampleMs: number;
  /** CPU time for warming up each side; default: two samples. */
  readonly warmMs?: number;
}

/** One call of the measured code. */
export type Side = () => void | Promise<void>;

/**
 * Microseconds of CPU per call of each side, in interleaved rounds, so that a slow phase of the machine affects all sides. The CPU of
 * helper threads (garbage collection, compilation) counts; waiting for a busy core does not.
 */
export async function measure(sides: readonly Side[], options: Options): Promise<number[][]> {
  const { rounds, sampleMs, warmMs = sampleMs * 2 } = options;
  for (const side of sides) await sample(side, warmMs);
  const all: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    const costs = sides.map(() => 0);
    for (let turn = 0; turn < sides.length; turn++) {
      const index = round % 2 === 0 ? turn : sides.length - 1 - turn;
      const side = sides[index];
      if (side !== undefined) costs[index] = await sample(side, sampleMs);
    }
    all.push(costs);
  }
  return all;
}

/** CPU of `own` divided by CPU of `other`, for each round. */
export async function ratios(own: Side, other: Side, options: Options): Promise<number[]> {
  return (await measure([own, other], options)).map(([a = Number.NaN, b = Number.NaN]) => a / b);
}

/** Does not force a garbage collection: this would discard compiled code, and the next sample would include compiling it again. */
async function sample(side: Side, leastMs: number): Promise<number> {
  const from = process.cpuUsage();
  for (let calls = 1; ; calls++) {
    await side();
    const { user, system } = process.cpuUsage(from);
    if (user + system >= leastMs * 1000) return (user + system) / calls;
  }
}
