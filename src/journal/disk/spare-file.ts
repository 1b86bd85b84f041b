import type { Disk } from "./disk.ts";

/** Name of the spare file. No segment has this name, so its content is never read. */
export const SPARE_NAME = "spare";

/**
 * A former segment that contains no needed records, and that the next segment overwrites. Overwriting takes half the time of freeing and
 * allocating disk space.
 */
export class SpareFile {
  readonly #disk: Disk;
  #bytes = 0;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Size of the spare file in bytes; 0 if there is no spare file. */
  get bytes(): number {
    return this.#bytes;
  }

  async keep(name: string, bytes: number): Promise<void> {
    await this.#disk.rename(name, SPARE_NAME);
    this.#bytes = bytes;
  }

  /** Calls `begin`, which may overwrite the spare file. Afterwards there is no spare file. */
  async use<Result>(begin: (spareBytes: number) => Promise<Result>): Promise<Result> {
    try {
      const result = await begin(this.#bytes);
      this.#bytes = 0;
      return result;
    } catch (error) {
      await this.drop();
      throw error;
    }
  }

  async drop(): Promise<void> {
    if (this.#bytes === 0) return;
    this.#bytes = 0;
    // If the spare file cannot be removed now, the next process that opens the journal removes it.
    await this.#disk.remove(SPARE_NAME).catch(() => undefined);
  }
}
