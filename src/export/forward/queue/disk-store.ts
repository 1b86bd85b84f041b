import { RetainedRecords, type RetainedRecordsOptions } from "../../../journal/records/retained-records.ts";
import type { Entry } from "../../../journal/segments/segment.ts";
import { decodeMeta, encodeMeta, type Outgoing } from "../outgoing.ts";
import { bytesOf, type Copy, type ForwardStore, type Stored } from "./store.ts";

export interface DiskStoreOptions extends RetainedRecordsOptions {
  /** Bytes of bodies kept in memory as well, so that sending them on needs no reading. */
  readonly cacheBytes: number;
}

/** Requests in segment files; after a crash, those that were done in the last tenth of a second may be sent a second time. */
export class DiskStore implements ForwardStore {
  readonly left: readonly Stored[];
  readonly isDurable = true;
  readonly #records: RetainedRecords;
  readonly #options: DiskStoreOptions;
  #heldBytes = 0;

  private constructor(records: RetainedRecords, options: DiskStoreOptions) {
    this.#records = records;
    this.#options = options;
    this.left = records.left.map((entry) => ({ outgoing: null, copy: this.#copyOf(entry) }));
    this.#heldBytes = this.left.length * bytesOf(null);
  }

  /** Rejects when the folder cannot be read. */
  static async open(options: DiskStoreOptions): Promise<DiskStore> {
    return new DiskStore(await RetainedRecords.open(options), options);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  async add(outgoing: Outgoing): Promise<Stored> {
    this.#heldBytes += bytesOf(outgoing);
    try {
      const entry = await this.#records.add(encodeMeta(outgoing), outgoing.body);
      return this.#stored(outgoing, this.#copyOf(entry));
    } catch (error) {
      this.#heldBytes -= bytesOf(outgoing);
      throw error;
    }
  }

  rest(outgoing: Outgoing, copy: Copy): Stored {
    this.#heldBytes += bytesOf(outgoing);
    return this.#stored(outgoing, copy);
  }

  async read({ outgoing, copy }: Stored): Promise<Outgoing | null> {
    if (outgoing !== null || copy === null) return outgoing;
    try {
      return await copy.read();
    } catch (error) {
      this.#options.onError(error);
      return null;
    }
  }

  done({ copy, outgoing }: Stored): void {
    this.#heldBytes -= bytesOf(outgoing);
    copy?.done();
  }

  close(): Promise<void> {
    return this.#records.close();
  }

  /** Lets go of the body when too many are in memory. */
  #stored(outgoing: Outgoing, copy: Copy): Stored {
    if (this.#heldBytes <= this.#options.cacheBytes) return { outgoing, copy };
    this.#heldBytes -= outgoing.body.length;
    return { outgoing: null, copy };
  }

  #copyOf(entry: Entry): Copy {
    return {
      read: async () => {
        const read = await this.#records.read(entry);
        const about = read === null ? null : decodeMeta(read.meta);
        return read === null || about === null ? null : { ...about, body: read.body };
      },
      done: () => this.#records.done(entry),
    };
  }
}
