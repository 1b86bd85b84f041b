import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import { type Hit, hitOf } from "../hit.ts";
import { normaliseText } from "../rules/normalise.ts";
import { Likeness, Wording } from "../rules/similarity.ts";

/** A text with the minimum similarity that another text must reach, from 0 to 1. */
interface Wanted {
  readonly text: string;
  readonly least: number;
}

/** Tolerance in the comparison of similarities, so that rounding does not exclude a text. */
const SLACK = 1e-6;

/**
 * Finds the texts that may reach their minimum `similarity` to a given text. A text that shares too few
 * pairs of neighbouring letters with the given text is excluded without comparison.
 *
 * Let texts of m and n letters have a common subsequence of L letters: m - L letters of one text are removed
 * and n - L letters of the other text are inserted. A text of m letters has m + 1 pairs, with a space before
 * and after it. Each removed letter breaks at most two pairs, each inserted letter one. Therefore at least
 * 3L - m - n + 1 pairs also occur in the other text. The order of words does not change a text's letter
 * pairs, so the bound also holds for word-by-word comparison.
 */
class PairIndex {
  readonly #wanted: readonly Wanted[];
  /**
   * For each pair of letters: the indices in `wanted` of texts with at least one such pair, of texts with at
   * least two such pairs, and so on.
   */
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

  /**
   * Returns the indices of texts that may be similar enough, in order. A text without an index here is not
   * similar enough.
   */
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

/** Maximum number of compared characters. Longer texts are compared by their beginning. */
const longestCompared = 2000;

interface Entry {
  readonly query: CompiledQuery;
  readonly text: string;
  readonly least: number;
  /** Prepared text; created at the first comparison. */
  wording: Wording | undefined;
}

/** Index of the queries that match by similarity. */
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
    let asked: Likeness | undefined;
    for (const place of this.#index.candidates(own)) {
      const entry = this.#entries[place];
      if (entry === undefined) continue;
      asked ??= new Likeness(own);
      const wording = (entry.wording ??= new Wording(entry.text));
      if (wording.bound(asked.wording) < entry.least) continue;
      const score = asked.to(wording, entry.least);
      if (score >= entry.least) hits.push(hitOf(entry.query, undefined, score));
    }
    return hits;
  }
}

function compared(text: string): string {
  return normaliseText(text).slice(0, longestCompared);
}

/**
 * Returns the minimum number of pairs that a similar text shares with a text of this length; infinite if the
 * lengths differ too much.
 */
function leastShared(length: number, { text, least }: Wanted): number {
  const sum = length + text.length;
  if (2 * Math.min(length, text.length) < (least - SLACK) * sum) return Infinity;
  return Math.ceil((1.5 * least - 1) * sum + 1 - SLACK);
}

/**
 * Yields the bigrams of characters of a text that has a space added before and after it. `turn` is the
 * number of earlier occurrences of the same bigram.
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
