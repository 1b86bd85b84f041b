import { garbageCollector } from "../../receive/admission/garbage.ts";

/** Smaller bodies are parsed at once. */
const LARGE_BYTES = 2 ** 20;
/** Bytes of bodies after which their garbage is collected. */
const COLLECTED_BYTES = 16 * 2 ** 20;

let collect: (() => void) | undefined;
let releasedBytes = 0;

/**
 * Collects the garbage that large bodies left, once some have been released. V8 postpones it while the system has free
 * memory, so a process that read some large bodies would keep a gigabyte.
 */
export function collectAfter(bytes: number): void {
  const before = releasedBytes;
  releasedBytes += bytes;
  if (before >= COLLECTED_BYTES || releasedBytes < COLLECTED_BYTES) return;
  // The functions that used the body have then returned.
  setImmediate(() => {
    releasedBytes = 0;
    collect ??= garbageCollector();
    collect();
  });
}

/** Parses large bodies one at a time, because a parsed body needs much more memory than its bytes. */
export class LargeBodies {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work; if the body is large, after the work on all earlier large bodies. */
  async inTurn<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes < LARGE_BYTES) return work();
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
