import { NearbyCalls } from "./nearby-calls.ts";
import type { Seams } from "./seams.ts";
import { SetIndex } from "./set-index.ts";
import { type Ties, tiesOf } from "./ties.ts";

/** Finds the fragments that may be of one run, among many that are not. */
export class Kin {
  readonly #ties = new Map<Seams, Ties>();
  readonly #left = new SetIndex<string, Seams>();
  readonly #taken = new SetIndex<string, Seams>();
  readonly #calls = new NearbyCalls();

  add(seams: Seams): void {
    const ties = tiesOf(seams);
    this.#ties.set(seams, ties);
    for (const tie of ties.left) this.#left.add(tie, seams);
    for (const tie of ties.taken) this.#taken.add(tie, seams);
    this.#calls.add(seams);
  }

  remove(seams: Seams): void {
    const ties = this.#ties.get(seams);
    if (ties === undefined) return;
    this.#ties.delete(seams);
    for (const tie of ties.left) this.#left.delete(tie, seams);
    for (const tie of ties.taken) this.#taken.delete(tie, seams);
    this.#calls.remove(seams);
  }

  /** A fragment and all that are tied to it, directly or over others. */
  of(seams: Seams): Set<Seams> {
    const found = new Set([seams]);
    const [left, taken] = [new Set<string>(), new Set<string>()];
    for (const one of found) {
      const ties = this.#ties.get(one);
      for (const tie of fresh(ties?.left, left)) for (const other of this.#taken.get(tie)) found.add(other);
      for (const tie of fresh(ties?.taken, taken)) for (const other of this.#left.get(tie)) found.add(other);
      this.#calls.copiesAround(one, found);
    }
    return found;
  }
}

/** Those ties that nobody had yet; many fragments may have the same. */
function* fresh(ties: readonly string[] | undefined, seen: Set<string>): Generator<string> {
  for (const tie of ties ?? []) {
    if (seen.has(tie)) continue;
    seen.add(tie);
    yield tie;
  }
}
