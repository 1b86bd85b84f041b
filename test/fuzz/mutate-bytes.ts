import type { Random } from "./chance.ts";

const interesting = [0x00, 0x01, 0x7f, 0x80, 0xff, 0x22, 0x5c, 0x7b, 0x5b, 0x7d, 0x2c];

/** The bytes with one to eight changes: flipped, overwritten, cut, doubled or moved parts, and parts of another body. */
export function mutateBytes(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let changed: Uint8Array = Buffer.from(bytes);
  for (let left = 1 + Math.floor(random() * 8); left > 0; left--) {
    const change = changes[Math.floor(random() * changes.length)];
    if (change !== undefined) changed = change(changed, other, random);
  }
  return changed;
}

const at = (bytes: Uint8Array, random: Random): number => Math.floor(random() * (bytes.length + 1));

function part(bytes: Uint8Array, random: Random): Uint8Array {
  const from = at(bytes, random);
  return bytes.subarray(from, from + Math.floor(random() * 64));
}

type Change = (bytes: Uint8Array, other: Uint8Array, random: Random) => Uint8Array;

function overwrite(bytes: Uint8Array, index: number, value: number): Uint8Array {
  if (index < bytes.length) bytes[index] = value;
  return bytes;
}

function insert(bytes: Uint8Array, index: number, inserted: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, index), inserted, bytes.subarray(index)]);
}

const changes: readonly Change[] = [
  (bytes, _, random) => {
    const index = at(bytes, random);
    return overwrite(bytes, index, (bytes[index] ?? 0) ^ (1 << Math.floor(random() * 8)));
  },
  (bytes, _, random) =>
    overwrite(bytes, at(bytes, random), interesting[Math.floor(random() * interesting.length)] ?? 0),
  (bytes, _, random) => overwrite(bytes, at(bytes, random), Math.floor(random() * 256)),
  (bytes, _, random) => Buffer.from(bytes.subarray(0, at(bytes, random))),
  (bytes, _, random) => insert(bytes, at(bytes, random), part(bytes, random)),
  (bytes, other, random) => insert(bytes, at(bytes, random), part(other, random)),
  (bytes, _, random) => {
    const from = at(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + Math.floor(random() * 32))]);
  },
];
