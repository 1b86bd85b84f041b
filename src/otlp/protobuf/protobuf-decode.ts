import type { JsonValue } from "../../model/json.ts";
import { toBase64 } from "../bytes/base64.ts";
import { double, doubleJson, int64Json } from "../bytes/number.ts";
import { Wire } from "./protobuf-wire.ts";
import { decodeText } from "../bytes/text.ts";

/*
 * Decodes values of a body that the reader has already validated. Lengths are therefore not checked again. Values are nested at most
 * `MAX_DEPTH` deep, which limits the recursion.
 */

/** Decodes the elements of an `ArrayValue`. An empty element becomes null. */
export function protobufList(view: DataView, offset: number, length: number): JsonValue[] {
  const list: JsonValue[] = [];
  eachField(view, offset, length, (tag, at, size) => {
    if (tag === 10) list.push(protobufValue(view, at, size) ?? null);
  });
  return list;
}

/** Decodes the pairs of a `KeyValueList`. If a key is repeated, its last value counts. */
export function protobufMap(view: DataView, offset: number, length: number): JsonValue {
  const map = Object.create(null) as Record<string, JsonValue>;
  eachField(view, offset, length, (tag, at, size) => {
    if (tag !== 10) return;
    const [key, value] = protobufPair(view, at, size);
    map[key] = value ?? null;
  });
  return map;
}

export function protobufPair(
  view: DataView,
  offset: number,
  length: number,
): readonly [key: string, value: JsonValue | undefined] {
  let key = "";
  let value: JsonValue | undefined;
  eachField(view, offset, length, (tag, at, size) => {
    if (tag === 10) key = decodeText(view, at, size);
    else if (tag === 18) value = protobufValue(view, at, size) ?? value;
  });
  return [key, value];
}

function protobufValue(view: DataView, offset: number, length: number): JsonValue | undefined {
  let value: JsonValue | undefined;
  eachField(view, offset, length, (tag, at, size, wire) => {
    if (tag === 10) value = decodeText(view, at, size);
    else if (tag === 16) value = (wire.low | wire.high) !== 0;
    else if (tag === 24) value = int64Json(wire.low, wire.high);
    else if (tag === 33) value = doubleJson(double(view.getInt32(at, true), view.getInt32(at + 4, true)));
    else if (tag === 42) value = protobufList(view, at, size);
    else if (tag === 50) value = protobufMap(view, at, size);
    else if (tag === 58) value = toBase64(new Uint8Array(view.buffer, view.byteOffset + at, size));
  });
  return value;
}

/** Calls `field` with the tag of each field, and the start and size of its content. If the field is a varint, its value is in `wire`. */
function eachField(
  view: DataView,
  offset: number,
  length: number,
  field: (tag: number, at: number, size: number, wire: Wire) => void,
): void {
  const wire = new Wire();
  wire.view = view;
  const end = offset + length;
  let p = offset;
  while (p < end) {
    wire.varint(p);
    const tag = wire.low;
    const content = wire.at;
    const next = wire.skip(view.getUint8(p), p + 1, end, 0);
    if ((tag & 7) === 2) {
      wire.varint(content);
      field(tag, wire.at, next - wire.at, wire);
    } else field(tag, content, next - content, wire);
    p = next;
  }
}
