import { type CallPrint, isCopy, loneCall, printOf } from "./call-print.ts";
import type { Seams } from "./seams.ts";
import { SetIndex } from "./set-index.ts";

interface Entry {
  readonly seams: Seams;
  readonly print: CallPrint;
  readonly isLone: boolean;
  /** The stretches of time it touches. */
  readonly first: number;
  readonly last: number;
}

const STRETCH_MS = 4_000;
/** A call that takes longer is found by its first ten minutes. */
const MOST_STRETCHES = 150;

/** Calls by their time, to find a lone call's original in another trace, and an original's copies. */
export class NearbyCalls {
  readonly #entries = new Map<Seams, readonly Entry[]>();
  readonly #byStretch = new SetIndex<number, Entry>();
  readonly #byResponse = new SetIndex<string, Entry>();
  /** How many calls each scope has: where all are of one, none is a copy. */
  readonly #scopes = new Map<string, number>();

  add(seams: Seams): void {
    const lone = loneCall(seams);
    const entries = seams.fragment.calls.map((call): Entry => {
      const print = printOf(call);
      const first = Math.floor((print.start - 1) / STRETCH_MS);
      const last = Math.min(Math.floor((print.end + 1) / STRETCH_MS), first + MOST_STRETCHES);
      return { seams, print, isLone: call === lone, first, last };
    });
    this.#entries.set(seams, entries);
    for (const entry of entries) {
      const { scope, responseId } = entry.print;
      this.#scopes.set(scope, (this.#scopes.get(scope) ?? 0) + 1);
      if (responseId !== undefined) this.#byResponse.add(responseId, entry);
      for (const stretch of stretchesOf(entry)) this.#byStretch.add(stretch, entry);
    }
  }

  remove(seams: Seams): void {
    for (const entry of this.#entries.get(seams) ?? []) {
      const { scope, responseId } = entry.print;
      const left = (this.#scopes.get(scope) ?? 0) - 1;
      if (left > 0) this.#scopes.set(scope, left);
      else this.#scopes.delete(scope);
      if (responseId !== undefined) this.#byResponse.delete(responseId, entry);
      for (const stretch of stretchesOf(entry)) this.#byStretch.delete(stretch, entry);
    }
    this.#entries.delete(seams);
  }

  /** Adds the fragments whose calls are copies of this one's, or the other way round. */
  copiesAround(seams: Seams, to: Set<Seams>): void {
    if (this.#scopes.size < 2) return;
    for (const entry of this.#entries.get(seams) ?? []) {
      const { responseId } = entry.print;
      if (responseId !== undefined) addCopies(entry, this.#byResponse.get(responseId), to);
      for (const stretch of stretchesOf(entry)) addCopies(entry, this.#byStretch.get(stretch), to);
    }
  }
}

function addCopies(entry: Entry, others: Iterable<Entry>, to: Set<Seams>): void {
  for (const other of others) {
    const isTied =
      (entry.isLone && isCopy(entry.print, other.print)) ||
      (other.isLone && isCopy(other.print, entry.print));
    if (isTied) to.add(other.seams);
  }
}

function* stretchesOf({ first, last }: Entry): Generator<number> {
  for (let at = first; at <= last; at++) yield at;
}
