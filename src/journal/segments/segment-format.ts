import { crc32 } from "node:zlib";
import { ChecksumForm, checksumForm, checksumOf } from "../disk/checksum.ts";

/** Sector size in bytes. If a write is interrupted, its bytes end at a multiple of the sector size. */
const SECTOR_BYTES = 512;

/*
 * A segment consists of a header and records. Numbers are little-endian.
 *
 *   header  8 magic · 4 format version (2 for a reused file) · 4 salt · 8 sequence number of the segment (float64)
 *   copy    a record of kind 0 and number 0, with the header as its body, for a checksum of the header
 *   record  4 marker · 4 CRC of the head from byte 8 on · 4 checksum of meta and body · 4 length of the body ·
 *           8 number (float64) · 2 length of meta · 1 kind · 1 form of the checksum · meta · body
 *
 * CRCs are CRC-32, started with the salt, which is a random number. The reader of a damaged segment searches for the next valid record.
 * The salt distinguishes records from bytes of an earlier segment, and from bytes that an untrusted sender put into a body.
 *
 * A reused file was an earlier segment, and is being overwritten. The last record is followed by an end mark (as many zeros as a head has
 * bytes), and then by bytes of the earlier segment. Without the end mark, a damaged last record would look like the beginning of these
 * bytes.
 *
 * Earlier versions wrote neither the copy of the header nor the end mark. They can read files with both: they read the copy as a record
 * of an unknown kind, and the end mark as bytes of an earlier segment.
 */

const PLAIN_HEADER_BYTES = 24;
export const HEAD_BYTES = 28;
/** Offset of a segment's first record, after the header and its copy. */
export const HEADER_BYTES = PLAIN_HEADER_BYTES + HEAD_BYTES + PLAIN_HEADER_BYTES;
const HEADER_KIND = 0;
export const END_MARK = Buffer.alloc(HEAD_BYTES);
const FORMAT_VERSION = 1;
/** Format version of a file that was an earlier segment: after its records, bytes of the earlier segment may follow. */
const REUSED_VERSION = 2;
const MAGIC = Buffer.from("tjsegmnt", "latin1");
const MARKER = Buffer.from([0xf1, 0x52, 0x45, 0xc7]);
export const MAX_META_BYTES = 0xffff;

export interface SegmentHeader {
  readonly salt: number;
  /** Number that determines the order: segments are read in ascending order of `sequence`. */
  readonly sequence: number;
  /** Whether the file was an earlier segment, and is being overwritten. */
  readonly isReused: boolean;
}

/** A record to write. The log does not interpret `kind` and `meta`. */
export interface NewRecord {
  readonly kind: number;
  /** Number of the record. If two records have the same number, they are copies of one record. */
  readonly number: number;
  readonly meta: Uint8Array;
  readonly body: Uint8Array;
}

/** Position and header fields of a record. */
export interface RecordPlace {
  readonly kind: number;
  readonly number: number;
  /** Offset of the record's head in the segment. */
  readonly at: number;
  readonly metaBytes: number;
  readonly bodyBytes: number;
}

export interface FoundHeader extends SegmentHeader {
  /** Whether a copy confirms the header. Files of earlier versions contain no copy. */
  readonly hasCopy: boolean;
  /** Whether the header is damaged. Its copy is used then. */
  readonly isDamaged: boolean;
  /** Offset of the first record. */
  readonly bytes: number;
}

export interface FoundRecord extends RecordPlace {
  readonly form: ChecksumForm;
}

/** Encodes a segment header, followed by its copy. */
export function encodeHeader(header: SegmentHeader): Uint8Array {
  const plain = encodePlainHeader(header);
  const head = Buffer.alloc(HEAD_BYTES);
  encodeHead({ kind: HEADER_KIND, number: 0, meta: Buffer.alloc(0), body: plain }, header.salt, head);
  return Buffer.concat([plain, head, plain]);
}

