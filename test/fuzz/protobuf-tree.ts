/** A field of a protobuf message, whatever it means. */
export interface Field {
  number: number;
  value: Value;
}

/**
 * `parts` is what stands in a length-delimited field where that is a message again; a group ends with a tag of its own; what is raw is
 * written as it is, without a tag.
 */
export type Value =
  | { readonly wire: 0; readonly bits: bigint }
  | { readonly wire: 1 | 5; readonly bytes: Uint8Array }
  | { readonly wire: 2; readonly bytes: Uint8Array }
  | { readonly wire: 2; readonly parts: Field[] }
  | { readonly wire: 3; readonly parts: Field[] }
  | { readonly wire: "raw"; readonly bytes: Uint8Array };

const DEEPEST = 12;

/** Null where the bytes are no message. Texts that happen to look like one are taken for one. */
export function parseMessage(bytes: Uint8Array, depth = 0): Field[] | null {
  const fields: Field[] = [];
  const reader = { at: 0 };
  while (reader.at < bytes.length) {
    const field = readField(bytes, reader, depth);
    if (field === null) return null;
    fields.push(field);
  }
  return fields;
}

function readField(bytes: Uint8Array, reader: { at: number }, depth: number): Field | null {
  const tag = readVarint(bytes, reader);
  if (tag === null || tag >> 3n === 0n || tag > 0xffffffffn) return null;
  const number = Number(tag >> 3n);
  const wire = Number(tag & 7n);
  if (wire === 0) {
    const bits = readVarint(bytes, reader);
    return bits === null ? null : { number, value: { wire, bits } };
  }
  const length = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? Number(readVarint(bytes, reader) ?? -1n) : -1;
  if (length < 0 || length > bytes.length - reader.at) return null;
  const taken = bytes.subarray(reader.at, (reader.at += length));
  if (wire !== 2) return { number, value: { wire: wire === 1 ? 1 : 5, bytes: taken } };
  const parts = depth < DEEPEST && length > 1 ? parseMessage(taken, depth + 1) : null;
  return { number, value: parts === null ? { wire, bytes: taken } : { wire, parts } };
}

function readVarint(bytes: Uint8Array, reader: { at: number }): bigint | null {
  let bits = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = bytes[reader.at++];
    if (byte === undefined) return null;
    bits |= BigInt(byte & 127) << shift;
    if (byte < 128) return bits;
  }
  return null;
}

export function writeMessage(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.map(writeField));
}

function writeField({ number, value }: Field): Buffer {
  const tag = (wire: number): Buffer => writeVarint((BigInt(number) << 3n) | BigInt(wire));
  switch (value.wire) {
    case 0:
      return Buffer.concat([tag(0), writeVarint(value.bits)]);
    case 2: {
      const inner = "parts" in value ? writeMessage(value.parts) : value.bytes;
      return Buffer.concat([tag(2), writeVarint(BigInt(inner.length)), inner]);
    }
    case 3:
      return Buffer.concat([tag(3), writeMessage(value.parts), tag(4)]);
    case "raw":
      return Buffer.from(value.bytes);
    case 1:
    case 5:
      return Buffer.concat([tag(value.wire), value.bytes]);
  }
}

/** @param width least number of bytes; more than it takes are allowed by the format */
export function writeVarint(bits: bigint, width = 1): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, bits);
  do {
    bytes.push(Number(left & 127n) | 128);
    left >>= 7n;
  } while (left > 0n || bytes.length < width);
  bytes.push((bytes.pop() ?? 0) & 127);
  return Buffer.from(bytes);
}
