import { JournalFull } from "../../../journal/disk/errors.ts";
import type { StoredCopy, DiskQueue } from "../../queue/disk-queue.ts";
import type { Outgoing } from "../outgoing.ts";

/** A request that waits for its backend. */
export interface Stored {
  /** The request; null if it is only on disk. */
  readonly outgoing: Outgoing | null;
  /** The copy on disk; null if the request is only in memory. */
  readonly copy: StoredCopy<Outgoing> | null;
}

export interface RequestStoreOptions {
  /** Disk queue; null to store requests in memory only. */
  readonly disk: DiskQueue<Outgoing> | null;
  /** Maximum memory of the requests in bytes. Requests above the maximum are read from disk when they are sent. */
  readonly memoryBytes: number;
  readonly onError: (error: unknown) => void;
}

/** Memory of a waiting request without its body, in bytes. */
const OVERHEAD = 300;

/** Stores requests until their backend has received them: on disk if there is a disk queue, and in memory while there is room. */
export class RequestStore {
  /** Requests that an earlier process left on disk, oldest first. */
  readonly recovered: readonly Stored[];
  /** Whether requests are stored on disk and survive the process. */
  readonly isDurable: boolean;
  readonly #options: RequestStoreOptions;
  #heldBytes: number;

  constructor(options: RequestStoreOptions) {
    this.#options = options;
    this.isDurable = options.disk !== null;
    this.recovered = options.disk?.recovered.map((copy) => ({ outgoing: null, copy })) ?? [];
    this.#heldBytes = this.recovered.length * OVERHEAD;
  }

  /** Memory that the requests use, in bytes. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Stores a request. Rejects with `JournalFull` or `JournalUnwritable` if the disk queue cannot store the request. */
  async add(outgoing: Outgoing): Promise<Stored> {
    const { disk, memoryBytes } = this.#options;
    const bytes = bytesOf(outgoing);
    if (disk === null && this.#heldBytes + bytes > memoryBytes)
      throw new JournalFull(`the backend's queue in memory is full: its limit is ${memoryBytes} bytes`);
    this.#heldBytes += bytes;
    if (disk === null) return { outgoing, copy: null };
    try {
      return this.#fitted(outgoing, await disk.add(outgoing));
    } catch (error) {
      this.#heldBytes -= bytes;
      throw error;
    }
  }

  /** Adds a request that is already on disk, for example in the journal. */
  addStored(outgoing: Outgoing, copy: StoredCopy<Outgoing>): Stored {
    this.#heldBytes += bytesOf(outgoing);
    return this.#fitted(outgoing, copy);
  }

  /** Returns the request, if necessary from disk. Resolves to null if reading fails. */
  async read({ outgoing, copy }: Stored): Promise<Outgoing | null> {
    if (outgoing !== null || copy === null) return outgoing;
    try {
      return await copy.read();
    } catch (error) {
      this.#options.onError(error);
      return null;
    }
  }

  /** Removes a request from memory and disk. */
  done({ copy, outgoing }: Stored): void {
    this.#heldBytes -= bytesOf(outgoing);
    copy?.done();
  }

  async close(): Promise<void> {
    await this.#options.disk?.close();
  }

  /** Returns the request without its copy in memory if the memory is full. The copy on disk is read when the request is sent. */
  #fitted(outgoing: Outgoing, copy: StoredCopy<Outgoing>): Stored {
    if (this.#heldBytes <= this.#options.memoryBytes) return { outgoing, copy };
    this.#heldBytes -= outgoing.body.length;
    return { outgoing: null, copy };
  }
}

function bytesOf(outgoing: Outgoing | null): number {
  return OVERHEAD + (outgoing?.body.length ?? 0);
}
