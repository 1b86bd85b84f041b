import { crc32 } from "node:zlib";

/** V8's compiled code of one source. */
export interface CompiledCode {
  /** Checksum of the source, because V8 itself compares only the length of the source. */
  readonly sourceCrc: number;
  readonly data: Buffer;
}

/** Compiled code by the path of its source. */
export type CompiledSources = ReadonlyMap<string, CompiledCode>;

type Index = readonly (readonly [path: string, sourceCrc: number, length: number])[];

const HEAD_BYTES = 12;
const MAGIC = 0x31434a54;
/** Alignment of compiled code in bytes. With another alignment, V8 would have to copy the code. */
const ALIGNMENT = 8;

/**
 * Encodes compiled code. The parts are, in this order: the number of the format, a checksum, the length of the index, the index, and the
 * code of each source.
 */
export function encodeCompiled(sources: CompiledSources): Buffer {
  const index: Index = [...sources].map(([path, { sourceCrc, data }]) => [path, sourceCrc, data.length]);
  const text = Buffer.from(JSON.stringify(index));
  const parts = [Buffer.alloc(HEAD_BYTES), text, padding(HEAD_BYTES + text.length)];
  for (const { data } of sources.values()) parts.push(data, padding(data.length));
  const whole = Buffer.concat(parts);
  whole.writeUInt32LE(MAGIC, 0);
  whole.writeUInt32LE(text.length, 8);
  whole.writeUInt32LE(crc32(whole.subarray(8)), 4);
  return whole;
}

/** Decodes compiled code. Returns an empty map for damaged bytes, because V8 would not notice the damage and could crash. */
export function decodeCompiled(whole: Buffer): CompiledSources {
  const sources = new Map<string, CompiledCode>();
  if (whole.length < HEAD_BYTES || whole.readUInt32LE(0) !== MAGIC) return sources;
  if (whole.readUInt32LE(4) !== crc32(whole.subarray(8))) return sources;
  let at = HEAD_BYTES + whole.readUInt32LE(8);
  const index = JSON.parse(whole.toString("utf8", HEAD_BYTES, at)) as Index;
  at = aligned(at);
  for (const [path, sourceCrc, length] of index) {
    sources.set(path, { sourceCrc, data: whole.subarray(at, at + length) });
    at = aligned(at + length);
  }
  return sources;
}

function aligned(at: number): number {
  return Math.ceil(at / ALIGNMENT) * ALIGNMENT;
}

function padding(length: number): Buffer {
  return Buffer.alloc(aligned(length) - length);
}
