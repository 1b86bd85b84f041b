import type { Verdict } from "../model/verdict.ts";
import type { RevisionChoice } from "./settings.ts";

const mostRemembered = 100_000;

/**
 * Decides which revisions of a verdict go out, and when. Time is told by the caller.
 * - `all`: each, at once.
 * - `first`: only the first, at once.
 * - `final`: the first at once; when late spans changed it, the last one again, after the late window.
 */
export class RevisionPolicy {
  readonly #choice: RevisionChoice;
  readonly #lateWindowMs: number;
  /** When each verdict was first seen; oldest first. */
  readonly #firstSeen = new Map<string, number>();
  /** The newest revision of each verdict that waits for its late window to end. */
  readonly #held = new Map<string, { readonly verdict: Verdict; readonly dueUnixMs: number }>();

  constructor(choice: RevisionChoice, lateWindowMs: number) {
    this.#choice = choice;
    this.#lateWindowMs = lateWindowMs;
  }

  /** True when the verdict goes out now; else it was left out, or is held. */
  admits(verdict: Verdict, nowUnixMs: number): boolean {
    if (this.#choice === "all") return true;
    const seen = this.#firstSeen.get(verdict.verdictId);
    if (seen === undefined) {
      this.#remember(verdict.verdictId, nowUnixMs);
      return true;
    }
    if (this.#choice === "final") this.#hold(verdict, seen + this.#lateWindowMs);
    return false;
  }

  /** Held verdicts whose late window is over. */
  due(nowUnixMs: number): readonly Verdict[] {
    const due: Verdict[] = [];
    for (const [id, { verdict, dueUnixMs }] of this.#held) {
      if (dueUnixMs > nowUnixMs) continue;
      due.push(verdict);
      this.#held.delete(id);
    }
    return due;
  }

  /** All held verdicts: there will be no later revision. */
  drain(): readonly Verdict[] {
    return this.due(Infinity);
  }

  #hold(verdict: Verdict, dueUnixMs: number): void {
    const held = this.#held.get(verdict.verdictId);
    if (held !== undefined && held.verdict.revision >= verdict.revision) return;
    this.#held.set(verdict.verdictId, { verdict, dueUnixMs });
  }

  #remember(id: string, nowUnixMs: number): void {
    this.#firstSeen.set(id, nowUnixMs);
    if (this.#firstSeen.size <= mostRemembered) return;
    for (const oldest of this.#firstSeen.keys()) {
      this.#firstSeen.delete(oldest);
      return;
    }
  }
}
