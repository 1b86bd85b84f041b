import { Session } from "node:inspector/promises";

/** Number of calls of our functions. */
export interface Calls {
  /** By the module's path below `dist`, and the function's place in the module. */
  readonly countByFunction: ReadonlyMap<string, number>;
}

/** Counts calls exactly. While it counts, V8 does not inline and optimise as usual, so that times are not representative. */
export class CallCounter {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  }

  /** The calls since the previous call of `take`, or since the start. */
  async take(): Promise<Calls> {
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    const countByFunction = new Map<string, number>();
    for (const { url, functions } of result) {
      const [, module] = /\/dist\/((?:src|adapters)\/.*)$/.exec(url) ?? [];
      if (module === undefined) continue;
      for (const { functionName, ranges } of functions) {
        const [range] = ranges;
        if (range === undefined || range.count === 0) continue;
        countByFunction.set(`${module} ${functionName} ${range.startOffset}`, range.count);
      }
    }
    return { countByFunction };
  }

  stop(): void {
    this.#session.disconnect();
  }
}

export const isInOtlp = (name: string): boolean => name.startsWith("src/otlp/");
export const isInReader = (name: string): boolean => /^(?:src\/runs|adapters)\//.test(name);

/** Number of calls of the functions that pass the test. */
export function callsOf({ countByFunction }: Calls, test: (name: string) => boolean): number {
  let sum = 0;
  for (const [name, count] of countByFunction) if (test(name)) sum += count;
  return sum;
}

/** Number of functions that pass the test and were called at least `least` times. */
export function functionsOf({ countByFunction }: Calls, test: (name: string) => boolean, least = 1): number {
  let sum = 0;
  for (const [name, count] of countByFunction) if (test(name) && count >= least) sum++;
  return sum;
}
