const gramLength = 3;
const SLOTS = 1 << 14;

/**
 * Finds, among many entries that each need some text to occur, the few whose text may occur: by one rare three-letter piece of
 * it. The time depends on the length of the text asked about, not on the number of entries.
 */
export class LiteralIndex<Entry> {
  private readonly byGram = new Map<number, Entry[]>();
  private readonly always: Entry[] = [];
  /** One bit for each of many pieces: most pieces of most texts belong to no entry, which one bit shows without a look-up. */
  private readonly used = new Uint8Array(SLOTS / 8);

  /** `needed` gives the folded texts that must all occur for an entry; any number of them may be too short to help. */
  constructor(entries: readonly Entry[], needed: (entry: Entry) => readonly string[]) {
    const grams = entries.map((entry) => [...new Set(needed(entry).flatMap(gramsOf))]);
    const uses = new Map<number, number>();
    for (const gram of grams.flat()) uses.set(gram, (uses.get(gram) ?? 0) + 1);
    entries.forEach((entry, index) => this.add(entry, rarest(grams[index] ?? [], uses)));
  }

  /** A superset of the entries whose texts all occur in the folded text. */
  candidates(folded: string): readonly Entry[] {
    if (this.byGram.size === 0) return this.always;
    const found: Entry[] = [...this.always];
    for (let at = 0; at + gramLength <= folded.length; at++) {
      const gram = gramAt(folded, at);
      if (!this.isUsed(gram)) continue;
      const entries = this.byGram.get(gram);
      // Every entry stands in one list: with its first, the whole list was met before.
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

/** The characters at a position, packed into a small number. Two pieces may share one: what is found are candidates, no more. */
function gramAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0x3fffffff;
}

function rarest(grams: readonly number[], uses: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  for (const gram of grams)
    if (best === undefined || (uses.get(gram) ?? 0) < (uses.get(best) ?? 0)) best = gram;
  return best;
}
