import {
  encodeHead,
  encodeHeader,
  END_MARK,
  HEAD_BYTES,
  HEADER_BYTES,
  type NewRecord,
  type RecordPlace,
} from "./segment-format.ts";
import type { Disk, DiskFile } from "../disk/disk.ts";
import { SPARE_NAME } from "../disk/spare-file.ts";

/** Writes one segment. A call must not begin before the previous call has ended. */
export class SegmentWriter {
  readonly #file: DiskFile;
  readonly #salt: number;
  readonly #sync: boolean;
  #bytes = HEADER_BYTES;
  /** In a reused file, the offset at which the bytes of the earlier segment end; 0 if there are none. */
  #oldBytes: number;
  #isSound = true;

  private constructor(file: DiskFile, { salt, spareBytes }: NewSegment, sync: boolean) {
    this.#file = file;
    this.#salt = salt;
    this.#sync = sync;
    this.#oldBytes = spareBytes;
  }

  /** @param sync whether writes must survive a power failure */
  static async create(disk: Disk, segment: NewSegment, sync: boolean): Promise<SegmentWriter> {
    const { name, spareBytes, salt, sequence } = segment;
    const isReused = spareBytes > 0;
    const file = isReused ? await disk.reopen(SPARE_NAME) : await disk.create(name);
    try {
      await file.append([encodeHeader({ salt, sequence, isReused })], isReused ? END_MARK : undefined);
      if (sync) await file.sync();
      // The spare file gets the segment's name after its new header was written. With its old header, the file would look like a damaged
      // segment.
      if (isReused) await disk.rename(SPARE_NAME, name);
      if (sync) await disk.syncFolder();
      return new SegmentWriter(file, segment, sync);
    } catch (error) {
      await Promise.allSettled([file.close(), disk.remove(name)]);
      throw error;
    }
  }

  /** Length of the valid part in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the segment accepts further writes. False after a failed sync, and if the file could not be truncated after a failed write. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** Writes all records or none. Returns the offset of each record. */
  async append(records: readonly NewRecord[]): Promise<number[]> {
    const { parts, places, bytes } = this.#encode(records);
    try {
      const hasOldBytes = this.#bytes + bytes < this.#oldBytes;
      await this.#file.append(parts, hasOldBytes ? END_MARK : undefined);
    } catch (error) {
      await this.#cut();
      throw error;
    }
    if (this.#sync) await this.#synced();
    this.#bytes += bytes;
    return places;
  }

  /** Removes the remaining bytes of the earlier segment, and closes the file. */
  async close(): Promise<void> {
    if (this.#bytes < this.#oldBytes && this.#isSound) await this.#cut();
    await this.#file.close();
  }

  #encode(records: readonly NewRecord[]): { parts: Uint8Array[]; places: number[]; bytes: number } {
    const heads = Buffer.allocUnsafe(records.reduce((sum, { meta }) => sum + HEAD_BYTES + meta.length, 0));
    const parts: Uint8Array[] = [];
    const places: number[] = [];
    let used = 0;
    let bytes = 0;
    for (const record of records) {
      const head = heads.subarray(used, (used += HEAD_BYTES + record.meta.length));
      encodeHead(record, this.#salt, head);
      places.push(this.#bytes + bytes);
      parts.push(head);
      if (record.body.length > 0) parts.push(record.body);
      bytes += head.length + record.body.length;
    }
    return { parts, places, bytes };
  }

  /**
   * Syncs the file. If the sync fails, it is unknown what is on disk. The records are then discarded, and the file accepts no further
   * records.
   */
  async #synced(): Promise<void> {
    try {
      await this.#file.sync();
    } catch (error) {
      await this.#cut();
      this.#isSound = false;
      throw error;
    }
  }

  async #cut(): Promise<void> {
    try {
      await this.#file.truncate(this.#bytes);
      this.#oldBytes = 0;
    } catch {
      this.#isSound = false;
    }
  }
}

/** A record in the log, until it is released. If the log moves the record, its position changes. */
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
  /** Random number that is the initial value of the checksums of the segment's records. */
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

/** Returns the sequence number in the name of a segment; null for any other file name. */
export function segmentSequence(name: string): number | null {
  const digits = /^(\d{12,15})\.segment$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

export function placeOf(record: NewRecord, at: number): RecordPlace {
  const { kind, number, meta, body } = record;
  return { kind, number, at, metaBytes: meta.length, bodyBytes: body.length };
}

interface NewSegment {
  readonly name: string;
  readonly sequence: number;
  readonly salt: number;
  /** Size in bytes of the spare file that is overwritten; 0 if a new file is created. */
  readonly spareBytes: number;
}
