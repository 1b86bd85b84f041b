export interface MemoryRecordsLimits {
  readonly maxQueueBytes: number;
  readonly maxBatchBytes: number;
  readonly maxBatchRecords: number;
}

/** Records that were offered together, and the number of these records that are not yet sent, stored on disk or dropped. */
interface Offer {
  open: number;
  readonly done: (() => void) | undefined;
}

export interface WaitingRecord {
  readonly record: Uint8Array;
  readonly offer: Offer;
}

/** Records that wait in memory in order of arrival, up to a maximum total size. Records are taken in batches. */
export class MemoryRecords {
  readonly #limits: MemoryRecordsLimits;
  #waiting: WaitingRecord[] = [];
  #aside: WaitingRecord[] = [];
  #taken = 0;
  #bytes = 0;

  constructor(limits: MemoryRecordsLimits) {
    this.#limits = limits;
  }

  /** Number of records that wait and were not taken for sending. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Number of records that were taken, and neither removed nor put back. */
  get taken(): number {
    return this.#taken;
  }

  get records(): number {
    return this.#waiting.length + this.#aside.length + this.#taken;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isBatchFull(): boolean {
    const { maxBatchRecords, maxBatchBytes } = this.#limits;
    return this.#waiting.length >= maxBatchRecords || this.#bytes >= maxBatchBytes;
  }

  /**
   * Adds all records or none. Returns false if the records exceed the maximum size.
   * @param done called when all of the records were removed by `remove`
   */
  add(records: readonly Uint8Array[], done: (() => void) | undefined): boolean {
    const bytes = sizeBytes(records);
    if (this.#bytes + bytes > this.#limits.maxQueueBytes) return false;
    if (records.length === 0) done?.();
    const offer = { open: records.length, done };
    for (const record of records) this.#waiting.push({ record, offer });
    this.#bytes += bytes;
    return true;
  }

  takeBatch(): readonly WaitingRecord[] {
    const { maxBatchRecords, maxBatchBytes } = this.#limits;
    let bytes = 0;
    let records = 0;
    for (const { record } of this.#waiting) {
      if (records === maxBatchRecords) break;
      if (records > 0 && bytes + record.length > maxBatchBytes) break;
      bytes += record.length;
      records++;
    }
    const batch = this.#waiting.slice(0, records);
    this.#waiting = this.#waiting.slice(records);
    this.#taken += records;
    return batch;
  }

  /** Returns a taken batch to the head of the queue. */
  putBack(batch: readonly WaitingRecord[]): void {
    this.#taken -= batch.length;
    this.#waiting = [...batch, ...this.#waiting];
  }

  /** Postpones taken records: `resumeAside` puts them at the end of the queue. */
  setAside(records: readonly WaitingRecord[]): void {
    this.#taken -= records.length;
    this.#aside.push(...records);
  }

  resumeAside(): void {
    this.#waiting.push(...this.#aside);
    this.#aside = [];
  }

  /** Removes taken records after they were sent, stored on disk or dropped. */
  remove(batch: readonly WaitingRecord[]): void {
    this.#taken -= batch.length;
    this.#bytes -= sizeBytes(batch.map(({ record }) => record));
    for (const { offer } of batch) if (--offer.open === 0) offer.done?.();
  }

  /** Removes all records without calling `done`. Returns the number of removed records. */
  clear(): number {
    const { records } = this;
    this.#waiting = [];
    this.#aside = [];
    this.#bytes = this.#taken = 0;
    return records;
  }
}

function sizeBytes(records: readonly Uint8Array[]): number {
  return records.reduce((sum, { length }) => sum + length, 0);
}
