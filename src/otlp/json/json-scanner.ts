import { afterName, fieldAt, fieldNamed, SNAKE_CASE, UNKNOWN_FIELD } from "./json-fields.ts";
import { Malformed } from "../read-result.ts";
import { decodeEscaped, decodeText } from "../bytes/text.ts";

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const LETTER_N = 110;

const MAX_NESTING = 1 << 20;

/** 1 for each letter that may follow a backslash as an escape. */
const SIMPLE_ESCAPE = new Uint8Array(256);
for (const letter of '"\\/bfnrt') SIMPLE_ESCAPE[letter.charCodeAt(0)] = 1;

/** Value of each hex digit; 255 for other bytes. */
export const HEX_DIGIT = new Uint8Array(256).fill(255);
for (let i = 0; i < 16; i++) {
  const digit = i.toString(16);
  HEX_DIGIT[digit.charCodeAt(0)] = i;
  HEX_DIGIT[digit.toUpperCase().charCodeAt(0)] = i;
}

/**
 * Finds bytes in a word that end a sequence of plain characters: quotes, backslashes, and bytes below 32. In the result, the top bit of the
 * first such byte is set; the bits of later bytes may be wrong. Flipping bit 1 of each byte turns a quote (0x22) into 0x20, so one
 * comparison finds quotes and bytes below 32.
 */
function special(word: number): number {
  const quote = word ^ 0x02020202;
  const slash = word ^ 0x5c5c5c5c;
  return (((quote - 0x21212121) & ~quote) | ((slash - 0x01010101) & ~slash)) & 0x80808080;
}

/** Returns the index of the byte with the lowest set bit. */
function firstByte(hits: number): number {
  return (31 - Math.clz32(hits & -hits)) >> 3;
}

/**
 * Strict JSON parser over bytes. Callers pass the current position to each method, and get the next position. If the JSON is invalid, a
 * method throws: a `RangeError` if it reads past the end, otherwise `Malformed`.
 *
 * To read an object, use `for (p = enterObject(p); p >= 0; p = nextMember(p)) { p = member(p); … p = end of the value }`; arrays are read
 * in the same way. After the loop, `p` is negative, and `~p` is the position after the object or array.
 */
export class JsonScanner {
  view: DataView = new DataView(new ArrayBuffer(0));
  /** The field whose name `member` read last; `UNKNOWN_FIELD` for an unknown name, or if the value is `null`. */
  field = UNKNOWN_FIELD;
  /** Whether the last string contained escapes. */
  escaped = false;
  /** Number of snake_case names that were read. The caller resets this number. */
  lenient = 0;
  private open = new Uint8Array(256);
  /**
   * For each field, the field that followed it last time. The next name is first compared with this field, because writers usually use the
   * same order in all objects.
   */
  private readonly followers = new Uint8Array(256);
  private previous = 0;

  /** Returns the position of the first byte at or after `p` that is not white space. */
  space(p: number): number {
    const { view } = this;
    let byte = view.getUint8(p);
    while (byte === 32 || byte === 10 || byte === 13 || byte === 9) byte = view.getUint8(++p);
    return p;
  }

  /**
   * Returns the position after the string's closing quote.
   * @param p position after its opening quote
   */
  string(p: number): number {
    this.escaped = false;
    return this.restOfString(p);
  }

  /**
   * Returns the position after the string's closing quote.
   * @param p position in the string, but not within an escape
   */
  restOfString(p: number): number {
    const { view } = this;
    const last = view.byteLength - 8;
    for (;;) {
      while (p <= last) {
        const word = view.getInt32(p, true);
        const hits = special(word);
        if (hits !== 0) {
          p += firstByte(hits);
          break;
        }
        const next = view.getInt32(p + 4, true);
        const nextHits = special(next);
        if (nextHits !== 0) {
          p += 4 + firstByte(nextHits);
          break;
        }
        p += 8;
      }
      const byte = view.getUint8(p);
      if (byte === BACKSLASH) {
        this.escaped = true;
        p = SIMPLE_ESCAPE[view.getUint8(p + 1)] === 1 ? p + 2 : this.unicodeEscape(p + 1);
      } else if (byte === QUOTE) return p + 1;
      else if (byte < 32) throw new Malformed("a control character in a string", p);
      else p++;
    }
  }

  private unicodeEscape(p: number): number {
    const { view } = this;
    if (view.getUint8(p) !== 117) throw new Malformed("an unknown escape in a string", p);
    for (let i = 1; i <= 4; i++) {
      if (HEX_DIGIT[view.getUint8(p + i)] === 255) throw new Malformed("a broken \\u escape in a string", p);
    }
    return p + 5;
  }

  /** Decodes the string whose content (without quotes) is at [start, end). */
  text(start: number, end: number): string {
    return decodeEscaped(this.view, start, end - start);
  }

  /** Returns the bytes [start, end) as text, unchanged. */
  source(start: number, end: number): string {
    return decodeText(this.view, start, end - start);
  }

  /** Returns the position after the number at `p`. */
  number(p: number): number {
    const { view } = this;
    if (view.getUint8(p) === 45) p++;
    const first = view.getUint8(p);
    p = first === 48 ? p + 1 : this.digits(p);
    if (view.getUint8(p) === 46) p = this.digits(p + 1);
    if ((view.getUint8(p) | 32) === 101) {
      const sign = view.getUint8(++p);
      p = this.digits(sign === 43 || sign === 45 ? p + 1 : p);
    }
    return p;
  }

  private digits(p: number): number {
    const { view } = this;
    const from = p;
    let byte = view.getUint8(p);
    while (byte >= 48 && byte <= 57) byte = view.getUint8(++p);
    if (p === from) throw new Malformed("unexpected character", p);
    return p;
  }

