import type { StoredBlock, DiskQueue } from "./disk-queue.ts";

export type RecordBlock = StoredBlock<readonly Uint8Array[]>;

/** Blocks of records that wait on disk, and survive a restart. Without a disk queue, `add` stores nothing. */
export class DiskRecords {
  readonly #disk: DiskQueue | undefined;
  readonly #blocks: RecordBlock[];
  #aside: RecordBlock[] = [];

  constructor(disk: DiskQueue | undefined) {
    this.#disk = disk;
    this.#blocks = [...(disk?.recovered ?? [])];
  }

  get hasDisk(): boolean {
    return this.#disk !== undefined;
  }

  /** The next block to send; undefined if no block waits. */
  get first(): RecordBlock | undefined {
    return this.#blocks[0];
  }

  get records(): number {
    return [...this.#blocks, ...this.#aside].reduce((sum, { records }) => sum + records, 0);
  }

  get bytes(): number {
    return [...this.#blocks, ...this.#aside].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Stores records as one block. Resolves to false if the records cannot be stored. */
  async add(records: readonly Uint8Array[]): Promise<boolean> {
    return this.#addTo(this.#blocks, records);
  }

  /** Stores records as one block that is not sent before `resumeAside`. */
  async setAside(records: readonly Uint8Array[]): Promise<boolean> {
    return this.#addTo(this.#aside, records);
  }

  resumeAside(): void {
    this.#blocks.push(...this.#aside.splice(0));
  }

  removeFirst(): void {
    this.#blocks.shift()?.done();
  }

  async close(): Promise<void> {
    await this.#disk?.close();
  }

  async #addTo(blocks: RecordBlock[], records: readonly Uint8Array[]): Promise<boolean> {
    if (this.#disk === undefined) return false;
    try {
      blocks.push(await this.#disk.add(records));
      return true;
    } catch {
      return false; // The disk queue has already reported the error.
    }
  }
}
