import { crc32 } from "node:zlib";

const POSITIONS = 36_000;
const WEIGHT = 100;

/**
 * Sends a trace where the Collector's load balancing exporter would: a consistent hash ring with a hundred places for each worker, so that
 * a change of the workers moves few traces.
 */
export class Ring {
  readonly #places: readonly { readonly at: number; readonly worker: string }[];

  constructor(workers: readonly string[]) {
    const taken = new Map<number, string>();
    for (const worker of workers) {
      for (let index = 0; index < WEIGHT; index++) {
        const at = crc32(Buffer.of(index), crc32(worker)) % POSITIONS;
        if (!taken.has(at)) taken.set(at, worker);
      }
    }
    this.#places = [...taken].map(([at, worker]) => ({ at, worker })).toSorted((a, b) => a.at - b.at);
  }

  workerOf(traceId: string): string {
    const at = crc32(Buffer.from(traceId, "hex")) % POSITIONS;
    const place = this.#places.find((one) => one.at >= at) ?? this.#places[0];
    if (place === undefined) throw new Error("there is no worker");
    return place.worker;
  }
}
