/** A text that others are to be like, and how like at least, 0 to 1. */
export interface Wanted {
  readonly text: string;
  readonly least: number;
}

/** Rounding must not lose a text. */
const SLACK = 1e-6;

/**
 * Which of many texts may be as like another as they ask, by `similarity`: those that share too few pairs of neighbouring letters are
 * left out without being compared.
 *
 * With a common subsequence of L letters, m - L letters of one text are taken out and n - L of the other put in. Of the m + 1 pairs of the one, a
 * space before and after it, a letter taken out breaks two at most and a letter put in breaks one: 3L - m - n + 1 at least are in the other. Words
 * in another order have the same pairs, so the same holds for texts that are compared word by word.
 */
export class PairIndex {
  readonly #wanted: readonly Wanted[];
  /** By pair: the places in `wanted` of the texts that have it once, those of the texts that have it twice, and so on. */
  readonly #placesByPair = new Map<number, number[][]>();

  constructor(wanted: readonly Wanted[]) {
    this.#wanted = wanted;
    for (const [place, { text }] of wanted.entries()) {
      for (const [pair, turn] of pairsOf(text)) {
        let places = this.#placesByPair.get(pair);
        if (places === undefined) this.#placesByPair.set(pair, (places = []));
        (places[turn] ??= []).push(place);
      }
    }
  }

  /** Places of the texts that may be like enough, in order; the others are not. */
  candidates(text: string): number[] {
    const least = this.#wanted.map((wanted) => leastShared(text.length, wanted));
    if (least.every((pairs) => pairs === Infinity)) return [];
    const shared = new Int32Array(least.length);
    for (const [pair, turn] of pairsOf(text))
      for (const place of this.#placesByPair.get(pair)?.[turn] ?? [])
        shared[place] = (shared[place] ?? 0) + 1;
    return [...least.keys()].filter((place) => (shared[place] ?? 0) >= (least[place] ?? Infinity));
  }
}

/** How many pairs a text of this length shares at least with one that is like it; infinite when none can be, by its length. */
function leastShared(length: number, { text, least }: Wanted): number {
  const sum = length + text.length;
  if (2 * Math.min(length, text.length) < (least - SLACK) * sum) return Infinity;
  return Math.ceil((1.5 * least - 1) * sum + 1 - SLACK);
}

/** Pairs of neighbouring letters of a text with a space before and after it, each with how often it came before. */
function* pairsOf(text: string): Generator<[pair: number, turn: number]> {
  const seen = new Map<number, number>();
  let before = 0x20;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    const pair = before * 0x10000 + code;
    const turn = seen.get(pair) ?? 0;
    seen.set(pair, turn + 1);
    yield [pair, turn];
    before = code;
  }
}
