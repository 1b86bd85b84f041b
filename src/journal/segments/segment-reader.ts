import {
  decodeHead,
  decodeHeader,
  END_MARK,
  type FoundHeader,
  type FoundRecord,
  HEAD_BYTES,
  isIntact,
  MARKER,
  type RecordPlace,
  recordBytes,
} from "./segment-format.ts";

/** Sector size in bytes. An interrupted write ends at a multiple of the sector size. */
const SECTOR_BYTES = 512;

/** A range of a segment that should contain a record, but contains no valid record. */
export interface Damage {
  readonly at: number;
  readonly bytes: number;
}

/**
 * What follows the last valid record: nothing, bytes of an earlier segment, a write that was interrupted before it was acknowledged, or
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
    // The length of a damaged record is known from its head if the head is valid and the record fits into the file.
    const end = place === null ? Infinity : at + recordBytes(place);
    at = end <= segment.length ? end : segment.indexOf(MARKER, at + 1);
  }
  return null;
}

function restAt(segment: Buffer, at: number, { salt, isReused, hasCopy }: FoundHeader): Rest {
  const begun = decodeHead(segment, at, salt);
  if (begun !== null) {
    const end = at + recordBytes(begun);
    // Records are written in order, so data after a record proves that the record was written completely.
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
 * Whether the bytes may be the beginning of a head whose write was interrupted. The bytes of an interrupted write reach the end of the
 * file, or the end of a sector that is followed by zeros.
 */
function mayBeginHead(segment: Buffer, at: number): boolean {
  if (segment.length - at < HEAD_BYTES) return true;
  let end = at + HEAD_BYTES;
  while (end > at && segment[end - 1] === 0) end--;
  return end === at || (end % SECTOR_BYTES === 0 && end < at + HEAD_BYTES);
}
