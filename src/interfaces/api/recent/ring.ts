/** Stores the newest entries in order of arrival, up to a maximum number and a maximum total size. The size of an entry may change. */
export class Ring<Entry extends { readonly size: number }> {
  readonly #mostEntries: number;
  readonly #mostSize: number;
  readonly #entries = new Map<string, Numbered<Entry>>();
  /**
   * Entries in order of arrival. The place of a replaced or dropped entry stays in the queue, without content, until the queue is
   * compacted.
   */
  #queue: Numbered<Entry>[] = [];
  /** Index in the queue of the oldest place that may still have content. */
  #head = 0;
  #size = 0;
  #added = 0;

  constructor(mostEntries: number, mostSize: number) {
    this.#mostEntries = mostEntries;
    this.#mostSize = mostSize;
  }

  /**
   * Adds an entry, or replaces the entry with the same key. An entry that is larger than the size limit is
   * dropped.
   */
  put(key: string, entry: Entry): void {
    this.#drop(this.#entries.get(key));
    if (entry.size > this.#mostSize) return;
    const numbered = { key, number: this.#added++, entry, size: entry.size };
    this.#entries.set(key, numbered);
    this.#queue.push(numbered);
    this.#size += entry.size;
    this.#fit();
    if (this.#queue.length > 2 * this.#entries.size + 16) this.#compact();
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)?.entry;
  }

  /** Must be called after the size of the entry has changed. */
  resized(key: string): void {
    const numbered = this.#entries.get(key);
    if (numbered?.entry === undefined) return;
    const { size } = numbered.entry;
    if (size > this.#mostSize) return this.#drop(numbered);
    this.#size += size - numbered.size;
    numbered.size = size;
    this.#fit();
  }

  drop(key: string): void {
    this.#drop(this.#entries.get(key));
  }

  /** Yields the entries, newest first, each with its sequence number. */
  *newestFirst(): Generator<readonly [number: number, entry: Entry]> {
    for (let at = this.#queue.length - 1; at >= this.#head; at--) {
      const numbered = this.#queue[at];
      if (numbered?.entry !== undefined) yield [numbered.number, numbered.entry];
    }
  }

  #fit(): void {
    while (this.#entries.size > this.#mostEntries || this.#size > this.#mostSize) {
      this.#drop(this.#queue[this.#head++]);
    }
  }

  #drop(numbered: Numbered<Entry> | undefined): void {
    if (numbered?.entry === undefined) return;
    this.#entries.delete(numbered.key);
    this.#size -= numbered.size;
    numbered.entry = undefined;
  }

  #compact(): void {
    this.#queue = this.#queue.filter(({ entry }) => entry !== undefined);
    this.#head = 0;
  }
}

interface Numbered<Entry> {
  readonly key: string;
  readonly number: number;
  /** The entry. Undefined after it was replaced or dropped, so that its memory can be freed. */
  entry: Entry | undefined;
  size: number;
}
