import { KeptRecords, type KeptRecordsOptions } from "../journal/kept-records.ts";
import type { Entry } from "../journal/segment.ts";
import { decodeMeta, encodeMeta, type Outgoing } from "./outgoing.ts";
import { type ForwardStore, OVERHEAD, type Stored } from "./store.ts";

export interface DiskStoreOptions extends KeptRecordsOptions {
  /** Bytes of bodies kept in memory as well, so that sending them on needs no reading. */
  readonly cacheBytes: number;
}

/** Requests in segment files; after a crash, those that were done in the last tenth of a second may be sent a second time. */
export class DiskStore implements ForwardStore {
  readonly left: readonly Stored[];
  readonly isDurable = true;
  readonly #records: KeptRecords;
  readonly #cacheBytes: number;
  #heldBytes = 0;

  private constructor(records: KeptRecords, cacheBytes: number) {
    this.#records = records;
    this.left = records.left.map((entry) => stored(entry, null));
    this.#cacheBytes = cacheBytes;
    this.#heldBytes = this.left.length * OVERHEAD;
  }

  /** Rejects when the folder cannot be read. */
  static async open(options: DiskStoreOptions): Promise<DiskStore> {
    return new DiskStore(await KeptRecords.open(options), options.cacheBytes);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  async add(outgoing: Outgoing): Promise<Stored> {
    const bytes = outgoing.body.length;
    this.#heldBytes += OVERHEAD + bytes;
    try {
      const entry = await this.#records.add(encodeMeta(outgoing), outgoing.body);
      if (this.#heldBytes <= this.#cacheBytes) return stored(entry, outgoing);
      this.#heldBytes -= bytes;
      return stored(entry, null);
    } catch (error) {
      this.#heldBytes -= OVERHEAD + bytes;
      throw error;
    }
  }

  async read({ outgoing, entry }: Stored): Promise<Outgoing | null> {
    if (outgoing !== null || entry === null) return outgoing;
    const read = await this.#records.read(entry);
    const about = read === null ? null : decodeMeta(read.meta);
    return read === null || about === null ? null : { ...about, body: read.body };
  }

  done({ entry, outgoing }: Stored): void {
    this.#heldBytes -= OVERHEAD + (outgoing?.body.length ?? 0);
    if (entry !== null) this.#records.done(entry);
  }

  close(): Promise<void> {
    return this.#records.close();
  }
}

function stored(entry: Entry, outgoing: Outgoing | null): Stored {
  return { bytes: entry.metaBytes + entry.bodyBytes, entry, outgoing };
}
