import { type CallFingerprint, isCopy, loneCall, fingerprintOf } from "./call-fingerprint.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { SetIndex } from "../search/set-index.ts";

interface Entry {
  readonly boundary: FragmentBoundary;
  readonly fingerprint: CallFingerprint;
  readonly isLone: boolean;
  /** The intervals of time it touches. */
  readonly first: number;
  readonly last: number;
}

const STRETCH_MS = 4_000;
/** A call that takes longer is found by its first ten minutes. */
const MOST_STRETCHES = 150;

/** Calls by their time, to find a lone call's original in another trace, and an original's copies. */
export class NearbyCalls {
  readonly #entries = new Map<FragmentBoundary, readonly Entry[]>();
  readonly #byStretch = new SetIndex<number, Entry>();
  readonly #byResponse = new SetIndex<string, Entry>();
  /** How many calls each scope has: where all are of one, none is a copy. */
  readonly #scopes = new Map<string, number>();

  add(boundary: FragmentBoundary): void {
    const lone = loneCall(boundary);
    const entries = boundary.fragment.calls.map((call): Entry => {
      const fingerprint = fingerprintOf(call);
      const first = Math.floor((fingerprint.start - 1) / STRETCH_MS);
      const last = Math.min(Math.floor((fingerprint.end + 1) / STRETCH_MS), first + MOST_STRETCHES);
      return { boundary, fingerprint, isLone: call === lone, first, last };
    });
    this.#entries.set(boundary, entries);
    for (const entry of entries) {
      const { scope, responseId } = entry.fingerprint;
      this.#scopes.set(scope, (this.#scopes.get(scope) ?? 0) + 1);
      if (responseId !== undefined) this.#byResponse.add(responseId, entry);
      for (const stretch of stretchesOf(entry)) this.#byStretch.add(stretch, entry);
    }
  }

  remove(boundary: FragmentBoundary): void {
    for (const entry of this.#entries.get(boundary) ?? []) {
      const { scope, responseId } = entry.fingerprint;
      const left = (this.#scopes.get(scope) ?? 0) - 1;
      if (left > 0) this.#scopes.set(scope, left);
      else this.#scopes.delete(scope);
      if (responseId !== undefined) this.#byResponse.delete(responseId, entry);
      for (const stretch of stretchesOf(entry)) this.#byStretch.delete(stretch, entry);
    }
    this.#entries.delete(boundary);
  }

  /** Adds the fragments whose calls are copies of this one's, or the other way round. */
  copiesAround(boundary: FragmentBoundary, to: Set<FragmentBoundary>): void {
    if (this.#scopes.size < 2) return;
    for (const entry of this.#entries.get(boundary) ?? []) {
      const { responseId } = entry.fingerprint;
      if (responseId !== undefined) addCopies(entry, this.#byResponse.get(responseId), to);
      for (const stretch of stretchesOf(entry)) addCopies(entry, this.#byStretch.get(stretch), to);
    }
  }
}

function addCopies(entry: Entry, others: Iterable<Entry>, to: Set<FragmentBoundary>): void {
  for (const other of others) {
    const isTied =
      (entry.isLone && isCopy(entry.fingerprint, other.fingerprint)) ||
      (other.isLone && isCopy(other.fingerprint, entry.fingerprint));
    if (isTied) to.add(other.boundary);
  }
}

function* stretchesOf({ first, last }: Entry): Generator<number> {
  for (let at = first; at <= last; at++) yield at;
}
