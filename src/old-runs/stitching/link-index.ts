import { NearbyCalls } from "./nearby-calls.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { SetIndex } from "../search/set-index.ts";
import { type LinkKeys, linkKeysOf } from "./link-keys.ts";

/** Finds the fragments that may be of one run, among many that are not. */
export class LinkIndex {
  /** Added since fragments were last searched: a replay that is read once never searches any. */
  readonly #fresh = new Set<FragmentBoundary>();
  readonly #linkKeys = new Map<FragmentBoundary, LinkKeys>();
  readonly #left = new SetIndex<string, FragmentBoundary>();
  readonly #taken = new SetIndex<string, FragmentBoundary>();
  readonly #calls = new NearbyCalls();

  add(boundary: FragmentBoundary): void {
    this.#fresh.add(boundary);
  }

  #index(boundary: FragmentBoundary): void {
    const linkKeys = linkKeysOf(boundary);
    this.#linkKeys.set(boundary, linkKeys);
    for (const tie of linkKeys.left) this.#left.add(tie, boundary);
    for (const tie of linkKeys.taken) this.#taken.add(tie, boundary);
    this.#calls.add(boundary);
  }

  remove(boundary: FragmentBoundary): void {
    if (this.#fresh.delete(boundary)) return;
    const linkKeys = this.#linkKeys.get(boundary);
    if (linkKeys === undefined) return;
    this.#linkKeys.delete(boundary);
    for (const tie of linkKeys.left) this.#left.delete(tie, boundary);
    for (const tie of linkKeys.taken) this.#taken.delete(tie, boundary);
    this.#calls.remove(boundary);
  }

  /** A fragment and all that are tied to it, directly or over others. */
  of(boundary: FragmentBoundary): Set<FragmentBoundary> {
    for (const one of this.#fresh) this.#index(one);
    this.#fresh.clear();
    const found = new Set([boundary]);
    const [left, taken] = [new Set<string>(), new Set<string>()];
    for (const one of found) {
      const linkKeys = this.#linkKeys.get(one);
      for (const tie of fresh(linkKeys?.left, left))
        for (const other of this.#taken.get(tie)) found.add(other);
      for (const tie of fresh(linkKeys?.taken, taken))
        for (const other of this.#left.get(tie)) found.add(other);
      this.#calls.copiesAround(one, found);
    }
    return found;
  }
}

/** Those linkKeys that nobody had yet; many fragments may have the same. */
function* fresh(linkKeys: readonly string[] | undefined, seen: Set<string>): Generator<string> {
  for (const tie of linkKeys ?? []) {
    if (seen.has(tie)) continue;
    seen.add(tie);
    yield tie;
  }
}
