import type { Disk } from "../disk/disk.ts";
import { asJournalError, JournalFull, JournalUnwritable, RecordDamaged } from "../disk/errors.ts";
import { openSegments, type Visit } from "./open-segments.ts";
import { isAnyRepair, noRepairs, type Repairs } from "./repairs.ts";
import { type Entry, placeOf, Segment, SegmentWriter } from "./segment.ts";
import {
  decodeHead,
  HEAD_BYTES,
  HEADER_BYTES,
  isIntact,
  MAX_META_BYTES,
  type NewRecord,
  recordBytes,
  recordIn,
} from "./segment-format.ts";
import { SpareFile } from "../disk/spare-file.ts";

export interface SegmentLogOptions {
  readonly disk: Disk;
  /** Whether appended records must survive a power failure; if false, they must survive only a crash of the process. */
  readonly sync: boolean;
  /** Maximum size of all segments together, in bytes. */
  readonly budgetBytes: number;
  /** Returns a random 32-bit number. */
  readonly salt: () => number;
  /** Reports damaged or truncated data that is found while the log is opened or read. */
  readonly onDamage?: (found: Repairs) => void;
  /** Size in bytes at which a segment is full. The default is a share of the budget. */
  readonly segmentBytes?: number;
}

interface Waiting {
  readonly record: NewRecord;
  readonly bytes: number;
  readonly done: (entry: Entry) => void;
  readonly failed: (error: JournalFull | JournalUnwritable) => void;
}

/** The segment that is being written. */
interface Active {
  readonly segment: Segment;
  readonly writer: SegmentWriter;
}

const MIB = 2 ** 20;
/** Maximum number of bytes in one write. */
const MOST_AT_ONCE = 8 * MIB;
/** Minimum size in bytes of a file that is reused. Overwriting a smaller file saves no time. */
const LEAST_REUSED = MIB / 8;

/**
 * Ordered records on disk. Records that are appended during a write share the next write and sync. The oldest segment is deleted when all
 * its records are released. If one unreleased record prevents the deletion of many released records, `moveOldest` moves it to the end.
 */
export class SegmentLog {
  readonly #disk: Disk;
  readonly #options: SegmentLogOptions;
  readonly #segmentBytes: number;
  readonly #reserve: number;
  /** Segments, oldest first. Only the last segment can be open for writing. */
  readonly #segments: Segment[];
  readonly #spare: SpareFile;
  #active: Active | undefined;
  #nextSequence: number;
  #nextNumber: number;
  #usedBytes: number;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #working: Promise<void> | undefined;
  #removalFailed = false;
  /** Entries whose records were found to be damaged after the log was opened. */
  readonly #damaged = new WeakSet<Entry>();
  #isClosed = false;

