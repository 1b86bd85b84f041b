export interface Options {
  readonly rounds: number;
  /** CPU time of one sample, in milliseconds. */
  readonly sampleMs: number;
  /** CPU time that each side gets before it is measured, where two samples do not make it warm. */
  readonly warmMs?: number;
}

/** What is measured: one call of it. */
export type Side = () => void | Promise<void>;

/**
 * CPU microseconds that each of `sides` takes for one call, in interleaved rounds: a slow phase of the machine meets all of them. Work of
 * helper threads (garbage collection, compiling) counts, waiting for a busy core does not.
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

/** For each round, how many times the CPU of `other` that `own` takes. */
export async function ratios(own: Side, other: Side, options: Options): Promise<number[]> {
  return (await measure([own, other], options)).map(([a = Number.NaN, b = Number.NaN]) => a / b);
}

/** No collection is forced in between: it would throw away compiled code, and the next sample would pay for making it again. */
async function sample(side: Side, leastMs: number): Promise<number> {
  const from = process.cpuUsage();
  for (let calls = 1; ; calls++) {
    await side();
    const { user, system } = process.cpuUsage(from);
    if (user + system >= leastMs * 1000) return (user + system) / calls;
  }
}
