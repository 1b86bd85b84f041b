import type { TextBytes } from "../../model/telemetry/span-view.ts";

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN = 91;
const BACKSLASH = 92;
const CLOSE = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
/** `u` of an escape with four hexadecimal digits. */
const UNICODE = 117;
const escapes: Readonly<Record<number, number>> = { 98: 8, 102: 12, 110: 10, 114: 13, 116: 9 };

/** The list of an object is searched for in so many bytes. */
const LONGEST_LEAD = 2_000;

export interface OpenList {
  /** Position of the opening bracket. */
  readonly open: number;
  /** Key of the object that holds the list; undefined for a list at the top. */
  readonly key: string | undefined;
}

/** Structure of JSON text that is not decoded yet. Positions are those of its bytes. */
export class JsonText {
  readonly #text: TextBytes;

  constructor(text: TextBytes) {
    this.#text = text;
  }

  /** The first list at the top of the text or in the object there; undefined where there is none near the beginning. */
  openList(): OpenList | undefined {
    let at = this.#afterSpace(this.#text.start);
    if (this.codeAt(at) === OPEN) return { open: at, key: undefined };
    if (this.codeAt(at) !== OPEN_OBJECT) return undefined;
    const end = Math.min(this.#text.end, at + LONGEST_LEAD);
    let key = "";
    for (at = this.after(at); at < end; at = this.after(at)) {
      const code = this.codeAt(at);
      if (code === OPEN) return /^\w+$/.test(key) ? { open: at, key } : undefined;
      if (code === OPEN_OBJECT || code === CLOSE_OBJECT) return undefined;
      if (code !== QUOTE) continue;
      const close = this.#stringEnd(at);
      if (this.codeAt(this.#afterSpace(this.after(close))) === COLON)
        key = this.#text.slice(this.after(at), close);
      at = close;
    }
    return undefined;
  }

  /**
   * Positions behind the opening bracket or a comma, where items begin, and that of the closing bracket as the last one.
   * @param from a position between two items, after which the rest is searched
   */
  itemBounds(from: number): number[] {
    const bounds: number[] = [];
    let depth = 0;
    for (let at = from; at < this.#text.end; at = this.after(at)) {
      const code = this.codeAt(at);
      if (code === QUOTE) at = this.#stringEnd(at);
      else if (code === OPEN || code === OPEN_OBJECT) depth++;
      else if (code === COMMA && depth === 0) bounds.push(this.after(at));
      else if (code === CLOSE || code === CLOSE_OBJECT) {
        if (depth === 0) {
          bounds.push(at);
          break;
        }
        depth--;
      }
    }
    return bounds;
  }

  isComma(at: number): boolean {
    return at < this.#text.end && this.codeAt(at) === COMMA;
  }

  isClosing(at: number): boolean {
    return at < this.#text.end && this.codeAt(at) === CLOSE;
  }

  /** The character's code; for one beyond ASCII some number above 127. */
  codeAt(at: number): number {
    const { view, isEscaped, end } = this.#text;
    if (at >= end) return 0;
    const code = view.getUint8(at);
    if (!isEscaped || code !== BACKSLASH) return code;
    const escape = view.getUint8(at + 1);
    if (escape === UNICODE) return Number.parseInt(this.#ascii(at + 2, 4), 16);
    return escapes[escape] ?? escape;
  }

  /** The position of the next character, or of the next byte of one beyond ASCII. */
  after(at: number): number {
    const { view, isEscaped } = this.#text;
    if (!isEscaped || view.getUint8(at) !== BACKSLASH) return at + 1;
    return at + (view.getUint8(at + 1) === UNICODE ? 6 : 2);
  }

  #ascii(from: number, length: number): string {
    let text = "";
    for (let at = from; at < from + length; at++) text += String.fromCharCode(this.#text.view.getUint8(at));
    return text;
  }

  #afterSpace(from: number): number {
    let at = from;
    for (; at < this.#text.end; at = this.after(at)) {
      const code = this.codeAt(at);
      if (code !== 32 && (code < 9 || code > 13)) break;
    }
    return at;
  }

  /** The closing quote of the string that begins at `at`; the text's end where there is none. */
  #stringEnd(at: number): number {
    const { end } = this.#text;
    for (let next = this.after(at); next < end; next = this.after(next)) {
      const code = this.codeAt(next);
      if (code === QUOTE) return next;
      if (code === BACKSLASH) next = this.after(next);
    }
    return end;
  }
}
