/** An index with several values for each key. */
export class SetIndex<Key, Value> {
  readonly #sets = new Map<Key, Set<Value>>();

  add(key: Key, value: Value): void {
    const known = this.#sets.get(key);
    if (known === undefined) this.#sets.set(key, new Set([value]));
    else known.add(value);
  }

  delete(key: Key, value: Value): void {
    const known = this.#sets.get(key);
    known?.delete(value);
    if (known?.size === 0) this.#sets.delete(key);
  }

  get isEmpty(): boolean {
    return this.#sets.size === 0;
  }

  entries(): IterableIterator<[Key, ReadonlySet<Value>]> {
    return this.#sets.entries();
  }

  get(key: Key): ReadonlySet<Value> {
    return this.#sets.get(key) ?? nothing;
  }
}

const nothing: ReadonlySet<never> = new Set();
