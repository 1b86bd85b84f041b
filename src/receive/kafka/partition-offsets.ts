/** A record that something still needs. */
export interface RecordPlace {
  readonly offsets: PartitionOffsets;
  readonly offset: number;
}

/**
 * Which records of one partition are still needed. Records are taken in order and released in any; what may be committed is the first that
 * is needed, for from there another process can put everything together again.
 */
export class PartitionOffsets {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the next record to read; -1 before the first. */
  position = -1;
  /** Offset after the last record of the partition, as far as is known; -1 for unknown. */
  high = -1;
  committed = -1;
  /** Offsets in the order of reading, from `#first` on; earlier ones are released. */
  #order: number[] = [];
  #first = 0;
  readonly #needed = new Set<number>();

  constructor(topic: string, partition: number) {
    this.topic = topic;
    this.partition = partition;
  }

  /** The record is needed until it is released. */
  take(offset: number): RecordPlace {
    this.position = offset + 1;
    this.#order.push(offset);
    this.#needed.add(offset);
    return { offsets: this, offset };
  }

  /** The last record must be read again. */
  giveBack(offset: number): void {
    this.#order.pop();
    this.#needed.delete(offset);
    this.position = offset;
  }

  release(offset: number): void {
    this.#needed.delete(offset);
  }

  /** The first record that is needed, or the next to be read; -1 when nothing was read yet. */
  get watermark(): number {
    while (this.#first < this.#order.length && !this.#needed.has(this.#order[this.#first] ?? -1))
      this.#first++;
    if (this.#first > 1024 && this.#first * 2 > this.#order.length) {
      this.#order = this.#order.slice(this.#first);
      this.#first = 0;
    }
    return this.#order[this.#first] ?? this.position;
  }

  /** Records between the first that is needed and the last that was read. */
  get span(): number {
    return this.position - this.watermark;
  }
}
