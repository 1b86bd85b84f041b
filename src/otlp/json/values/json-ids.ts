import { normalBase64 } from "../../bytes/base64.ts";
import { HEX_DIGIT, type JsonScanner } from "../json-scanner.ts";

/** Reads an id (hex in any case, or base64) as words into `data`. */
export class IdReader {
  /** Problem of the last id; undefined if it was valid or empty. */
  problem: string | undefined;
  /** Whether the last id was an empty text. In OTLP/JSON, an empty text means that there is no id. */
  empty = false;
  private readonly scanner: JsonScanner;

  constructor(scanner: JsonScanner) {
    this.scanner = scanner;
  }

  /**
   * Reads the id at `p` into `data`. `words`: the id's number of 4-byte words. An invalid id leaves `data` unchanged. Returns the position
   * after the id.
   */
  read(p: number, words: number, data: Int32Array, at: number): number {
    const { scanner } = this;
    this.empty = false;
    this.problem = undefined;
    if (!scanner.isString(p)) {
      this.problem = "is not a string";
      return scanner.skip(p);
    }
    const end = scanner.string(p + 1);
    const length = end - p - 2;
    if (scanner.escaped) this.escapedId(scanner.text(p + 1, end - 1), words, data, at);
    else this.id(scanner.view, p + 1, length, words, data, at);
    return end;
  }

  private id(view: DataView, p: number, length: number, words: number, data: Int32Array, at: number): void {
    if (length === 0) {
      this.empty = true;
      return;
    }
    // Senders that use protobuf's own JSON mapping write ids in base64, which has fewer characters than hex.
    if (length === base64Length(words) && readBase64(view, p, words, data, at)) return;
    if (length !== words * 8) {
      this.problem = `has ${length} hex digits instead of ${words * 8}`;
      return;
    }
    if (!readHex(view, p, words, data, at)) this.problem = "is not hex";
  }

  private escapedId(text: string, words: number, data: Int32Array, at: number): void {
    const bytes = new TextEncoder().encode(text);
    this.id(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length, words, data, at);
  }
}

/** Reads two or four words of hex digits into `data`. Returns false for any other text; `data` then stays unchanged. */
export function readHex(view: DataView, p: number, words: number, data: Int32Array, at: number): boolean {
  let digits = 0;
  for (let i = p; i < p + words * 8; i++) digits |= HEX_DIGIT[view.getUint8(i)] as number;
  if (digits > 15) return false; // A character was not a hex digit.
  for (let i = 0; i < words; i++) data[at + i] = word(view, p + 8 * i);
  return true;
}

/** Returns the number of characters of padded base64 for two or four words. */
function base64Length(words: number): number {
  return Math.ceil((words * 4) / 3) * 4;
}

/** Reads two or four words of padded base64 into `data`. Returns false for any other text; `data` then stays unchanged. */
function readBase64(view: DataView, p: number, words: number, data: Int32Array, at: number): boolean {
  let text = "";
  for (let i = 0; i < base64Length(words); i++) text += String.fromCharCode(view.getUint8(p + i));
  if (!text.endsWith("=") || normalBase64(text) !== text) return false;
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  if (bytes.length !== words * 4) return false;
  const given = new DataView(bytes.buffer);
  for (let i = 0; i < words; i++) data[at + i] = given.getInt32(4 * i, true);
  return true;
}

/** Converts eight hex digits into a word, with the first byte as the lowest (little-endian). */
function word(view: DataView, p: number): number {
  return byte(view, p) | (byte(view, p + 2) << 8) | (byte(view, p + 4) << 16) | (byte(view, p + 6) << 24);
}

function byte(view: DataView, p: number): number {
  const high = HEX_DIGIT[view.getUint8(p)] as number;
  const low = HEX_DIGIT[view.getUint8(p + 1)] as number;
  return (high << 4) | low;
}
