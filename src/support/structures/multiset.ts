/**
 * A set that counts how often each key was added. A key stays in the set until it was removed as often as it
 * was added.
 */
export class Multiset<Key> {
  readonly #counts = new Map<Key, number>();

  /** Number of different keys. */
  get size(): number {
    return this.#counts.size;
  }

  has(key: Key): boolean {
    return this.#counts.has(key);
  }

  add(key: Key): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  remove(key: Key): void {
    const left = (this.#counts.get(key) ?? 1) - 1;
    if (left === 0) this.#counts.delete(key);
    else this.#counts.set(key, left);
  }
}
