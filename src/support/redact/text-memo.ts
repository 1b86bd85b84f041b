/**
 * Minimum length in characters of a cached text. Shorter texts are not cached, because computing their result
 * is fast. Texts above `LONGEST` are not cached either, because they would fill the memory.
 */
const SHORTEST = 8;
const LONGEST = 2 ** 20;
/** Maximum total length of all cached texts. */
const MOST_CHARACTERS = 8 * 2 ** 20;
const MOST_TEXTS = 2 ** 16;

/** Caches the results of `derive` for repeated texts. */
export class TextMemo {
  readonly #derive: (text: string) => string;
  readonly #known = new Map<string, string>();
  #characters = 0;

  /** @param derive function whose result depends only on the text */
  constructor(derive: (text: string) => string) {
    this.#derive = derive;
  }

  has(text: string): boolean {
    return text.length >= SHORTEST && this.#known.has(text);
  }

  get(text: string): string {
    if (text.length < SHORTEST || text.length > LONGEST) return this.#derive(text);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const derived = this.#derive(text);
    // The whole cache is cleared. Texts that repeat are soon cached again.
    if (this.#characters > MOST_CHARACTERS || this.#known.size >= MOST_TEXTS) {
      this.#known.clear();
      this.#characters = 0;
    }
    this.#characters += text.length + (derived === text ? 0 : derived.length);
    const own = ownCopy(text);
    this.#known.set(own, derived === text ? own : derived);
    return derived;
  }
}

/** Returns a copy of a text. In V8, a substring keeps the long text from which it was taken in memory. */
function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
