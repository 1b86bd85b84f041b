import { JournalFull } from "../../../journal/disk/errors.ts";
import type { StoredCopy, DiskQueue } from "../../queue/disk-queue.ts";
import type { Outgoing } from "../outgoing.ts";

/** A request that waits for its backend. */
export interface Stored {
  /** The request in memory; null while it is only on disk. */
  readonly outgoing: Outgoing | null;
  /** The copy on disk; null if the request is only in memory. */
  readonly copy: StoredCopy<Outgoing> | null;
}

export interface RequestStoreOptions {
  /** Disk queue; null if requests do not survive the process. */
  readonly disk: DiskQueue<Outgoing> | null;
  /**
   * Maximum size of requests in memory, in bytes. With a disk queue these are copies that need not be read
   * again.
   */
  readonly memoryBytes: number;
  readonly onError: (error: unknown) => void;
}

/** Memory of a stored request besides its body, in bytes. */
const OVERHEAD = 300;

/**
 * Stores requests until their backend has received them. With a disk queue they are written to disk first,
 * and also held in memory while there is room.
 */
export class RequestStore {
  /** Requests of an earlier process, in order. */
  readonly recovered: readonly Stored[];
  /** Whether requests survive the process. */
  readonly isDurable: boolean;
  readonly #options: RequestStoreOptions;
  #heldBytes: number;

  constructor(options: RequestStoreOptions) {
    this.#options = options;
    this.isDurable = options.disk !== null;
    this.recovered = options.disk?.recovered.map((copy) => ({ outgoing: null, copy })) ?? [];
    this.#heldBytes = this.recovered.length * OVERHEAD;
  }

  /** Bytes of requests in memory. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Stores a request. Resolves when it is stored as durably as configured; rejects with `JournalFull` or
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

  /** Reads a request; null if it can no longer be read. */
  async read({ outgoing, copy }: Stored): Promise<Outgoing | null> {
    if (outgoing !== null || copy === null) return outgoing;
    try {
      return await copy.read();
    } catch (error) {
      this.#options.onError(error);
      return null;
    }
  }

  /** Releases a request that is not needed any more. */
  done({ copy, outgoing }: Stored): void {
    this.#heldBytes -= bytesOf(outgoing);
    copy?.done();
  }

  async close(): Promise<void> {
    await this.#options.disk?.close();
  }

  /** Drops the body from memory if the memory limit is exceeded. */
  #fitted(outgoing: Outgoing, copy: StoredCopy<Outgoing>): Stored {
    if (this.#heldBytes <= this.#options.memoryBytes) return { outgoing, copy };
    this.#heldBytes -= outgoing.body.length;
    return { outgoing: null, copy };
  }
}

function bytesOf(outgoing: Outgoing | null): number {
  return OVERHEAD + (outgoing?.body.length ?? 0);
}
