import type { RevisionChoice } from "./settings.ts";

const mostHeld = 1000;

/**
 * Decides which revisions of a verdict are sent, and when. Revisions count from 1.
 * - `all`: each revision is sent at once.
 * - `first`: only the first revision is sent.
 * - `final`: the first revision is sent at once, and the last revision when the late window is over.
 */
export class RevisionPolicy<Payload> {
  readonly #choice: RevisionChoice;
  readonly #lateWindowMs: number;
  /** Newest unsent revision of each verdict, ordered by the time at which it is due. */
  readonly #held = new Map<string, { readonly payload: Payload; readonly dueMs: number }>();

  constructor(choice: RevisionChoice, lateWindowMs: number) {
    this.#choice = choice;
    this.#lateWindowMs = lateWindowMs;
  }

  /** Decides what to do with a revision. `send`: send it now. `hold`: pass it to `hold`, to send it later. `leave`: do not send it. */
  decide(revision: number): "send" | "hold" | "leave" {
    if (revision <= 1 || this.#choice === "all") return "send";
    return this.#choice === "final" ? "hold" : "leave";
  }

  /**
   * Holds a revision. It replaces an earlier held revision of the same verdict. If more than `mostHeld` revisions are held, returns the
   * oldest, which must be sent now.
   */
  hold(verdictId: string, payload: Payload, nowMs: number): readonly Payload[] {
    this.#held.delete(verdictId);
    this.#held.set(verdictId, { payload, dueMs: nowMs + this.#lateWindowMs });
    return this.#held.size > mostHeld ? this.#takeOldest(1) : [];
  }

  /** Removes and returns the held revisions whose late window (the time in which a later revision can follow) is over. */
  due(nowMs: number): readonly Payload[] {
    let due = 0;
    for (const { dueMs } of this.#held.values()) {
      if (dueMs > nowMs) break;
      due++;
    }
    return this.#takeOldest(due);
  }

  /** Removes and returns all held revisions. Call `drain` when no later revision can follow. */
  drain(): readonly Payload[] {
    return this.#takeOldest(this.#held.size);
  }

  #takeOldest(number: number): readonly Payload[] {
    const released = [...this.#held].slice(0, number);
    for (const [id] of released) this.#held.delete(id);
    return released.map(([, { payload }]) => payload);
  }
}
