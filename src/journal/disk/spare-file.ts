import type { Disk } from "./disk.ts";

/** This name is not a segment's name, so the content of the file is never read again. */
export const SPARE_NAME = "spare";

/**
 * A file whose records are all released, kept to become the next segment. Overwriting a file takes half the
 * time of allocating and freeing disk space.
 */
export class SpareFile {
  readonly #disk: Disk;
  #bytes = 0;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Size of the spare file in bytes; 0 if there is none. */
  get bytes(): number {
    return this.#bytes;
  }

  async keep(name: string, bytes: number): Promise<void> {
    await this.#disk.rename(name, SPARE_NAME);
    this.#bytes = bytes;
  }

  /** Calls `begin`, which may reuse the spare file. The file is no longer spare afterwards. */
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
    await this.#disk.remove(SPARE_NAME).catch(() => undefined); // if removal fails, the next process that opens the log removes the file
  }
}
