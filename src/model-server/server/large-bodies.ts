import { garbageCollector } from "../../receive/admission/garbage.ts";

/** Bodies below this size in bytes are parsed at once, without waiting for other bodies. */
const LARGE_BYTES = 2 ** 20;
/** Number of bytes of released bodies after which a garbage collection is requested. */
const COLLECTED_BYTES = 16 * 2 ** 20;

let collect: (() => void) | undefined;
let releasedBytes = 0;

/**
 * Counts the bytes of released large bodies, and requests a garbage collection when there are enough. V8 itself postpones collections while
 * the system has free memory, so that a few large bodies would occupy a gigabyte.
 */
export function collectAfter(bytes: number): void {
  const before = releasedBytes;
  releasedBytes += bytes;
  if (before >= COLLECTED_BYTES || releasedBytes < COLLECTED_BYTES) return;
  // The garbage is collected after the functions that used the body have returned.
  setImmediate(() => {
    releasedBytes = 0;
    collect ??= garbageCollector();
    collect();
  });
}

/** Parses large bodies one at a time, because a parsed body needs much more memory than its bytes. */
export class LargeBodies {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work. For a large body, waits until the work on all earlier large bodies has ended. */
  async inTurn<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes < LARGE_BYTES) return work();
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
