import { remembered } from "../../support/structures/bounded-memo.ts";
import { symbolName } from "./attribute-symbols.ts";

/** Prefixes are those that adapters declare, and few; with more than this the memory begins anew. */
const MOST_PREFIXES = 64;

const OUTSIDE = 1;
const NO_ITEM = 2;
const FIRST_ITEM = 3;
/** Texts of larger indices are not cached. */
const LARGEST_CODE = 65_535;
const FEWEST_SYMBOLS = 8_192;

/** Which keys lie below a prefix, and which item of the list there each is a part of: worked out once for each symbol. */
export class KeysBelow {
  /** How many parts the prefix has. */
  readonly depth: number;
  readonly #begin: string;
  /** By symbol: 0 not asked yet, `OUTSIDE`, `NO_ITEM`, or the item's index counted from `FIRST_ITEM`. */
  #known = new Uint16Array(FEWEST_SYMBOLS);

  constructor(prefix: string) {
    this.depth = prefix.split(".").length;
    this.#begin = `${prefix}.`;
  }

  has(symbol: number): boolean {
    return this.#codeOf(symbol) !== OUTSIDE;
  }

  /** The index of the item of a key that is below the prefix; NaN where what follows the prefix is no index. */
  itemOf(symbol: number): number {
    const code = this.#codeOf(symbol);
    return code < FIRST_ITEM ? Number.NaN : code - FIRST_ITEM;
  }

  /** The same of a key that has no symbol. */
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

/** The cached result for a prefix; the cache is emptied when it has too many entries. */
export const keysBelow = remembered((prefix) => new KeysBelow(prefix), MOST_PREFIXES);

/** The number that at most nine digits are; NaN for any other part of a key. */
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