function encodePlainHeader({ salt, sequence, isReused }: SegmentHeader): Buffer {
  const header = Buffer.alloc(PLAIN_HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32LE(isReused ? REUSED_VERSION : FORMAT_VERSION, 8);
  header.writeUInt32LE(salt, 12);
  header.writeDoubleLE(sequence, 16);
  return header;
}

/**
 * Decodes the header of a segment. If its copy is valid, the copy is used. Returns null if the file is not a segment, or has the format of
 * a later version.
 */
function decodeHeader(segment: Buffer): FoundHeader | null {
  const plain = decodePlainHeader(segment);
  const copy = decodeCopy(segment);
  if (copy === null) {
    return plain && { ...plain, hasCopy: false, isDamaged: false, bytes: PLAIN_HEADER_BYTES };
  }
  const isDamaged = !segment.subarray(0, PLAIN_HEADER_BYTES).equals(encodePlainHeader(copy));
  return { ...copy, hasCopy: true, isDamaged, bytes: HEADER_BYTES };
}

/**
 * Whether a file contains only the beginning of a segment, without a record, because its first write was interrupted. The file may be of
 * any version.
 */
export function isUnfinished(file: Uint8Array): boolean {
  return (
    file.length < PLAIN_HEADER_BYTES + HEAD_BYTES &&
    MAGIC.subarray(0, file.length).equals(file.subarray(0, MAGIC.length))
  );
}

/**
 * Decodes the copy of the header. The initial value of its checksum is the salt in the copy itself. Returns null if there is no copy, or if
 * the checksum is wrong.
 */
function decodeCopy(segment: Buffer): SegmentHeader | null {
  if (segment.length < HEADER_BYTES) return null;
  const header = decodePlainHeader(segment.subarray(PLAIN_HEADER_BYTES + HEAD_BYTES));
  if (header === null) return null;
  const place = decodeHead(segment, PLAIN_HEADER_BYTES, header.salt);
  const isCopy =
    place?.kind === HEADER_KIND && place.metaBytes === 0 && place.bodyBytes === PLAIN_HEADER_BYTES;
  return isCopy && isIntact(segment, place, header.salt) ? header : null;
}

function decodePlainHeader(bytes: Buffer): SegmentHeader | null {
  if (bytes.length < PLAIN_HEADER_BYTES) return null;
  const version = bytes.readUInt32LE(8);
  const isReused = version === REUSED_VERSION;
  if (!bytes.subarray(0, 8).equals(MAGIC) || (version !== FORMAT_VERSION && !isReused)) return null;
  const sequence = bytes.readDoubleLE(16);
  if (!Number.isSafeInteger(sequence) || sequence < 0) return null;
  return { salt: bytes.readUInt32LE(12), sequence, isReused };
}

/** Returns the size of a record in a segment, in bytes. */
export function recordBytes({ metaBytes, bodyBytes }: Pick<RecordPlace, "metaBytes" | "bodyBytes">): number {
  return HEAD_BYTES + metaBytes + bodyBytes;
}

/** Encodes head and meta of a record into `into`, which must be large enough. The caller writes the body after them. */
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

/** Decodes the head of a record; null if there is no valid head. The head's own checksum is checked, that of meta and body is not. */
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

/** Whether meta and body of a record match its checksum. */
export function isIntact(segment: Buffer, place: FoundRecord, salt: number): boolean {
  const from = place.at + HEAD_BYTES;
  const middle = from + place.metaBytes;
  const to = middle + place.bodyBytes;
  if (to > segment.length) return false;
  const [meta, body] = [segment.subarray(from, middle), segment.subarray(middle, to)];
  return segment.readUInt32LE(place.at + 8) === checksumOf(place.form, salt, meta, body);
}

/** A range of a segment that should contain a record, but does not contain a valid one. */
interface Damage {
  readonly at: number;
  readonly bytes: number;
}

/**
 * What follows the last valid record: nothing; bytes of an earlier segment; a write that was interrupted before it was acknowledged; or
 * damage.
 */
type Rest = "nothing" | "old bytes" | "torn write" | "damage";

export interface SegmentContents {
  readonly header: FoundHeader;
  /** All intact records, in order. */
  readonly records: RecordPlace[];
  readonly damages: Damage[];
  readonly rest: Rest;
  /** End offset of the last valid record. */
  readonly goodBytes: number;
}

/**
 * Finds the records of a segment. After a damaged record, reading continues at the next valid record. Returns null if the file is not a
 * segment.
 */
export function readSegment(bytes: Uint8Array): SegmentContents | null {
  const segment = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = decodeHeader(segment);
  if (header === null) return null;
  const records: RecordPlace[] = [];
  const damages: Damage[] = [];
  let good = header.bytes;
  let rest: Rest = "nothing";
  for (let at = good; at < segment.length;) {
    const place = nextIntact(segment, at, header.salt);
    if (place === null) {
      rest = restAt(segment, at, header);
      if (rest === "damage") damages.push({ at, bytes: segment.length - at });
      break;
    }
    if (place.at > at) damages.push({ at, bytes: place.at - at });
    records.push(place);
    at = good = place.at + recordBytes(place);
  }
  return { header, records, damages, rest, goodBytes: good };
}

/** Returns meta and body of a record as views of the segment. */
export function recordIn(segment: Uint8Array, place: RecordPlace): { meta: Uint8Array; body: Uint8Array } {
  const from = place.at + HEAD_BYTES;
  const middle = from + place.metaBytes;
  return { meta: segment.subarray(from, middle), body: segment.subarray(middle, middle + place.bodyBytes) };
}

function nextIntact(segment: Buffer, from: number, salt: number): FoundRecord | null {
  for (let at = from; at >= 0 && at < segment.length;) {
    const place = decodeHead(segment, at, salt);
    if (place !== null && isIntact(segment, place, salt)) return place;
    // If the head of a damaged record is valid and the record fits into the file, the head gives the record's length.
    const end = place === null ? Infinity : at + recordBytes(place);
    at = end <= segment.length ? end : segment.indexOf(MARKER, at + 1);
  }
  return null;
}

function restAt(segment: Buffer, at: number, { salt, isReused, hasCopy }: FoundHeader): Rest {
  const begun = decodeHead(segment, at, salt);
  if (begun !== null) {
    const end = at + recordBytes(begun);
    // Records are written in order. If data follow a record, the record was therefore written completely, and is now damaged.
    const hasMore = end < segment.length && (!isReused || isEndMark(segment, end));
    return end === segment.length || hasMore ? "damage" : "torn write";
  }
  // Earlier versions wrote neither a copy of the header nor an end mark.
  if (isReused && (!hasCopy || isEndMark(segment, at))) return "old bytes";
  return mayBeginHead(segment, at) ? "torn write" : "damage";
}

function isEndMark(segment: Buffer, at: number): boolean {
  return segment.subarray(at, at + HEAD_BYTES).equals(END_MARK);
}

/**
 * Whether the bytes may be the beginning of a head whose write was interrupted. Bytes of an interrupted write reach to the end of the file,
 * or to the end of a sector that is followed by zeros.
 */
function mayBeginHead(segment: Buffer, at: number): boolean {
  if (segment.length - at < HEAD_BYTES) return true;
  let end = at + HEAD_BYTES;
  while (end > at && segment[end - 1] === 0) end--;
  return end === at || (end % SECTOR_BYTES === 0 && end < at + HEAD_BYTES);
}
