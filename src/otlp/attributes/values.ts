import type { JsonValue } from "../../model/json.ts";
import { symbolName } from "./attribute-symbols.ts";
import { normalBase64, toBase64 } from "../bytes/base64.ts";
import type { Batch } from "../rows/batch.ts";
import { ValueType } from "../rows/columns.ts";
import { jsonList, jsonMap, jsonPair } from "../json/json-decode.ts";
import { double, doubleJson, int64Json } from "../bytes/number.ts";
import { protobufList, protobufMap, protobufPair } from "../protobuf/protobuf-decode.ts";
import { decodeEscaped, decodeText } from "../bytes/text.ts";

/** Decodes a value from its type and the two ints at `at` of a batch's rows; `undefined` for an empty value. */
export function decodeValue(batch: Batch, type: number, at: number): JsonValue | undefined {
  const first = batch.rows[at] as number;
  const second = batch.rows[at + 1] as number;
  const { view } = batch;
  switch (type) {
    case ValueType.text:
      return decodeText(view, first, second);
    case ValueType.escapedText:
      return decodeEscaped(view, first, second);
    case ValueType.bool:
      return first !== 0;
    case ValueType.int:
      return int64Json(first, second);
    case ValueType.double:
      return doubleJson(double(first, second));
    case ValueType.doubleText:
      return doubleJson(Number(decodeText(view, first, second)));
    default:
      return batch.encoding === "protobuf"
        ? decodeProtobuf(batch, type, first, second)
        : decodeJson(batch, type, first, second);
  }
}

function decodeProtobuf(batch: Batch, type: number, offset: number, length: number): JsonValue | undefined {
  const { body, view } = batch;
  if (type === ValueType.array) return protobufList(view, offset, length);
  if (type === ValueType.map) return protobufMap(view, offset, length);
  return type === ValueType.bytes ? toBase64(body.subarray(offset, offset + length)) : undefined;
}

function decodeJson(batch: Batch, type: number, offset: number, length: number): JsonValue | undefined {
  const { view } = batch;
  if (type === ValueType.array) return jsonList(view, offset);
  if (type === ValueType.map) return jsonMap(view, offset);
  return type === ValueType.bytes ? normalBase64(decodeEscaped(view, offset, length)) : undefined;
}

/** Decodes key and value of the attribute at `at`. Used for an attribute whose key has no symbol. */
function decodePair(batch: Batch, at: number): readonly [key: string, value: JsonValue | undefined] {
  const offset = batch.rows[at + 1] as number;
  const length = batch.rows[at + 2] as number;
  return batch.encoding === "protobuf"
    ? protobufPair(batch.view, offset, length)
    : jsonPair(batch.view, offset);
}

export function keyAt(batch: Batch, at: number): string {
  const head = batch.rows[at] as number;
  return (head & 255) === ValueType.pair ? decodePair(batch, at)[0] : symbolName(head >>> 8);
}

export function valueAt(batch: Batch, at: number): JsonValue | undefined {
  const type = (batch.rows[at] as number) & 255;
  return type === ValueType.pair ? decodePair(batch, at)[1] : decodeValue(batch, type, at + 1);
}
