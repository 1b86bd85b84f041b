/** What functions found out about one thing, each found out once. The functions must depend on nothing but the thing. */
export class Findings<Thing> {
  readonly #known = new Map<(thing: Thing) => unknown, unknown>();

  of<T>(thing: Thing, find: (thing: Thing) => T): T {
    const known = this.#known as Map<(thing: Thing) => T, T>;
    const found = known.get(find);
    if (found !== undefined || known.has(find)) return found as T;
    const fresh = find(thing);
    known.set(find, fresh);
    return fresh;
  }
}
