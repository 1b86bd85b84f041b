import { JournalFull } from "../../../journal/disk/errors.ts";
import type { StoredCopy, DiskQueue } from "../../queue/disk-queue.ts";
import type { Outgoing } from "../outgoing.ts";

/** A request that waits for its backend. */
export interface Stored {
  /** Null while it is on the disk only. */
  readonly outgoing: Outgoing | null;
  /** Null when it is in memory only. */
  readonly copy: StoredCopy<Outgoing> | null;
}

export interface RequestStoreOptions {
  /** Null where requests end with the process. */
  readonly disk: DiskQueue<Outgoing> | null;
  /** Bytes of requests in memory: beside the disk, so that sending them needs no reading, or instead of it. */
  readonly memoryBytes: number;
  readonly onError: (error: unknown) => void;
}

/** Memory of a stored request besides its body. */
const OVERHEAD = 300;

/** Keeps requests until their backend has them: on the disk before all else, and in memory while there is room. */
export class RequestStore {
  /** Requests that an earlier process left, in order. */
  readonly recovered: readonly Stored[];
  /** Whether requests outlive the process. */
  readonly isDurable: boolean;
  readonly #options: RequestStoreOptions;
  #heldBytes: number;

  constructor(options: RequestStoreOptions) {
    this.#options = options;
    this.isDurable = options.disk !== null;
    this.recovered = options.disk?.recovered.map((copy) => ({ outgoing: null, copy })) ?? [];
    this.#heldBytes = this.recovered.length * OVERHEAD;
  }

  /** Bytes in memory. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Resolves when the request is stored as durably as promised. Rejects with `JournalFull` or `JournalUnwritable`. */
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

  /** Takes a request of which there is a copy elsewhere. */
  addStored(outgoing: Outgoing, copy: StoredCopy<Outgoing>): Stored {
    this.#heldBytes += bytesOf(outgoing);
    return this.#fitted(outgoing, copy);
  }

  /** Null when it cannot be read any more. */
  async read({ outgoing, copy }: Stored): Promise<Outgoing | null> {
    if (outgoing !== null || copy === null) return outgoing;
    try {
      return await copy.read();
    } catch (error) {
      this.#options.onError(error);
      return null;
    }
  }

  /** It is not needed any more. */
  done({ copy, outgoing }: Stored): void {
    this.#heldBytes -= bytesOf(outgoing);
    copy?.done();
  }

  async close(): Promise<void> {
    await this.#options.disk?.close();
  }

  /** Drops the body from memory when too many are there. */
  #fitted(outgoing: Outgoing, copy: StoredCopy<Outgoing>): Stored {
    if (this.#heldBytes <= this.#options.memoryBytes) return { outgoing, copy };
    this.#heldBytes -= outgoing.body.length;
    return { outgoing: null, copy };
  }
}

function bytesOf(outgoing: Outgoing | null): number {
  return OVERHEAD + (outgoing?.body.length ?? 0);
}
