import { crc32 } from "node:zlib";
import { ChecksumForm, checksumForm, checksumOf } from "./checksum.ts";

/*
 * A segment is a header and then records, one after the other; numbers are little-endian.
 *
 *   header  8 magic · 4 format version, 2 for a file that was a segment before · 4 salt · 8 sequence number of the segment (float64)
 *   record  4 marker · 4 CRC of the head from byte 8 on · 4 checksum of meta and body · 4 length of the body · 8 number (float64) ·
 *           2 length of meta · 1 kind · 1 form of the checksum · meta · body
 *
 * CRCs are CRC-32 started with the segment's salt, a random number: bytes that a stranger sends inside a body cannot pass for a record
 * when a damaged segment is searched for the next good one, and neither can what is left of an earlier segment.
 */

export const HEADER_BYTES = 24;
export const HEAD_BYTES = 28;
export const FORMAT_VERSION = 1;
/** Old bytes may follow the records. */
const REUSED_VERSION = 2;
const MAGIC = Buffer.from("tjsegmnt", "latin1");
export const MARKER = Buffer.from([0xf1, 0x52, 0x45, 0xc7]);
export const MAX_META_BYTES = 0xffff;

export interface SegmentHeader {
  readonly salt: number;
  /** Segments are read in the order of these. */
  readonly sequence: number;
  /** The file was another segment before, and is written over. */
  readonly isReused: boolean;
}

/** What is to be written. Kinds and meta mean something to the writer only. */
export interface NewRecord {
  readonly kind: number;
  /** Tells copies of one record from records that look alike. */
  readonly number: number;
  readonly meta: Uint8Array;
  readonly body: Uint8Array;
}

/** Where a record is, and what its head says. */
export interface RecordPlace {
  readonly kind: number;
  readonly number: number;
  /** Where its head begins in the segment. */
  readonly at: number;
  readonly metaBytes: number;
  readonly bodyBytes: number;
}

/** A record that was found in a segment. */
export interface FoundRecord extends RecordPlace {
  readonly form: ChecksumForm;
}

export function encodeHeader({ salt, sequence, isReused }: SegmentHeader): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32LE(isReused ? REUSED_VERSION : FORMAT_VERSION, 8);
  header.writeUInt32LE(salt, 12);
  header.writeDoubleLE(sequence, 16);
  return header;
}

/** Null when this is no header of a segment, or one of a later format. */
export function decodeHeader(bytes: Uint8Array): SegmentHeader | null {
  if (bytes.length < HEADER_BYTES) return null;
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const version = header.readUInt32LE(8);
  const isReused = version === REUSED_VERSION;
  if (!header.subarray(0, 8).equals(MAGIC) || (version !== FORMAT_VERSION && !isReused)) return null;
  const sequence = header.readDoubleLE(16);
  if (!Number.isSafeInteger(sequence) || sequence < 0) return null;
  return { salt: header.readUInt32LE(12), sequence, isReused };
}

/** The bytes a record takes in a segment. */
export function recordBytes({ metaBytes, bodyBytes }: Pick<RecordPlace, "metaBytes" | "bodyBytes">): number {
  return HEAD_BYTES + metaBytes + bodyBytes;
}

/** Writes a record's head and meta into `into`, which has room for both. The body follows them in the file. */
export function encodeHead(record: NewRecord, salt: number, into: Buffer): void {
  const { kind, number, meta, body } = record;
  MARKER.copy(into);
  const form = checksumForm(body);
  into.writeUInt32LE(checksumOf(form, salt, meta, body), 8);
  into.writeUInt32LE(body.length, 12);
  into.writeDoubleLE(number, 16);
  into.writeUInt16LE(meta.length, 24);
  into.writeUInt8(kind, 26);
  into.writeUInt8(form, 27);
  into.writeUInt32LE(crc32(into.subarray(8, HEAD_BYTES), salt), 4);
  into.set(meta, HEAD_BYTES);
}

/** The head at this place; null when there is no good one. Says nothing about meta and body. */
export function decodeHead(segment: Buffer, at: number, salt: number): FoundRecord | null {
  if (at + HEAD_BYTES > segment.length || segment.readUInt32LE(at) !== MARKER.readUInt32LE()) return null;
  if (segment.readUInt32LE(at + 4) !== crc32(segment.subarray(at + 8, at + HEAD_BYTES), salt)) return null;
  const form = segment.readUInt8(at + 27);
  if (form !== ChecksumForm.plain && form !== ChecksumForm.tagged) return null;
  return {
    at,
    form,
    kind: segment.readUInt8(at + 26),
    number: segment.readDoubleLE(at + 16),
    metaBytes: segment.readUInt16LE(at + 24),
    bodyBytes: segment.readUInt32LE(at + 12),
  };
}

/** Whether meta and body of a record are there as they were written. */
export function isIntact(segment: Buffer, place: FoundRecord, salt: number): boolean {
  const from = place.at + HEAD_BYTES;
  const middle = from + place.metaBytes;
  const to = middle + place.bodyBytes;
  if (to > segment.length) return false;
  const [meta, body] = [segment.subarray(from, middle), segment.subarray(middle, to)];
  return segment.readUInt32LE(place.at + 8) === checksumOf(place.form, salt, meta, body);
}
