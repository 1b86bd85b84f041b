import { setTimeout as sleep } from "node:timers/promises";
import type { Refusal } from "../ports.ts";

/** Bodies above this size, as they are read, take turns. Smaller ones take a tenth of a second to read at worst. */
export const LARGE_BODY_BYTES = 4 << 20;

/** Large bodies that may wait; each holds its bytes from the wire meanwhile. */
const MOST_WAITING = 64;
/** Between two turns requests of others are served, for at least so long, and for this share of the time that the turn took. */
const LEAST_PAUSE_MS = 5;
const PAUSE_SHARE = 0.5;
const LONGEST_PAUSE_MS = 500;

/** The right to inflate and read a large body. */
export interface Turn {
  /** To be called once, when the body has been handed over or refused. */
  end(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: (turn: Turn) => void;
}

/**
 * Lets one large body at a time be inflated and read: each takes a processor for a second, and several at once would keep all
 * other requests waiting for as many. The smallest comes first.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #isTaken = false;

  /**
   * Resolves when it is the body's turn, or with a refusal when too many wait.
   * @param bytes that it will have, as far as is known
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
  message: "too many large requests wait to be read: send it again, in smaller requests if possible",
};
