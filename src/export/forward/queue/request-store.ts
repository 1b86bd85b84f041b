import { JournalFull } from "../../../journal/disk/errors.ts";
import type { StoredCopy, DiskQueue } from "../../queue/disk-queue.ts";
import type { Outgoing } from "../outgoing.ts";

/** A request that waits for its backend. */
export interface Stored {
  /** The request, if it is in memory; null if the request has to be read from disk. */
  readonly outgoing: Outgoing | null;
  /** The copy on disk; null if there is only the copy in memory. */
  readonly copy: StoredCopy<Outgoing> | null;
}

export interface RequestStoreOptions {
  /** Disk queue; null if requests are lost when the process ends. */
  readonly disk: DiskQueue<Outgoing> | null;
  /**
   * Maximum size in bytes of requests in memory. With a disk queue, a request in memory need not be read
   * from disk.
   */
  readonly memoryBytes: number;
  readonly onError: (error: unknown) => void;
}

/** Memory in bytes of a stored request without its body. */
const OVERHEAD = 300;

/**
 * Stores requests until their backend has received them. With a disk queue, a request is written to disk,
 * and also stays in memory if there is room.
 */
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

  /** Memory of requests in bytes. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Stores a request. Resolves when the request is as durable as configured. Rejects with `JournalFull` or
   * `JournalUnwritable`.
   */
  async add(outgoing: Outgoing): Promise<Stored> {
    const { disk, memoryBytes } = this.#options;
    const bytes = bytesOf(outgoing);
    if (disk === null && this.#heldBytes + bytes > memoryBytes)
      throw new JournalFull(`the queue of ${memoryBytes} bytes is full`);
    this.#heldBytes += bytes;
    if (disk === null) return { outgoing, copy: null };
    try {
      return this.#fitted(outgoing, await disk.add(outgoing));
    } catch (error) {
      this.#heldBytes -= bytes;
      throw error;
    }
  }

  /** Accepts a request that is already stored elsewhere. */
  addStored(outgoing: Outgoing, copy: StoredCopy<Outgoing>): Stored {
    this.#heldBytes += bytesOf(outgoing);
    return this.#fitted(outgoing, copy);
  }

  /** Reads a request. Resolves to null if the request cannot be read. */
  async read({ outgoing, copy }: Stored): Promise<Outgoing | null> {
    if (outgoing !== null || copy === null) return outgoing;
    try {
      return await copy.read();
    } catch (error) {
      this.#options.onError(error);
      return null;
    }
  }

  /** Releases a request that is no longer needed, in memory and on disk. */
  done({ copy, outgoing }: Stored): void {
    this.#heldBytes -= bytesOf(outgoing);
    copy?.done();
  }

  async close(): Promise<void> {
    await this.#options.disk?.close();
  }

  /**
   * Removes the request from memory if the memory limit is exceeded. The request can be read from the copy.
   */
  #fitted(outgoing: Outgoing, copy: StoredCopy<Outgoing>): Stored {
    if (this.#heldBytes <= this.#options.memoryBytes) return { outgoing, copy };
    this.#heldBytes -= outgoing.body.length;
    return { outgoing: null, copy };
  }
}

function bytesOf(outgoing: Outgoing | null): number {
  return OVERHEAD + (outgoing?.body.length ?? 0);
}
