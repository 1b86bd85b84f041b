/** Number of characters of an id that the index uses. Most ids of a provider begin with the same characters. */
const PREFIX = 5;

/** Finds ids in texts. The time does not depend on how many ids begin with the same characters. */
export class IdFinder {
  readonly #byPrefix = new Map<string, { readonly ids: Set<string>; readonly lengths: Set<number> }>();

  constructor(ids: Iterable<string>) {
    for (const id of ids) {
      if (id === "") continue;
      const prefix = id.slice(0, PREFIX);
      const group = this.#byPrefix.get(prefix) ?? { ids: new Set(), lengths: new Set() };
      group.ids.add(id);
      group.lengths.add(id.length);
      this.#byPrefix.set(prefix, group);
    }
  }

  /** Calls `onId` with each id that the text contains. */
  find(text: string, onId: (id: string) => void): void {
    for (const [prefix, { ids, lengths }] of this.#byPrefix)
      for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1))
        for (const length of lengths) {
          const id = text.slice(at, at + length);
          if (ids.has(id)) onId(id);
        }
  }
}
