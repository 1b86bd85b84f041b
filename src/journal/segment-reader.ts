import {
  decodeHead,
  decodeHeader,
  type FoundRecord,
  HEAD_BYTES,
  HEADER_BYTES,
  isIntact,
  MARKER,
  type RecordPlace,
  recordBytes,
  type SegmentHeader,
} from "./segment-format.ts";

/** Bytes of a segment that are no record. */
export interface Damage {
  readonly at: number;
  readonly bytes: number;
  /** Nothing good comes after it: most likely a write that a crash cut short. */
  readonly atEnd: boolean;
  /** A record begins there, and is not whole. */
  readonly isBegun: boolean;
}

export interface SegmentContents {
  readonly header: SegmentHeader;
  /** Every record that is as it was written, in order. */
  readonly records: RecordPlace[];
  readonly damages: Damage[];
  /** Where the last good record ends. */
  readonly goodBytes: number;
}

/** Finds the records of a segment. What is damaged is left out, what comes after it is found again. Null when this is no segment. */
export function readSegment(bytes: Uint8Array): SegmentContents | null {
  const header = decodeHeader(bytes);
  if (header === null) return null;
  const segment = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: RecordPlace[] = [];
  const damages: Damage[] = [];
  let good = HEADER_BYTES;
  for (let at = HEADER_BYTES; at < segment.length;) {
    const place = nextIntact(segment, at, header.salt);
    const found = place?.at ?? segment.length;
    if (found > at) {
      const isBegun = decodeHead(segment, at, header.salt) !== null;
      damages.push({ at, bytes: found - at, atEnd: place === null, isBegun });
    }
    if (place === null) break;
    records.push(place);
    at = good = found + recordBytes(place);
  }
  return { header, records, damages, goodBytes: good };
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
    // A good head tells how far its damaged record goes; it is believed unless that is beyond the end.
    const end = place === null ? Infinity : at + recordBytes(place);
    at = end <= segment.length ? end : segment.indexOf(MARKER, at + 1);
  }
  return null;
}
