import { areCopies, CopyIndex } from "./copies.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { leavesOf, takesOf } from "./links.ts";
import { SetIndex } from "./set-index.ts";

/** Finds fragments that may belong together: one takes a link that another leaves, or one has only copies of another's calls. */
export class LinkIndex {
  readonly #left = new SetIndex<string, FragmentBoundary>();
  readonly #taken = new SetIndex<string, FragmentBoundary>();
  readonly #copies = new CopyIndex();
  /** Links as they were when the fragment was added: a copy may add fields to a call later. */
  readonly #links = new Map<FragmentBoundary, Links>();

  add(boundary: FragmentBoundary): void {
    const links = { left: leavesOf(boundary), taken: takesOf(boundary).flat() };
    this.#links.set(boundary, links);
    for (const link of links.left) this.#left.add(link, boundary);
    for (const link of links.taken) this.#taken.add(link, boundary);
    this.#copies.add(boundary);
  }

  delete(boundary: FragmentBoundary): void {
    const links = this.#links.get(boundary);
    if (links === undefined) return;
    this.#links.delete(boundary);
    for (const link of links.left) this.#left.delete(link, boundary);
    for (const link of links.taken) this.#taken.delete(link, boundary);
    this.#copies.delete(boundary);
  }

  /** Returns a fragment and all fragments linked to it, directly or indirectly. */
  linkedTo(boundary: FragmentBoundary): Set<FragmentBoundary> {
    const found = new Set([boundary]);
    const seen = new Set<string>();
    const add = (index: SetIndex<string, FragmentBoundary>, mark: string, link: string): void => {
      if (seen.has(mark + link)) return;
      seen.add(mark + link);
      for (const other of index.get(link)) found.add(other);
    };
    for (const one of found) {
      const links = this.#links.get(one);
      for (const link of links?.left ?? []) add(this.#taken, ">", link);
      for (const link of links?.taken ?? []) add(this.#left, "<", link);
      for (const other of this.#copies.candidates(one)) if (areCopies(one, other)) found.add(other);
    }
    return found;
  }
}

interface Links {
  readonly left: readonly string[];
  readonly taken: readonly string[];
}
