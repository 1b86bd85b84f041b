import type { JsonValue } from "../model/json.ts";
import { symbolName } from "./attribute-symbols.ts";
import { toBase64 } from "./base64.ts";
import type { Batch } from "./batch.ts";
import { ValueType } from "./columns.ts";
import { double, doubleJson, int64Json } from "./number.ts";
import { protobufList, protobufMap, protobufPair } from "./protobuf-decode.ts";
import { decodeText } from "./text.ts";

/** A value of a batch, from its type and the two ints at `at`; `undefined` for an empty one. */
export function decodeValue(batch: Batch, type: number, at: number): JsonValue | undefined {
  const first = batch.rows[at] as number;
  const second = batch.rows[at + 1] as number;
  const { view } = batch;
  switch (type) {
    case ValueType.text:
      return decodeText(view, first, second);
    case ValueType.bool:
      return first !== 0;
    case ValueType.int:
      return int64Json(first, second);
    case ValueType.double:
      return doubleJson(double(first, second));
    case ValueType.bytes:
      return toBase64(batch.body.subarray(first, first + second));
    case ValueType.array:
      return protobufList(view, first, second);
    case ValueType.map:
      return protobufMap(view, first, second);
    default:
      return undefined;
  }
}

/** The pair of the attribute at `at`, whose key has no symbol. */
function decodePair(batch: Batch, at: number): readonly [key: string, value: JsonValue | undefined] {
  const offset = batch.rows[at + 1] as number;
  const length = batch.rows[at + 2] as number;
  return protobufPair(batch.view, offset, length);
}

/** The key of the attribute at `at`. */
export function keyAt(batch: Batch, at: number): string {
  const head = batch.rows[at] as number;
  return (head & 255) === ValueType.pair ? decodePair(batch, at)[0] : symbolName(head >>> 8);
}

/** The value of the attribute at `at`. */
export function valueAt(batch: Batch, at: number): JsonValue | undefined {
  const type = (batch.rows[at] as number) & 255;
  return type === ValueType.pair ? decodePair(batch, at)[1] : decodeValue(batch, type, at + 1);
}
