/** Finds whether a text holds one of many phrases, without looking for each of them. */
export class Phrases {
  /** In order; none begins with another, which would be found wherever it is. */
  readonly #sorted: readonly string[];

  constructor(phrases: readonly string[]) {
    const sorted: string[] = [];
    for (const phrase of [...new Set(phrases)].sort()) {
      const last = sorted[sorted.length - 1];
      if (last === undefined || !phrase.startsWith(last)) sorted.push(phrase);
    }
    this.#sorted = sorted;
  }

  anyWithin(text: string): boolean {
    if (this.#sorted.length <= FEW) return this.#sorted.some((phrase) => text.includes(phrase));
    for (let at = 0; at <= text.length; at++) if (this.#isAt(text.slice(at))) return true;
    return false;
  }

  /** Whether one begins the text: only the last that does not come after it can. */
  #isAt(text: string): boolean {
    let from = 0;
    for (let to = this.#sorted.length; from < to;) {
      const middle = (from + to) >> 1;
      if ((this.#sorted[middle] ?? "") <= text) from = middle + 1;
      else to = middle;
    }
    const last = this.#sorted[from - 1];
    return last !== undefined && text.startsWith(last);
  }
}

const FEW = 16;
