const gramLength = 3;

/**
 * Finds, among many entries that each need some text to occur, the few whose text may occur: by one rare three-letter piece of
 * it. The time depends on the length of the text asked about, not on the number of entries.
 */
export class LiteralIndex<Entry> {
  private readonly byGram = new Map<string, Entry[]>();
  private readonly always: Entry[] = [];

  /** `needed` gives the folded texts that must all occur for an entry; any number of them may be too short to help. */
  constructor(entries: readonly Entry[], needed: (entry: Entry) => readonly string[]) {
    const grams = entries.map((entry) => [...new Set(needed(entry).flatMap(gramsOf))]);
    const uses = new Map<string, number>();
    for (const gram of grams.flat()) uses.set(gram, (uses.get(gram) ?? 0) + 1);
    entries.forEach((entry, index) => this.add(entry, rarest(grams[index] ?? [], uses)));
  }

  /** A superset of the entries whose texts all occur in the folded text. */
  candidates(folded: string): readonly Entry[] {
    if (this.byGram.size === 0) return this.always;
    const found = new Set<Entry>(this.always);
    for (let at = 0; at + gramLength <= folded.length; at++) {
      const entries = this.byGram.get(folded.slice(at, at + gramLength));
      if (entries) for (const entry of entries) found.add(entry);
    }
    return [...found];
  }

  private add(entry: Entry, gram: string | undefined): void {
    const list = gram === undefined ? this.always : this.byGram.get(gram);
    if (list) list.push(entry);
    else if (gram !== undefined) this.byGram.set(gram, [entry]);
  }
}

function gramsOf(text: string): string[] {
  const grams: string[] = [];
  for (let at = 0; at + gramLength <= text.length; at++) grams.push(text.slice(at, at + gramLength));
  return grams;
}

function rarest(grams: readonly string[], uses: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined;
  for (const gram of grams)
    if (best === undefined || (uses.get(gram) ?? 0) < (uses.get(best) ?? 0)) best = gram;
  return best;
}
