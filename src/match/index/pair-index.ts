import { PairRows } from "./pair-rows.ts";

/** A text that others are to be like, and how like at least, 0 to 1. */
export interface Wanted {
  readonly text: string;
  readonly least: number;
}

/** Texts stand side by side, one to a bit. */
const LANES = 32;
/** Rounding must not lose a text. */
const SLACK = 1e-6;

/** As many texts as a word has bits, of about the same length. */
interface Band {
  readonly shortest: number;
  readonly longest: number;
  readonly least: number;
}

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
  /** Places in `wanted`, by what they ask and their length, so that neighbours are told apart from a text by the same count. */
  readonly #order: readonly number[];
  readonly #bands: readonly Band[];
  readonly #rows: PairRows;

  constructor(wanted: readonly Wanted[]) {
    this.#wanted = wanted;
    this.#order = wanted
      .map((_, place) => place)
      .sort((a, b) => {
        const [one, other] = [wanted[a], wanted[b]];
        return (one?.least ?? 0) - (other?.least ?? 0) || (one?.text.length ?? 0) - (other?.text.length ?? 0);
      });
    const ordered = this.#order.flatMap((place) => wanted[place] ?? []);
    this.#bands = bandsOf(ordered);
    this.#rows = new PairRows(ordered.map(({ text }) => text));
  }

  /** Places of the texts that may be like enough, in order; the others are not. */
  candidates(text: string): number[] {
    const { rows, unknown } = this.#rows.of(text);
    const missing = this.#mayMiss(text.length, rows.length + unknown);
    const lanes = this.#rows.textsIn(rows, missing);
    const found: number[] = [];
    for (let word = 0; word < lanes.length; word++) {
      for (let left = lanes[word] ?? 0; left !== 0; left &= left - 1) {
        const lane = word * LANES + 31 - Math.clz32(left & -left);
        const place = this.#order[lane];
        if (place !== undefined && this.#mayReach(text, place, this.#rows.shared(rows, lane) + unknown))
          found.push(place);
      }
    }
    return found.sort((a, b) => a - b);
  }

  /** For each band, how many of so many pairs its texts may not have; below 0 when none of them can be like enough. */
  #mayMiss(length: number, pairs: number): Int32Array {
    const missing = new Int32Array(this.#bands.length);
    let before: Band | undefined;
    let may = -1;
    for (let word = 0; word < missing.length; word++) {
      const band = this.#bands[word];
      if (band === undefined) continue;
      if (band !== before) may = Math.max(-1, pairs - leastShared(length, band));
      before = band;
      missing[word] = may;
    }
    return missing;
  }

  #mayReach(text: string, place: number, shared: number): boolean {
    const wanted = this.#wanted[place];
    if (wanted === undefined) return false;
    const { length } = wanted.text;
    return shared >= leastShared(text.length, { shortest: length, longest: length, least: wanted.least });
  }
}

/** The bands of texts that are in order; those that are alike are one. */
function bandsOf(ordered: readonly Wanted[]): Band[] {
  const bands: Band[] = [];
  for (let from = 0; from < ordered.length; from += LANES) {
    const band = bandOf(ordered.slice(from, from + LANES));
    const before = bands.at(-1);
    bands.push(before !== undefined && isSame(before, band) ? before : band);
  }
  return bands;
}

function isSame(one: Band, other: Band): boolean {
  return one.shortest === other.shortest && one.longest === other.longest && one.least === other.least;
}

function bandOf(texts: readonly Wanted[]): Band {
  const lengths = texts.map(({ text }) => text.length);
  return {
    shortest: Math.min(...lengths),
    longest: Math.max(...lengths),
    least: Math.min(...texts.map(({ least }) => least)),
  };
}

/** How many pairs a text of this length shares at least with one of the band that is like it; infinite when none can be, by its length. */
function leastShared(length: number, { shortest, longest, least }: Band): number {
  const nearest = Math.min(Math.max(length, shortest), longest);
  const sum = length + nearest;
  if (2 * Math.min(length, nearest) < (least - SLACK) * sum) return Infinity;
  const perLetter = 1.5 * least - 1;
  return Math.ceil(perLetter * (length + (perLetter > 0 ? shortest : longest)) + 1 - SLACK);
}
