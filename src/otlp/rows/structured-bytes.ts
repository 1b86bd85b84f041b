import { MAX_DEPTH, ValueType } from "./columns.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const SPACE = 0x20;

/** Protobuf tags: of the entries of `ArrayValue` and `KeyValueList`, and of the fields of `AnyValue` that are a list or map. */
const ENTRY = 10;
const PAIR_VALUE = 18;
const LIST = 42;
const MAP = 50;

/** Factor for JSON: an additional object wraps each value of a list or map. */
const JSON_WRAPPING = 2;

/**
 * Returns the number of values that decoding an attribute would create, without creating them. Counting stops once the number exceeds
 * `most`. Returns 0 for a text that contains neither a list nor an object.
 */
export function nodesIn(
  view: DataView,
  isProtobuf: boolean,
  type: number,
  start: number,
  length: number,
  most: number,
): number {
  const end = start + length;
  switch (type) {
    case ValueType.text:
      return nodesInText(view, start, end, false, most);
    case ValueType.escapedText:
      return nodesInText(view, start, end, true, most);
    case ValueType.array:
    case ValueType.map:
      return isProtobuf
        ? entriesIn(view, start, end, type === ValueType.map, most, 0)
        : nodesInText(view, start, end, false, most * JSON_WRAPPING) / JSON_WRAPPING;
    case ValueType.pair:
      // Key and value are decoded together. Each nested value has at least two bytes, which limits their number.
      return length / 2;
    default:
      return 0;
  }
}

/**
 * Counts commas and opening brackets outside of strings, as an estimate of the number of values.
 * @param isEscaped whether the text is within a JSON string, where a quote is written `\"`
 */
function nodesInText(view: DataView, start: number, end: number, isEscaped: boolean, most: number): number {
  let at = start;
  while (at < end && view.getUint8(at) <= SPACE) at++;
  if (isEscaped) while (at + 1 < end && view.getUint8(at) === BACKSLASH && isSpaceEscape(view, at)) at += 2;
  if (at >= end) return 0;
  const first = view.getUint8(at);
  // A list or object may also be in a JSON string, which is the text.
  const isWrapped = first === QUOTE || (isEscaped && first === BACKSLASH && view.getUint8(at + 1) === QUOTE);
  if (first !== OPEN_LIST && first !== OPEN_OBJECT && !isWrapped) return 0;
  const step = isEscaped ? 2 : 1;
  let nodes = 1;
  let isInString = false;
  for (; at < end && nodes <= most; at++) {
    let byte = view.getUint8(at);
    if (byte === BACKSLASH) {
      if (!isEscaped) {
        if (isInString) at++;
        continue;
      }
      byte = at + 1 < end ? view.getUint8(at + 1) : 0;
      at++;
      if (byte === BACKSLASH) {
        // Skips a backslash of the text, and the character that it escapes.
        if (isInString) at += at + 1 < end && view.getUint8(at + 1) === BACKSLASH ? step : 1;
        continue;
      }
      if (byte !== QUOTE) continue;
    }
    if (byte === QUOTE) isInString = !isInString && !isWrapped;
    else if (!isInString && (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT)) nodes++;
  }
  return nodes;
}

/** Whether the escape at `at` means white space: `\n`, `\t` or `\r`. */
function isSpaceEscape(view: DataView, at: number): boolean {
  const letter = view.getUint8(at + 1);
  return letter === 0x6e || letter === 0x74 || letter === 0x72;
}

/** Counts the entries of an `ArrayValue` or `KeyValueList`, including nested entries. The reader has already validated the message. */
function entriesIn(
  view: DataView,
  start: number,
  end: number,
  isMap: boolean,
  most: number,
  depth: number,
): number {
  let nodes = 1;
  if (depth > MAX_DEPTH) return nodes;
  forEachMessage(view, start, end, (tag, at, next) => {
    if (tag !== ENTRY || nodes > most) return;
    nodes++;
    const inside = (inner: number, from: number, to: number): void => {
      if (inner === LIST || inner === MAP)
        nodes += entriesIn(view, from, to, inner === MAP, most - nodes, depth + 1);
    };
    if (!isMap) return forEachMessage(view, at, next, inside);
    forEachMessage(view, at, next, (member, from, to) => {
      if (member === PAIR_VALUE) forEachMessage(view, from, to, inside);
    });
  });
  return nodes;
}

/** Calls `visit` for each length-delimited field whose tag has one byte. Stops at any other field. */
function forEachMessage(
  view: DataView,
  start: number,
  end: number,
  visit: (tag: number, at: number, next: number) => void,
): void {
  let at = start;
  while (at < end) {
    const tag = view.getUint8(at++);
    if ((tag & 7) !== 2) return;
    let length = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = view.getUint8(at++);
      length += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    visit(tag, at, Math.min(at + length, end));
    at += length;
  }
}
