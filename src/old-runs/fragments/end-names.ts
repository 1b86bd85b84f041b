/** Finds which of some names a text ends with. */
export class EndNames {
  readonly #names: ReadonlySet<string>;
  readonly #lengths: readonly number[];
  readonly #known = new Map<string, readonly string[]>();

  constructor(names: readonly string[]) {
    this.#names = new Set(names.filter((name) => name !== ""));
    this.#lengths = [...new Set(Array.from(this.#names, ({ length }) => length))].sort((a, b) => a - b);
  }

  of(text: string): readonly string[] {
    let ends = this.#known.get(text);
    if (ends === undefined) this.#known.set(text, (ends = [...this.#endsOf(text)]));
    return ends;
  }

  *#endsOf(text: string): Generator<string> {
    for (const length of this.#lengths) {
      if (length > text.length) return;
      const end = text.slice(text.length - length);
      if (this.#names.has(end)) yield end;
    }
  }
}
