/** Memoises several functions of one object. The functions must not depend on anything else. */
export class Findings<Thing> {
  // Two lists and no map: few functions ask about one thing, and a map for each span and call costs more than looking through.
  readonly #finds: ((thing: Thing) => unknown)[] = [];
  readonly #found: unknown[] = [];

  of<T>(thing: Thing, find: (thing: Thing) => T): T {
    const at = this.#finds.indexOf(find);
    if (at >= 0) return this.#found[at] as T;
    const fresh = find(thing);
    this.#finds.push(find);
    this.#found.push(fresh);
    return fresh;
  }
}
