/** A map with a maximum number of entries. When the maximum is exceeded, the entry that was set least recently is dropped. */
export class NewestEntries<Key, Value> extends Map<Key, Value> {
  readonly #most: number;
  readonly #onForgotten: ((key: Key) => void) | undefined;

  constructor(most: number, onForgotten?: (key: Key) => void) {
    super();
    this.#most = most;
    this.#onForgotten = onForgotten;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#most) return this;
    for (const oldest of this.keys()) {
      this.delete(oldest);
      this.#onForgotten?.(oldest);
      break;
    }
    return this;
  }
}
