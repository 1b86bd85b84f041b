import type { Disk, DiskFile } from "../disk/disk.ts";
import {
  encodeHead,
  encodeHeader,
  END_MARK,
  HEAD_BYTES,
  HEADER_BYTES,
  type NewRecord,
} from "./segment-format.ts";
import { SPARE_NAME } from "../disk/spare-file.ts";

export interface NewSegment {
  readonly name: string;
  readonly sequence: number;
  readonly salt: number;
  /** Length of the spare file that it is written over; 0 for a file of its own. */
  readonly spareBytes: number;
}

/** Writes one segment. One call at a time. */
export class SegmentWriter {
  readonly #file: DiskFile;
  readonly #salt: number;
  readonly #sync: boolean;
  #bytes = HEADER_BYTES;
  /** Where the bytes of an earlier segment end that the file is written over; 0 when there are none. */
  #oldBytes: number;
  #isSound = true;

  private constructor(file: DiskFile, { salt, spareBytes }: NewSegment, sync: boolean) {
    this.#file = file;
    this.#salt = salt;
    this.#sync = sync;
    this.#oldBytes = spareBytes;
  }

  /** @param sync whether what is written has to survive a loss of power as well */
  static async create(disk: Disk, segment: NewSegment, sync: boolean): Promise<SegmentWriter> {
    const { name, spareBytes, salt, sequence } = segment;
    const isReused = spareBytes > 0;
    const file = isReused ? await disk.reopen(SPARE_NAME) : await disk.create(name);
    try {
      await file.append([encodeHeader({ salt, sequence, isReused })], isReused ? END_MARK : undefined);
      if (sync) await file.sync();
      // Not before: under its new name it would pass for a damaged segment.
      if (isReused) await disk.rename(SPARE_NAME, name);
      if (sync) await disk.syncFolder();
      return new SegmentWriter(file, segment, sync);
    } catch (error) {
      await Promise.allSettled([file.close(), disk.remove(name)]);
      throw error;
    }
  }

  /** The length of the good part. */
  get bytes(): number {
    return this.#bytes;
  }

  /** False once a failure may have left something behind the good part: nothing more can be written then. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** Writes all records, or none of them counts. Gives where each begins. */
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

  /** Cuts off what was in the file before, and releases it. */
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

  /** After a failed sync it is unknown what is on the disk: the records do not count, and this file gets no more. */
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
