import { compressionOf } from "../files/byte-source.ts";
import { MAX_RECORD } from "../files/window.ts";

/** Layout of a file after decompression. */
export type Form =
  /** JSON documents: one on each line, one in the file, several in sequence, or an array. */
  | "json"
  /** Records with a 4-byte big-endian length prefix. */
  | "framed"
  /** One protobuf request. */
  | "raw"
  | "empty";

const FIRST_FIELD = 10;
const SECOND_FIELD = 18;
const BRACE = 123;
const BRACKET = 91;

/** Detects the layout of a file from its first bytes. `whole`: whether these bytes are the complete file. */
export function formOf(head: Uint8Array, whole: boolean): Form {
  if (head.length === 0) return "empty";
  // The first byte of a protobuf request has the value of a line feed. A request must therefore be recognised before white space is
  // skipped.
  if (head[0] === FIRST_FIELD && isRequest(head, whole)) return "raw";
  const first = head[firstVisible(head)];
  if (first === undefined) return "empty";
  if (first === BRACE || first === BRACKET) return "json";
  if (isFramed(head)) return "framed";
  return isText(head) ? "json" : "raw";
}

/** Whether a record that could not be decoded looks like OTLP. */
export function resembles(form: Form, record: Uint8Array): boolean {
  if (form === "json") return /"resource_?(?:spans|logs|metrics)"/i.test(latin1(record.subarray(0, 4096)));
  if (form === "framed") return isRecordStart(record);
  const content = contentStart(record, 1);
  return record[0] === FIRST_FIELD && (record[content] === FIRST_FIELD || record[content] === SECOND_FIELD);
}

/**
 * Whether the bytes are a sequence of length-delimited fields with number 1, as in an OTLP request, or the beginning of such a sequence.
 */
function isRequest(head: Uint8Array, whole: boolean): boolean {
  let at = 0;
  while (at < head.length) {
    if (head[at] !== FIRST_FIELD) return false;
    const content = contentStart(head, at + 1);
    at = content + lengthAt(head, at + 1);
  }
  return at === head.length || !whole;
}

/** Returns the position of the content, which follows the length at `at`. */
function contentStart(bytes: Uint8Array, at: number): number {
  let end = at;
  while ((bytes[end] ?? 0) > 127) end++;
  return end + 1;
}

function lengthAt(bytes: Uint8Array, at: number): number {
  let length = 0;
  for (let i = 0; i < 5; i++) {
    const byte = bytes[at + i] ?? 0;
    length += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) break;
  }
  return length;
}

/** Returns the position of the first byte that is neither white space nor a byte order mark. */
function firstVisible(head: Uint8Array): number {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (at < head.length && [9, 10, 13, 32].includes(head[at] ?? 0)) at++;
  return at;
}

function isFramed(head: Uint8Array): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = head;
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0 <= MAX_RECORD && isRecordStart(head.subarray(4));
}

/** Whether the bytes are text: the only control characters are white space. */
function isText(head: Uint8Array): boolean {
  return head.subarray(0, 1024).every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
}

function isRecordStart(record: Uint8Array): boolean {
  return record[0] === FIRST_FIELD || record[0] === BRACE || compressionOf(record) !== undefined;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
