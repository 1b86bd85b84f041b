/** Shorter texts are derived again, and longer ones would fill the memory. */
const SHORTEST = 8;
const LONGEST = 2 ** 20;
/** Of all texts that are remembered. */
const MOST_CHARACTERS = 8 * 2 ** 20;
const MOST_TEXTS = 2 ** 16;

/** Remembers what was derived from texts that repeat. */
export class TextMemo {
  readonly #derive: (text: string) => string;
  readonly #known = new Map<string, string>();
  #characters = 0;

  /** @param derive must depend on nothing but the text */
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
    // Cleared as a whole, because what repeats is soon there again.
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

/** A part of a long text keeps the whole text in memory; its copy does not. */
function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
