import { Session } from "node:inspector/promises";

/** How often the functions of our own modules were called. */
export interface Calls {
  /** By path of the module below `dist`, then by place of the function in it. */
  readonly countByFunction: ReadonlyMap<string, number>;
}

/** Counts calls exactly. V8 then neither inlines nor optimises as it would: what is counted is not to be timed. */
export class CallCounter {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  }

  /** The calls since the last time, or since the start. */
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

/** The calls of those functions that pass the test. */
export function callsOf({ countByFunction }: Calls, test: (name: string) => boolean): number {
  let sum = 0;
  for (const [name, count] of countByFunction) if (test(name)) sum += count;
  return sum;
}

/** How many functions that pass the test were called at least so often. */
export function functionsOf({ countByFunction }: Calls, test: (name: string) => boolean, least = 1): number {
  let sum = 0;
  for (const [name, count] of countByFunction) if (test(name) && count >= least) sum++;
  return sum;
}
