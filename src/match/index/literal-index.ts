import { countsOf } from "../../support/structures/group-by.ts";
const gramLength = 3;
const SLOTS = 1 << 14;

/**
 * Index of entries that match a text only if certain literals occur in the text. Finds the few entries whose literals may occur in a given
 * text. Each entry is stored under its rarest trigram, so the search time depends on the length of the text, not on the number of entries.
 */
export class LiteralIndex<Entry> {
  private readonly byGram = new Map<number, Entry[]>();
  private readonly always: Entry[] = [];
  /**
   * Bloom filter of the indexed trigrams. Most trigrams of a text belong to no entry; a zero bit then makes a look-up in `byGram`
   * unnecessary.
   */
  private readonly used = new Uint8Array(SLOTS / 8);

  /**
   * @param needed returns the case-folded texts that must all occur for the entry to match. An entry whose texts are all shorter than three
   * letters is a candidate for every text.
   */
  constructor(entries: readonly Entry[], needed: (entry: Entry) => readonly string[]) {
    const grams = entries.map((entry) => [...new Set(needed(entry).flatMap(gramsOf))]);
    const uses = countsOf(grams.flat());
    entries.forEach((entry, index) => this.add(entry, rarest(grams[index] ?? [], uses)));
  }

  /** Returns all entries whose texts occur in the case-folded text, and possibly others. */
  candidates(folded: string): readonly Entry[] {
    if (this.byGram.size === 0) return this.always;
    const found: Entry[] = [...this.always];
    for (let at = 0; at + gramLength <= folded.length; at++) {
      const gram = gramAt(folded, at);
      if (!this.isUsed(gram)) continue;
      const entries = this.byGram.get(gram);
      // Each entry is in one list only, so if the first entry of a list was already found, the complete list was.
      const [first] = entries ?? [];
      if (entries !== undefined && first !== undefined && !found.includes(first)) found.push(...entries);
    }
    return found;
  }

  private isUsed(gram: number): boolean {
    const slot = gram & (SLOTS - 1);
    return ((this.used[slot >> 3] as number) & (1 << (slot & 7))) !== 0;
  }

  private add(entry: Entry, gram: number | undefined): void {
    const list = gram === undefined ? this.always : this.byGram.get(gram);
    if (list) list.push(entry);
    else if (gram !== undefined) this.byGram.set(gram, [entry]);
    if (gram === undefined) return;
    const slot = gram & (SLOTS - 1);
    this.used[slot >> 3] = (this.used[slot >> 3] as number) | (1 << (slot & 7));
  }
}

function gramsOf(text: string): number[] {
  const grams: number[] = [];
  for (let at = 0; at + gramLength <= text.length; at++) grams.push(gramAt(text, at));
  return grams;
}

/** Packs a trigram into a number. Two trigrams can share a number, so results are only candidates. */
function gramAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0x3fffffff;
}

function rarest(grams: readonly number[], uses: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  for (const gram of grams)
    if (best === undefined || (uses.get(gram) ?? 0) < (uses.get(best) ?? 0)) best = gram;
  return best;
}
