/** Position of a Kafka record that the pipeline still needs. */
export interface RecordPlace {
  readonly offsets: PartitionOffsets;
  readonly offset: number;
}

/**
 * Tracks which records of one partition are still needed. Records are read in order, and released in any order. The committed offset is
 * that of the first needed record, so another process can continue there.
 */
export class PartitionOffsets {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the next record to read; -1 before the first record. */
  position = -1;
  /** Offset after the last record of the partition; -1 if unknown. */
  high = -1;
  committed = -1;
  /** Offsets in the order of reading. Offsets before index `#first` are released. */
  #order: number[] = [];
  #first = 0;
  readonly #needed = new Set<number>();

  constructor(topic: string, partition: number) {
    this.topic = topic;
    this.partition = partition;
  }

  /** Adds a record. The record is needed until it is released. */
  take(offset: number): RecordPlace {
    this.position = offset + 1;
    this.#order.push(offset);
    this.#needed.add(offset);
    return { offsets: this, offset };
  }

  /** Marks the last read record as unread, because it will be read again. */
  giveBack(offset: number): void {
    this.#order.pop();
    this.#needed.delete(offset);
    this.position = offset;
  }

  release(offset: number): void {
    this.#needed.delete(offset);
  }

  /** Offset of the first needed record; if no record is needed, of the next record to read. -1 if nothing was read yet. */
  get watermark(): number {
    while (this.#first < this.#order.length && !this.#needed.has(this.#order[this.#first] ?? -1))
      this.#first++;
    if (this.#first > 1024 && this.#first * 2 > this.#order.length) {
      this.#order = this.#order.slice(this.#first);
      this.#first = 0;
    }
    return this.#order[this.#first] ?? this.position;
  }

  /** Number of offsets between the first needed record and the next record to read. */
  get span(): number {
    return this.position - this.watermark;
  }
}
