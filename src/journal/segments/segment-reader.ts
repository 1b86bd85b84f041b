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

/** A write that is broken off ends at a multiple of this. */
const SECTOR_BYTES = 512;

/** Bytes of a segment that should be records and are not. */
export interface Damage {
  readonly at: number;
  readonly bytes: number;
}

/**
 * Data after the last good record: the rest of an earlier segment, an interrupted write (never acknowledged), or damage.
 */
type Rest = "nothing" | "old bytes" | "torn write" | "damage";

export interface SegmentContents {
  readonly header: FoundHeader;
  /** Every record that is as it was written, in order. */
  readonly records: RecordPlace[];
  readonly damages: Damage[];
  readonly rest: Rest;
  /** Where the last good record ends. */
  readonly goodBytes: number;
}

/** Finds the records of a segment. What is damaged is left out, what comes after it is found again. Null when this is no segment. */
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

/** Meta and body of a record, as views of the segment. */
export function recordIn(segment: Uint8Array, place: RecordPlace): { meta: Uint8Array; body: Uint8Array } {
  const from = place.at + HEAD_BYTES;
  const middle = from + place.metaBytes;
  return { meta: segment.subarray(from, middle), body: segment.subarray(middle, middle + place.bodyBytes) };
}

function nextIntact(segment: Buffer, from: number, salt: number): FoundRecord | null {
  for (let at = from; at >= 0 && at < segment.length;) {
    const place = decodeHead(segment, at, salt);
    if (place !== null && isIntact(segment, place, salt)) return place;
    // A valid head gives the length of its damaged record, unless that exceeds the file.
    const end = place === null ? Infinity : at + recordBytes(place);
    at = end <= segment.length ? end : segment.indexOf(MARKER, at + 1);
  }
  return null;
}

function restAt(segment: Buffer, at: number, { salt, isReused, hasCopy }: FoundHeader): Rest {
  const begun = decodeHead(segment, at, salt);
  if (begun !== null) {
    const end = at + recordBytes(begun);
    // Records are written from front to back: one that has something behind it was written to its end.
    const hasMore = end < segment.length && (!isReused || isEndMark(segment, end));
    return end === segment.length || hasMore ? "damage" : "torn write";
  }
  if (isReused && (!hasCopy || isEndMark(segment, at))) return "old bytes"; // versions without the copy wrote no end mark
  return mayBeginHead(segment, at) ? "torn write" : "damage";
}

function isEndMark(segment: Buffer, at: number): boolean {
  return segment.subarray(at, at + HEAD_BYTES).equals(END_MARK);
}

/** Whether the bytes may be the first ones of a head: at the end of the file, or up to the end of a sector, with zeros behind them. */
function mayBeginHead(segment: Buffer, at: number): boolean {
  if (segment.length - at < HEAD_BYTES) return true;
  let end = at + HEAD_BYTES;
  while (end > at && segment[end - 1] === 0) end--;
  return end === at || (end % SECTOR_BYTES === 0 && end < at + HEAD_BYTES);
}
