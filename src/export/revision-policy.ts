import type { RevisionChoice } from "./settings.ts";

const mostHeld = 1000;

/**
 * Decides which revisions of a verdict are sent, and when. Revisions count from 1; the caller passes the
 * time.
 * - `all`: sends each revision at once.
 * - `first`: sends only the first.
 * - `final`: sends the first at once. If late spans change the verdict, it sends the last revision when the
 * late window is over.
 */
export class RevisionPolicy<Payload> {
  readonly #choice: RevisionChoice;
  readonly #lateWindowMs: number;
  /**
   * Newest revision of each verdict whose late window is open, in the order of waiting time, longest first.
   */
  readonly #held = new Map<string, { readonly payload: Payload; readonly dueUnixMs: number }>();

  constructor(choice: RevisionChoice, lateWindowMs: number) {
    this.#choice = choice;
    this.#lateWindowMs = lateWindowMs;
  }

  /** Returns whether a revision is sent now, held, or never sent. */
  decide(revision: number): "send" | "hold" | "leave" {
    if (revision <= 1 || this.#choice === "all") return "send";
    return this.#choice === "final" ? "hold" : "leave";
  }

  /** Replaces a held revision by a newer one. Returns revisions to send now, because too many are held. */
  hold(verdictId: string, payload: Payload, nowUnixMs: number): readonly Payload[] {
    this.#held.delete(verdictId);
    this.#held.set(verdictId, { payload, dueUnixMs: nowUnixMs + this.#lateWindowMs });
    return this.#held.size > mostHeld ? this.#takeOldest(1) : [];
  }

  /** Returns held revisions whose late window is over. */
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
