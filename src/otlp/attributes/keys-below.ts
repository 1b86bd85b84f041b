import { remembered } from "../../support/structures/bounded-memo.ts";
import { symbolName } from "./attribute-symbols.ts";

/** Maximum number of cached prefixes. Adapters declare only few; above the maximum, the cache is cleared. */
const MOST_PREFIXES = 64;

const OUTSIDE = 1;
const NO_ITEM = 2;
const FIRST_ITEM = 3;
/** Largest code that is cached. The code of an item is its index plus `FIRST_ITEM`. */
const LARGEST_CODE = 65_535;
const FEWEST_SYMBOLS = 8_192;

/** Determines which keys are below a prefix, and which list item they belong to. The result is computed once for each symbol. */
export class KeysBelow {
  /** Number of parts of the prefix. */
  readonly depth: number;
  readonly #begin: string;
  /** For each symbol: 0 for unknown, `OUTSIDE`, `NO_ITEM`, or the item's index plus `FIRST_ITEM`. */
  #known = new Uint16Array(FEWEST_SYMBOLS);

  constructor(prefix: string) {
    this.depth = prefix.split(".").length;
    this.#begin = `${prefix}.`;
  }

  has(symbol: number): boolean {
    return this.#codeOf(symbol) !== OUTSIDE;
  }

  /** Returns the item index in a key below the prefix; NaN if no index follows the prefix. */
  itemOf(symbol: number): number {
    const code = this.#codeOf(symbol);
    return code < FIRST_ITEM ? Number.NaN : code - FIRST_ITEM;
  }

  /** Whether a key without a symbol is below the prefix. */
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

/** Returns the `KeysBelow` for a prefix; caches at most `MOST_PREFIXES`. */
export const keysBelow = remembered((prefix) => new KeysBelow(prefix), MOST_PREFIXES);

/** Returns the number that one to nine digits form; NaN for other texts. */
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
