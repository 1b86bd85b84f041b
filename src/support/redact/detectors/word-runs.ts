/** Whether a character belongs to a word (1) or not (0), by its code. */
export type WordCharacters = Uint8Array;

/** Table of the characters that a pattern for one character matches. Characters outside ASCII never match. */
export function wordCharacters(pattern: RegExp): WordCharacters {
  return new Uint8Array(2 ** 16).map((_, code) =>
    code < 128 && pattern.test(String.fromCharCode(code)) ? 1 : 0,
  );
}

/**
 * Calls `onRun` with the start and end of each run of these characters that is long enough. A regular expression for
 * the same takes many times longer, because it tries each character as the start.
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

/** Replaces parts of a text that are found from left to right. */
export class Replacing {
  readonly #text: string;
  #clean = "";
  /** End of the part that was replaced last. */
  done = 0;

  constructor(text: string) {
    this.#text = text;
  }

  replace(start: number, end: number, replacement: string): void {
    this.#clean += this.#text.slice(this.done, start) + replacement;
    this.done = end;
  }

  /** The text with all replacements. */
  get result(): string {
    return this.done === 0 ? this.#text : this.#clean + this.#text.slice(this.done);
  }
}
