import type { RevisionChoice } from "./settings.ts";

const mostHeld = 1000;

/**
 * Decides which revisions of a verdict are sent, and when. Revisions count from 1, and the caller passes the
 * time.
 * - `all`: each revision is sent at once.
 * - `first`: only the first revision is sent.
 * - `final`: the first revision is sent at once, and the last revision when the late window is over.
 */
export class RevisionPolicy<Payload> {
  readonly #choice: RevisionChoice;
  readonly #lateWindowMs: number;
  /** Newest unsent revision of each verdict, in the order in which the revisions are due. */
  readonly #held = new Map<string, { readonly payload: Payload; readonly dueUnixMs: number }>();

  constructor(choice: RevisionChoice, lateWindowMs: number) {
    this.#choice = choice;
    this.#lateWindowMs = lateWindowMs;
  }

  /** Returns whether a revision is sent now (`send`), held (`hold`) or not sent (`leave`). */
  decide(revision: number): "send" | "hold" | "leave" {
    if (revision <= 1 || this.#choice === "all") return "send";
    return this.#choice === "final" ? "hold" : "leave";
  }

  /**
   * Holds a revision, in place of an earlier revision of the verdict. If too many revisions are held,
   * returns the oldest to send now.
   */
  hold(verdictId: string, payload: Payload, nowUnixMs: number): readonly Payload[] {
    this.#held.delete(verdictId);
    this.#held.set(verdictId, { payload, dueUnixMs: nowUnixMs + this.#lateWindowMs });
    return this.#held.size > mostHeld ? this.#takeOldest(1) : [];
  }

  /** Returns the held revisions whose late window is over, and stops holding these revisions. */
  due(nowUnixMs: number): readonly Payload[] {
    let due = 0;
    for (const { dueUnixMs } of this.#held.values()) {
      if (dueUnixMs > nowUnixMs) break;
      due++;
    }
    return this.#takeOldest(due);
  }

  /** Returns all held revisions, because no later revision can follow. */
  drain(): readonly Payload[] {
    return this.#takeOldest(this.#held.size);
  }

  #takeOldest(number: number): readonly Payload[] {
    const released = [...this.#held].slice(0, number);
    for (const [id] of released) this.#held.delete(id);
    return released.map(([, { payload }]) => payload);
  }
}
