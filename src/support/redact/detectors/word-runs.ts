/** Table with one entry for each ASCII code: 1 if the character belongs to a word, otherwise 0. */
export type WordCharacters = Uint8Array;

/** Returns the table in which the ASCII characters that the pattern matches belong to a word. */
export function wordCharacters(pattern: RegExp): WordCharacters {
  return new Uint8Array(2 ** 16).map((_, code) =>
    code < 128 && pattern.test(String.fromCharCode(code)) ? 1 : 0,
  );
}

/**
 * Calls `onRun` with the start and end of each run of at least `shortest` word characters. A regular expression would take many times
 * longer, because it tries a match at each character.
 */
export function eachRun(
  text: string,
  characters: WordCharacters,
  shortest: number,
  onRun: (start: number, end: number) => void,
): void {
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (characters[text.charCodeAt(at)] === 1) continue;
    if (at - start >= shortest) onRun(start, at);
    start = at + 1;
  }
  if (text.length - start >= shortest) onRun(start, text.length);
}

/** Builds a text in which parts are replaced. The parts must be passed from left to right. */
export class Replacing {
  readonly #text: string;
  #clean = "";
  done = 0;

  constructor(text: string) {
    this.#text = text;
  }

  replace(start: number, end: number, replacement: string): void {
    this.#clean += this.#text.slice(this.done, start) + replacement;
    this.done = end;
  }

  /** The complete text with all replacements. */
  get result(): string {
    return this.done === 0 ? this.#text : this.#clean + this.#text.slice(this.done);
  }
}
