import type { CallPrints } from "./call-prints.ts";
import { type Group, groupFragments } from "./group-fragments.ts";
import type { JoinOptions } from "./join-options.ts";
import type { Seams } from "./seams.ts";

interface Waiting {
  readonly seams: Seams;
  readonly addedMs: number;
  /** When it was last given out as part of a run; undefined: not yet. */
  releasedMs: number | undefined;
}

/** The fragments of one service that may belong together: those that wait, and those given out a short while ago. */
export class Shelf {
  readonly #options: JoinOptions;
  readonly #released: CallPrints;
  #waiting: Waiting[] = [];
  #dueMs = Infinity;
  /** Something was added that may complete a run at once. */
  #closing = false;

  constructor(options: JoinOptions, released: CallPrints) {
    this.#options = options;
    this.#released = released;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Traces of which something is here. */
  get traceIds(): string[] {
    return this.#waiting.map(({ seams }) => seams.fragment.traceId);
  }

  add(seams: Seams, nowMs: number): void {
    this.#waiting.push({ seams, addedMs: nowMs, releasedMs: undefined });
    this.#dueMs = Math.min(this.#dueMs, nowMs + this.#options.quietMs);
    this.#closing ||= seams.isWhole;
  }

  /** Forgets what is here of a trace that comes again. */
  removeTrace(traceId: string): void {
    this.#waiting = this.#waiting.filter(({ seams }) => seams.fragment.traceId !== traceId);
  }

  /** Runs that wait for nothing more. */
  due(nowMs: number): Group[] {
    if (nowMs < this.#dueMs && !this.#closing) return [];
    this.#closing = false;
    this.#forget(nowMs);
    const byStart = new Map(this.#waiting.map((one) => [one.seams, one]));
    const due = groupFragments([...byStart.keys()], this.#released).filter((group) => {
      const members = group.members.flatMap((seams) => byStart.get(seams) ?? []);
      if (members.every(({ releasedMs }) => releasedMs !== undefined)) return false;
      if (!this.#isQuiet(members, nowMs) && !isClosed(group)) return false;
      for (const one of members) one.releasedMs = nowMs;
      return true;
    });
    this.#planNext();
    return due;
  }

  /** Everything that has not been given out yet, as it is. */
  drain(): Group[] {
    const fresh = new Set(
      this.#waiting.filter(({ releasedMs }) => releasedMs === undefined).map(({ seams }) => seams),
    );
    const groups = groupFragments(
      this.#waiting.map(({ seams }) => seams),
      this.#released,
    );
    this.#waiting = [];
    this.#dueMs = Infinity;
    return groups.filter(({ members }) => members.some((one) => fresh.has(one)));
  }

  /** Gives out the oldest groups until at most `limit` fragments are left. */
  shrink(limit: number): Group[] {
    this.#waiting = this.#waiting.filter(({ releasedMs }) => releasedMs === undefined);
    if (this.#waiting.length <= limit) return [];
    const old = this.#waiting.slice(0, this.#waiting.length - limit).map(({ seams }) => seams);
    const groups = groupFragments(old, this.#released);
    this.#waiting = this.#waiting.slice(-limit);
    return groups;
  }

  #isQuiet(members: readonly Waiting[], nowMs: number): boolean {
    return members.every(({ addedMs }) => nowMs - addedMs >= this.#options.quietMs);
  }

  #forget(nowMs: number): void {
    this.#waiting = this.#waiting.filter(
      ({ releasedMs }) => releasedMs === undefined || nowMs - releasedMs < this.#options.lateMs,
    );
  }

  #planNext(): void {
    this.#dueMs = Infinity;
    for (const { addedMs, releasedMs } of this.#waiting) {
      const at =
        releasedMs === undefined ? addedMs + this.#options.quietMs : releasedMs + this.#options.lateMs;
      this.#dueMs = Math.min(this.#dueMs, at);
    }
  }
}

/** A run whose last part is an agent's, and ended with an answer. */
function isClosed({ members }: Group): boolean {
  return members[members.length - 1]?.isWhole === true;
}
