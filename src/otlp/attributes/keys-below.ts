import { remembered } from "../../support/structures/bounded-memo.ts";
import { symbolName } from "./attribute-symbols.ts";

/** Maximum number of cached prefixes. Adapters declare only a few; above this number, the cache is cleared. */
const MOST_PREFIXES = 64;

const OUTSIDE = 1;
const NO_ITEM = 2;
const FIRST_ITEM = 3;
/** Largest cached code of a list item. The code is the item's index plus `FIRST_ITEM`. */
const LARGEST_CODE = 65_535;
const FEWEST_SYMBOLS = 8_192;

/** Determines which keys are below a prefix, and to which list item each belongs. The result is computed once for each symbol. */
export class KeysBelow {
  /** Number of parts of the prefix. */
  readonly depth: number;
  readonly #begin: string;
  /** For each symbol: 0 if not computed yet, `OUTSIDE`, `NO_ITEM`, or the item's index plus `FIRST_ITEM`. */
  #known = new Uint16Array(FEWEST_SYMBOLS);

  constructor(prefix: string) {
    this.depth = prefix.split(".").length;
    this.#begin = `${prefix}.`;
  }

  has(symbol: number): boolean {
    return this.#codeOf(symbol) !== OUTSIDE;
  }

  /** Returns the index that follows the prefix in a symbol's key; NaN if no index follows the prefix. */
  itemOf(symbol: number): number {
    const code = this.#codeOf(symbol);
    return code < FIRST_ITEM ? Number.NaN : code - FIRST_ITEM;
  }

  /** Whether a key is below the prefix. Used for keys without a symbol. */
  hasName(name: string): boolean {
    return name.startsWith(this.#begin);
  }

  itemOfName(name: string): number {
    return indexIn(name.split(".", this.depth + 1)[this.depth] ?? "");
  }

  #codeOf(symbol: number): number {
    const known = symbol < this.#known.length ? (this.#known[symbol] as number) : 0;
    return known === 0 ? this.#ask(symbol) : known;
  }

  #ask(symbol: number): number {
    const name = symbolName(symbol);
    const item = this.hasName(name) ? this.itemOfName(name) : undefined;
    const code = item === undefined ? OUTSIDE : Number.isNaN(item) ? NO_ITEM : item + FIRST_ITEM;
    if (code <= LARGEST_CODE) this.#keep(symbol, code);
    return code;
  }

  #keep(symbol: number, code: number): void {
    if (symbol >= this.#known.length) {
      const larger = new Uint16Array(2 ** Math.ceil(Math.log2(symbol + 1)));
      larger.set(this.#known);
      this.#known = larger;
    }
    this.#known[symbol] = code;
  }
}

/** Returns the `KeysBelow` for a prefix. At most `MOST_PREFIXES` of them are cached. */
export const keysBelow = remembered((prefix) => new KeysBelow(prefix), MOST_PREFIXES);

/** Returns the number that a text of one to nine digits means; NaN for any other text. */
export function indexIn(part: string): number {
  if (part.length === 0 || part.length > 9) return Number.NaN;
  let index = 0;
  for (let i = 0; i < part.length; i++) {
    const digit = part.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    index = index * 10 + digit;
  }
  return index;
}
