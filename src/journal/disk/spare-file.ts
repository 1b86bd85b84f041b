import type { Disk } from "./disk.ts";

/** Not a name of a segment, so that nothing in the file is read again. */
export const SPARE_NAME = "spare";

/**
 * A file full of records that are not needed any more, to become the next segment: writing over it takes half the time of asking the system for
 * new room on the disk, and giving it back.
 */
export class SpareFile {
  readonly #disk: Disk;
  #bytes = 0;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** 0 when there is none. */
  get bytes(): number {
    return this.#bytes;
  }

  async keep(name: string, bytes: number): Promise<void> {
    await this.#disk.rename(name, SPARE_NAME);
    this.#bytes = bytes;
  }

  /** Lets `begin` reuse the spare file, if any; it is then no longer spare. */
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
    await this.#disk.remove(SPARE_NAME).catch(() => undefined); // the next to open the log removes it
  }
}
