import type { Attributes, AttributeValue } from "../records/attribute.ts";
import { ProtobufWriter, textLength, varintLength } from "./protobuf-writer.ts";

/**
 * Attributes that are encoded once as KeyValue fields, and copied into several messages. The field number of an attribute differs between
 * message types, so `writeAttributes` replaces the tag byte of each KeyValue. Each field number is below 16, so a tag is one byte.
 */
export interface AttributeBlock {
  readonly bytes: Uint8Array;
  /** Offset of each KeyValue's tag byte. */
  readonly tags: readonly number[];
}

const output = new ProtobufWriter();
const laterField = 1;

export function encodeAttributes(attributes: Attributes): AttributeBlock {
  const tags: number[] = [];
  for (const [name, value] of attributes) {
    const nameLength = textLength(name);
    const valueLength = anyValueLength(value);
    tags.push(output.length);
    output.header(laterField, fieldLength(nameLength) + fieldLength(valueLength));
    output.text(1, name); // key
    output.header(2, valueLength); // value
    writeAnyValue(output, value);
  }
  return { bytes: output.take(), tags };
}

/** Appends the attributes to a message, under this field number (below 16). */
export function writeAttributes(into: ProtobufWriter, field: number, { bytes, tags }: AttributeBlock): void {
  for (const at of tags) bytes[at] = (field << 3) | 2;
  into.raw(bytes);
}

/** Returns the length in bytes of a length-delimited field, including its tag of one byte. */
function fieldLength(contentLength: number): number {
  return 1 + varintLength(contentLength) + contentLength;
}

function anyValueLength(value: AttributeValue): number {
  if (typeof value === "string") return fieldLength(textLength(value));
  if (typeof value === "boolean") return 2;
  return typeof value === "bigint" ? 1 + varintLength(value) : 9;
}

function writeAnyValue(into: ProtobufWriter, value: AttributeValue): void {
  if (typeof value === "string")
    into.text(1, value); // string_value
  else if (typeof value === "boolean")
    into.boolean(2, value); // bool_value
  else if (typeof value === "bigint")
    into.integer(3, value); // int_value
  else into.double(4, value); // double_value
}
