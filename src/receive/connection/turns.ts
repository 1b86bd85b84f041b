import { setTimeout as sleep } from "node:timers/promises";
import type { Refusal } from "../ports.ts";

/** Bodies above this decompressed size, in bytes, wait for a turn. A smaller body is decoded within a tenth of a second. */
export const LARGE_BODY_BYTES = 4 << 20;

/** Maximum number of large bodies that wait. The received bytes of a waiting body stay in memory. */
const MOST_WAITING = 64;
/** Minimum pause between two turns in milliseconds, in which other requests are handled. */
const LEAST_PAUSE_MS = 5;
const PAUSE_SHARE = 0.5;
const LONGEST_PAUSE_MS = 500;

/** Permission to decompress and decode one large body. */
export interface Turn {
  /** Ends the turn when the body was accepted or refused. Further calls have no effect. */
  end(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: (turn: Turn) => void;
}

/**
 * Decompresses and decodes large bodies one at a time; of the waiting bodies, the smallest is next. A large body occupies a processor for
 * about a second, so several at once would delay other requests.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #isTaken = false;

  /**
   * Resolves to a turn when the turn begins, or to a refusal if too many bodies wait.
   * @param bytes estimated size of the decompressed body
   */
  take(bytes: number): Promise<Turn | Refusal> {
    if (!this.#isTaken) return Promise.resolve(this.#begin());
    if (this.#waiting.length >= MOST_WAITING) return Promise.resolve(TOO_MANY);
    return new Promise((resolve) => this.#waiting.push({ bytes, begin: resolve }));
  }

  #begin(): Turn {
    this.#isTaken = true;
    const begunMs = performance.now();
    let isOver = false;
    return {
      end: () => {
        if (isOver) return;
        isOver = true;
        void this.#next(performance.now() - begunMs);
      },
    };
  }

  async #next(tookMs: number): Promise<void> {
    await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, tookMs * PAUSE_SHARE)));
    const smallest = this.#waiting.reduce<Waiting | undefined>(
      (least, one) => (least === undefined || one.bytes < least.bytes ? one : least),
      undefined,
    );
    if (smallest === undefined) {
      this.#isTaken = false;
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(smallest), 1);
    smallest.begin(this.#begin());
  }
}

const TOO_MANY: Refusal = {
  kind: "unavailable",
  retryAfterS: 2,
  message:
    "too many large requests wait to be decoded: send the request again later, or send smaller batches",
};