  /** Checks the literal `word` letter by letter. Returns the position after the literal. */
  literal(p: number, word: "true" | "false" | "null"): number {
    for (let i = 0; i < word.length; i++) {
      if (this.view.getUint8(p + i) !== word.charCodeAt(i))
        throw new Malformed("unexpected character", p + i);
    }
    return p + word.length;
  }

  enterObject(p: number): number {
    if (this.view.getUint8(p) !== OPEN_OBJECT) throw new Malformed("expected an object", p);
    const next = this.space(p + 1);
    const byte = this.view.getUint8(next);
    if (byte === QUOTE) return next;
    if (byte === CLOSE_OBJECT) return ~(next + 1);
    throw new Malformed("expected a name or }", next);
  }

  /** Reads the name at `p` into `field`. Returns the position of the value. */
  member(p: number): number {
    const predicted = this.followers[this.previous] as number;
    let value = afterName(predicted, this.view, p + 1);
    let field = predicted;
    if (value < 0 || this.view.getUint8(value) <= 32) {
      value = this.anyName(p + 1);
      field = this.field;
    }
    if (field >= 0) {
      this.followers[this.previous] = field;
      this.previous = field;
    }
    this.field = this.view.getUint8(value) === LETTER_N ? UNKNOWN_FIELD : field;
    return value;
  }

  private anyName(start: number): number {
    const end = this.string(start);
    const length = end - 1 - start;
    let field = this.escaped ? fieldNamed(this.text(start, end - 1)) : fieldAt(this.view, start, length);
    if (field >= SNAKE_CASE) {
      field -= SNAKE_CASE;
      this.lenient++;
    }
    this.field = field;
    return this.colon(end);
  }

  /** Returns the position of the value that follows the colon at `p`. */
  colon(p: number): number {
    const { view } = this;
    let at = p;
    if (view.getUint8(at) !== COLON) {
      at = this.space(at);
      if (view.getUint8(at) !== COLON) throw new Malformed("expected :", at);
    }
    at++;
    return view.getUint8(at) > 32 ? at : this.space(at);
  }

  nextMember(p: number): number {
    const { view } = this;
    let at = p;
    let byte = view.getUint8(at);
    if (byte <= 32) {
      at = this.space(at);
      byte = view.getUint8(at);
    }
    if (byte === CLOSE_OBJECT) return ~(at + 1);
    if (byte !== COMMA) throw new Malformed("expected , or }", at);
    at++;
    if (view.getUint8(at) <= 32) at = this.space(at);
    if (view.getUint8(at) !== QUOTE) throw new Malformed("expected a name", at);
    return at;
  }

  enterArray(p: number): number {
    if (this.view.getUint8(p) !== OPEN_ARRAY) throw new Malformed("expected an array", p);
    const next = this.space(p + 1);
    return this.view.getUint8(next) === CLOSE_ARRAY ? ~(next + 1) : next;
  }

  nextElement(p: number): number {
    const { view } = this;
    let at = p;
    let byte = view.getUint8(at);
    if (byte <= 32) {
      at = this.space(at);
      byte = view.getUint8(at);
    }
    if (byte === CLOSE_ARRAY) return ~(at + 1);
    if (byte !== COMMA) throw new Malformed("expected , or ]", at);
    at++;
    return view.getUint8(at) > 32 ? at : this.space(at);
  }

  isNull(p: number): boolean {
    return this.view.getUint8(p) === LETTER_N;
  }

  isString(p: number): boolean {
    return this.view.getUint8(p) === QUOTE;
  }

  isObject(p: number): boolean {
    return this.view.getUint8(p) === OPEN_OBJECT;
  }

  isArray(p: number): boolean {
    return this.view.getUint8(p) === OPEN_ARRAY;
  }

  /** Returns the position after the value of any type at `p`. Nested values are skipped with an explicit stack, not by recursion. */
  skip(p: number): number {
    let depth = 0;
    let at = p;
    for (;;) {
      const byte = this.view.getUint8(at);
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        const inside = byte === OPEN_OBJECT ? this.enterObject(at) : this.enterArray(at);
        if (inside >= 0) {
          this.push(depth++, byte, at);
          at = byte === OPEN_OBJECT ? this.colon(this.string(inside + 1)) : inside;
          continue;
        }
        at = ~inside;
      } else at = this.scalar(at);
      for (;;) {
        if (depth === 0) return at;
        const object = this.open[depth - 1] === OPEN_OBJECT;
        const next = object ? this.nextMember(at) : this.nextElement(at);
        if (next >= 0) {
          at = object ? this.colon(this.string(next + 1)) : next;
          break;
        }
        at = ~next;
        depth--;
      }
    }
  }

  private push(depth: number, byte: number, p: number): void {
    if (depth === MAX_NESTING) throw new Malformed("values are nested too deeply", p);
    if (depth === this.open.length) {
      const larger = new Uint8Array(depth * 2);
      larger.set(this.open);
      this.open = larger;
    }
    this.open[depth] = byte;
  }

  private scalar(p: number): number {
    const byte = this.view.getUint8(p);
    if (byte === QUOTE) return this.string(p + 1);
    if (byte === 116) return this.literal(p, "true");
    if (byte === 102) return this.literal(p, "false");
    if (byte === LETTER_N) return this.literal(p, "null");
    return this.number(p);
  }

  /** Throws if anything but white space follows at or after `p`. */
  finish(p: number): void {
    for (let at = p; at < this.view.byteLength; at++) {
      const byte = this.view.getUint8(at);
      if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) {
        throw new Malformed("text follows after the document", at);
      }
    }
  }
}