  private constructor(options: SegmentLogOptions, found: Awaited<ReturnType<typeof openSegments>>) {
    this.#options = options;
    this.#disk = options.disk;
    this.#spare = new SpareFile(options.disk);
    this.#segmentBytes =
      options.segmentBytes ?? Math.min(Math.max(options.budgetBytes / 16, MIB / 4), 32 * MIB);
    this.#reserve = Math.min(options.budgetBytes / 16, 4 * MIB) + this.#segmentBytes;
    this.#segments = found.segments;
    this.#nextSequence = found.nextSequence;
    this.#nextNumber = found.nextNumber;
    this.#usedBytes = found.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Reads the existing segments. Rejects if the folder cannot be read.
   * @param visit receives each valid record that is still on disk, in order
   */
  static async open(
    options: SegmentLogOptions,
    visit: Visit,
  ): Promise<{ log: SegmentLog; entries: readonly Entry[]; repairs: Repairs }> {
    const found = await openSegments(options.disk, visit);
    const log = new SegmentLog(options, found);
    if (isAnyRepair(found.repairs)) options.onDamage?.(found.repairs);
    return { log, entries: found.entries, repairs: found.repairs };
  }

  get usedBytes(): number {
    return this.#usedBytes + this.#spare.bytes;
  }

  get liveBytes(): number {
    return this.#segments.reduce((sum, { liveBytes }) => sum + liveBytes, 0);
  }

  get segmentCount(): number {
    return this.#segments.length;
  }

  /**
   * Appends a record. Resolves when the record is written; with `sync`, when it survives a power failure. Rejects with `JournalFull` or
   * `JournalUnwritable` if the record is not stored. `meta` has at most 65,535 bytes.
   * @param isSmall whether the record may use the reserved end of the budget, so that releases can be recorded in a full log
   */
  append(kind: number, meta: Uint8Array, body: Uint8Array, isSmall = false): Promise<Entry> {
    if (this.#isClosed) return Promise.reject(new JournalUnwritable("the journal is closed"));
    if (meta.length > MAX_META_BYTES)
      return Promise.reject(new RangeError("the metadata of the record is longer than 65,535 bytes"));
    const bytes = HEAD_BYTES + meta.length + body.length;
    // A large record must leave a reserve of space, because moving the records of a segment also needs space.
    const room = this.#options.budgetBytes - (isSmall ? 0 : this.#reserve);
    if (this.#usedBytes + this.#waitingBytes + bytes + HEADER_BYTES > room) {
      return Promise.reject(
        new JournalFull(`the disk space of ${this.#options.budgetBytes} bytes for these records is used up`),
      );
    }
    return this.#enqueue({ kind, number: this.#nextNumber++, meta, body }, bytes);
  }

  /** Releases a record. A segment is deleted when it is the oldest, and all its records are released. */
  release(entry: Entry): void {
    if (!entry.isLive) return;
    entry.isLive = false;
    entry.segment.drop(entry, recordBytes(entry));
    this.#removalFailed = false;
    if (this.#canRemove()) this.#work();
  }

  /** Reads a record. Rejects with `RecordDamaged` if the checksum is wrong, or with a disk error. */
  async read(entry: Entry): Promise<{ meta: Uint8Array; body: Uint8Array }> {
    const { segment, at } = entry;
    const bytes = await this.#disk.readAt(segment.name, at, recordBytes(entry));
    const record = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const place = decodeHead(record, 0, segment.salt);
    if (place?.number === entry.number && isIntact(record, place, segment.salt))
      return recordIn(bytes, place);
    const hasMoved = entry.segment !== segment || entry.at !== at;
    if (!hasMoved && !this.#damaged.has(entry)) {
      this.#damaged.add(entry);
      this.#options.onDamage?.({ ...noRepairs(), damagedPlaces: 1, damagedBytes: bytes.length });
    }
    throw new RecordDamaged(`record ${entry.number} of ${segment.name} is damaged`);
  }

  /** Whether more than half of the budget is used, and most of this by released records. */
  get isMostlyDead(): boolean {
    return this.#usedBytes > this.#options.budgetBytes / 2 && this.liveBytes * 2 < this.#usedBytes;
  }

  /**
   * Appends the unreleased records of the oldest segment again at the end, and then deletes this segment. Does nothing if the segment is
   * being written, or if the budget has no room for the copies.
   * @param before may append records that must be stored before the segment is deleted
   */
  async moveOldest(before?: (moved: readonly Entry[]) => Promise<void>): Promise<void> {
    const oldest = this.#segments[0];
    if (oldest === undefined || oldest === this.#active?.segment) return;
    if (this.#usedBytes + this.#waitingBytes + oldest.liveBytes > this.#options.budgetBytes) return;
    const entries = [...oldest.live];
    const copies: [Entry, Entry][] = [];
    try {
      for (const entry of entries) {
        if (!entry.isLive) continue;
        const read = await this.#readUndamaged(entry);
        if (read === null) continue;
        const record = { kind: entry.kind, number: entry.number, ...read };
        copies.push([entry, await this.#enqueue(record, recordBytes(entry))]);
      }
      await before?.(entries.filter(({ isLive }) => isLive));
    } catch (error) {
      for (const [, copy] of copies) this.release(copy);
      throw asJournalError(error);
    }
    for (const [entry, copy] of copies) follow(entry, copy);
    this.#removalFailed = false;
    if (this.#canRemove()) this.#work();
    await this.idle();
  }

  /** Resolves when no write or deletion is in progress. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  /** Writes all waiting records, closes the files, and deletes the files whose records are all released. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.idle();
    await this.#active?.writer.close().catch(() => undefined);
    this.#active = undefined;
    await this.#removeDead();
    await this.#spare.drop();
  }

  /** Reads a record. If the record is damaged, releases it and returns null. */
  async #readUndamaged(entry: Entry): Promise<{ meta: Uint8Array; body: Uint8Array } | null> {
    try {
      return await this.read(entry);
    } catch (error) {
      if (!(error instanceof RecordDamaged)) throw error;
      this.release(entry);
      return null;
    }
  }

  #enqueue(record: NewRecord, bytes: number): Promise<Entry> {
    return new Promise((done, failed) => {
      this.#waiting.push({ record, bytes, done, failed });
      this.#waitingBytes += bytes;
      this.#work();
    });
  }

  #work(): void {
    this.#working ??= this.#workOff().finally(() => {
      this.#working = undefined;
      if (this.#waiting.length > 0 || this.#canRemove()) this.#work();
    });
  }

  async #workOff(): Promise<void> {
    await Promise.resolve(); // Waits for the end of this turn of the event loop, so that all appends of the turn share the first write.
    while (this.#waiting.length > 0) await this.#write(this.#nextBatch());
    await this.#removeDead();
  }

  #nextBatch(): Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((one) => (bytes += one.bytes) > MOST_AT_ONCE);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(end, 1));
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const bytes = batch.reduce((sum, one) => sum + one.bytes, 0);
    try {
      const { segment, writer } = await this.#roomFor(bytes);
      const places = await writer.append(batch.map(({ record }) => record));
      segment.bytes = writer.bytes;
      this.#usedBytes += bytes;
      this.#waitingBytes -= bytes;
      for (const [index, one] of batch.entries()) {
        one.done(segment.hold(placeOf(one.record, places[index] ?? 0), one.bytes));
      }
    } catch (error) {
      this.#waitingBytes -= bytes;
      if (this.#active?.writer.isSound === false) await this.#seal();
      for (const one of batch) one.failed(asJournalError(error));
    }
  }

  /** Returns the segment for the next write. If the last segment is full, or a write to it has failed, creates a new segment. */
  async #roomFor(bytes: number): Promise<Active> {
    const active = this.#active;
    if (
      active !== undefined &&
      (active.writer.bytes <= HEADER_BYTES || active.writer.bytes + bytes <= this.#segmentBytes)
    ) {
      return active;
    }
    await this.#seal();
    await this.#removeDead(); // Segments are deleted between two writes, because under load the log never pauses.
    const segment = new Segment(this.#nextSequence++, HEADER_BYTES, this.#options.salt());
    const { name, sequence, salt } = segment;
    const writer = await this.#spare.use((spareBytes) =>
      SegmentWriter.create(this.#disk, { name, sequence, salt, spareBytes }, this.#options.sync),
    );
    this.#segments.push(segment);
    this.#usedBytes += HEADER_BYTES;
    this.#active = { segment, writer };
    return this.#active;
  }

  async #seal(): Promise<void> {
    const { writer } = this.#active ?? {};
    this.#active = undefined;
    await writer?.close().catch(() => undefined);
  }

  /**
   * Returns the oldest segment if it can be deleted; otherwise undefined. The segment that is being written can be deleted, too, if it is
   * full and all its records are released.
   */
  #removable(): Segment | undefined {
    const oldest = this.#segments[0];
    if (oldest === undefined || oldest.live.size > 0) return undefined;
    return oldest === this.#active?.segment && oldest.bytes < this.#segmentBytes ? undefined : oldest;
  }

  #canRemove(): boolean {
    return !this.#removalFailed && this.#removable() !== undefined;
  }

  async #removeDead(): Promise<void> {
    for (let dead = this.#removable(); dead !== undefined; dead = this.#removable()) {
      if (dead === this.#active?.segment) await this.#seal();
      try {
        if (this.#isWorthKeeping(dead)) await this.#spare.keep(dead.name, dead.bytes);
        else await this.#disk.remove(dead.name);
      } catch {
        this.#removalFailed = true; // The next release retries the deletion.
        return;
      }
      this.#segments.shift();
      this.#usedBytes -= dead.bytes;
    }
  }

  #isWorthKeeping({ bytes }: Segment): boolean {
    if (this.#spare.bytes > 0 || this.#isClosed || bytes < LEAST_REUSED) return false;
    return this.#usedBytes < this.#options.budgetBytes / 2;
  }
}

/** Makes the entry of a record refer to the copy of the record, after the record was moved. */
function follow(entry: Entry, copy: Entry): void {
  const bytes = recordBytes(entry);
  copy.segment.drop(copy, bytes);
  entry.segment.drop(entry, bytes);
  if (!entry.isLive) return;
  entry.segment = copy.segment;
  entry.at = copy.at;
  entry.segment.live.add(entry);
  entry.segment.liveBytes += bytes;
}
