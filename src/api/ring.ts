/** Keeps the newest entries within a number and a size, in the order they came. */
export class Ring<Entry extends { readonly json: string }> {
  readonly #mostEntries: number;
  readonly #mostBytes: number;
  readonly #entries = new Map<string, Numbered<Entry>>();
  /** All entries, oldest first, and some that have been replaced or dropped since. */
  #queue: Numbered<Entry>[] = [];
  /** Where in the queue the oldest entry is that may still be there. */
  #head = 0;
  #bytes = 0;
  #added = 0;

  constructor(mostEntries: number, mostBytes: number) {
    this.#mostEntries = mostEntries;
    this.#mostBytes = mostBytes;
  }

  /** Replaces an entry of the same key. One too large for the whole ring is not kept. */
  put(key: string, entry: Entry): void {
    this.#drop(this.#entries.get(key));
    if (entry.json.length > this.#mostBytes) return;
    const numbered = { key, number: this.#added++, entry };
    this.#entries.set(key, numbered);
    this.#queue.push(numbered);
    this.#bytes += entry.json.length;
    while (this.#entries.size > this.#mostEntries || this.#bytes > this.#mostBytes) {
      this.#drop(this.#queue[this.#head++]);
    }
    if (this.#queue.length > 2 * this.#entries.size + 16) this.#compact();
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)?.entry;
  }

  /** Each with its number, which only grows. */
  *newestFirst(): Generator<readonly [number: number, entry: Entry]> {
    for (let at = this.#queue.length - 1; at >= this.#head; at--) {
      const numbered = this.#queue[at];
      if (numbered !== undefined && this.#isKept(numbered)) yield [numbered.number, numbered.entry];
    }
  }

  #isKept(numbered: Numbered<Entry>): boolean {
    return this.#entries.get(numbered.key) === numbered;
  }

  #drop(numbered: Numbered<Entry> | undefined): void {
    if (numbered === undefined || !this.#isKept(numbered)) return;
    this.#entries.delete(numbered.key);
    this.#bytes -= numbered.entry.json.length;
  }

  #compact(): void {
    this.#queue = this.#queue.filter((numbered) => this.#isKept(numbered));
    this.#head = 0;
  }
}

interface Numbered<Entry> {
  readonly key: string;
  readonly number: number;
  readonly entry: Entry;
}
