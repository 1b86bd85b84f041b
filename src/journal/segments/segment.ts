import type { NewRecord, RecordPlace } from "./segment-format.ts";

/** A record in the log, until it is released. The position changes if the log moves the record. */
export interface Entry {
  readonly kind: number;
  readonly number: number;
  readonly metaBytes: number;
  readonly bodyBytes: number;
  segment: Segment;
  at: number;
  isLive: boolean;
}

/** One file of the log. */
export class Segment {
  readonly sequence: number;
  readonly name: string;
  /** Random number with which the checksums of the segment's records start. */
  readonly salt: number;
  /** Length of the valid part of the file in bytes. */
  bytes: number;
  readonly live = new Set<Entry>();
  liveBytes = 0;

  constructor(sequence: number, bytes: number, salt: number) {
    this.salt = salt;
    this.sequence = sequence;
    this.name = segmentName(sequence);
    this.bytes = bytes;
  }

  /** Adds a record that begins at this offset. */
  hold(record: RecordPlace, bytes: number): Entry {
    const { kind, number, metaBytes, bodyBytes, at } = record;
    const entry: Entry = { kind, number, metaBytes, bodyBytes, segment: this, at, isLive: true };
    this.live.add(entry);
    this.liveBytes += bytes;
    return entry;
  }

  drop(entry: Entry, bytes: number): void {
    if (this.live.delete(entry)) this.liveBytes -= bytes;
  }
}

const SUFFIX = ".segment";

export function segmentName(sequence: number): string {
  return `${String(sequence).padStart(12, "0")}${SUFFIX}`;
}

/** Returns the sequence number in the name of a segment; null for other files. */
export function segmentSequence(name: string): number | null {
  const digits = /^(\d{12,15})\.segment$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

export function placeOf(record: NewRecord, at: number): RecordPlace {
  const { kind, number, meta, body } = record;
  return { kind, number, at, metaBytes: meta.length, bodyBytes: body.length };
}
