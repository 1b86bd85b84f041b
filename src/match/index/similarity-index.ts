import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import { type Hit, hitOf } from "../hit.ts";
import { normaliseText } from "../rules/normalise.ts";
import { Likeness, Wording } from "../rules/similarity.ts";

/** A text, and the minimum similarity (0 to 1) of texts that match it. */
interface Wanted {
  readonly text: string;
  readonly least: number;
}

/** Tolerance, so that rounding excludes no text. */
const SLACK = 1e-6;

/**
 * Finds the texts that may reach their minimum similarity to a given text. A text that shares too few character bigrams with the given text
 * is excluded without comparing the two.
 *
 * Proof: two texts of m and n letters with a common subsequence of L letters share at least 3L − m − n + 1 bigrams. The first text has m +
 * 1 bigrams, counting a space before and after the text. Turning the first text into the second removes m − L letters, which break at most
 * two bigrams each, and inserts n − L letters, which break at most one bigram each. Sorting the words of a text does not change its
 * bigrams, so the same holds for texts with sorted words.
 */
class PairIndex {
  readonly #wanted: readonly Wanted[];
  /** For each bigram: indices in `wanted` of the texts with at least one such bigram, at least two, and so on. */
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

  /** Returns the indices of texts that may be similar enough, in order. Texts without an index in the result are not similar enough. */
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

/** Maximum number of compared characters. Of longer texts, only the beginning is compared. */
const longestCompared = 2000;

interface Entry {
  readonly query: CompiledQuery;
  readonly text: string;
  readonly least: number;
  /** The prepared text, created at the first comparison. */
  wording: Wording | undefined;
}

export class SimilarityIndex {
  readonly #entries: readonly Entry[];
  readonly #index: PairIndex;

  constructor(queries: readonly CompiledQuery[]) {
    this.#entries = queries.flatMap((query) => {
      const least = query.match.similarity;
      if (least === undefined || query.text === "*") return [];
      return [{ query, text: compared(query.text), least, wording: undefined }];
    });
    this.#index = new PairIndex(this.#entries);
  }

  /** Returns the queries whose minimum similarity the text reaches, in the order of the spec. */
  hits(text: string): readonly Hit[] {
    if (this.#entries.length === 0) return [];
    const hits: Hit[] = [];
    const own = compared(text);
    let likeness: Likeness | undefined;
    for (const place of this.#index.candidates(own)) {
      const entry = this.#entries[place];
      if (entry === undefined) continue;
      likeness ??= new Likeness(own);
      const wording = (entry.wording ??= new Wording(entry.text));
      if (wording.bound(likeness.wording) < entry.least) continue;
      const score = likeness.to(wording, entry.least);
      if (score >= entry.least) hits.push(hitOf(entry.query, undefined, score));
    }
    return hits;
  }
}

function compared(text: string): string {
  return normaliseText(text).slice(0, longestCompared);
}

/** Returns the minimum number of bigrams that a similar text shares with a text of this length. Infinity if the lengths differ too much. */
function leastShared(length: number, { text, least }: Wanted): number {
  const sum = length + text.length;
  if (2 * Math.min(length, text.length) < (least - SLACK) * sum) return Infinity;
  return Math.ceil((1.5 * least - 1) * sum + 1 - SLACK);
}

/**
 * Yields the character bigrams of a text with a space before and after it. `turn` is the number of earlier occurrences of the same bigram.
 */
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
