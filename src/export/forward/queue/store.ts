import { JournalFull } from "../../../journal/disk/errors.ts";
import type { Outgoing } from "../outgoing.ts";

/** A request on the disk. */
export interface Copy {
  /** Null when it is not what a version of ours wrote. Rejects when it cannot be read. */
  read(): Promise<Outgoing | null>;
  /** It is not needed any more. */
  done(): void;
}

/** A request that waits for its backend. */
export interface Stored {
  /** Null while it is on the disk only. */
  readonly outgoing: Outgoing | null;
  /** Null when it is in memory only. */
  readonly copy: Copy | null;
}

/** Keeps requests until their backend has them. */
export interface ForwardStore {
  /** Requests that an earlier process left, in order. */
  readonly left: readonly Stored[];
  /** Resolves when the request is stored as durably as promised. Rejects with `JournalFull` or `JournalUnwritable`. */
  add(outgoing: Outgoing): Promise<Stored>;
  /** Takes a request of which there is a copy elsewhere. */
  rest(outgoing: Outgoing, copy: Copy): Stored;
  /** Null when it cannot be read any more. */
  read(stored: Stored): Promise<Outgoing | null>;
  /** It is not needed any more. */
  done(stored: Stored): void;
  /** Bytes in memory. */
  readonly heldBytes: number;
  /** Whether requests outlive the process. */
  readonly isDurable: boolean;
  close(): Promise<void>;
}

/** What a stored request takes in memory besides its body. */
const OVERHEAD = 300;

/** Bytes that a stored request takes in memory. */
export function bytesOf(outgoing: Outgoing | null): number {
  return OVERHEAD + (outgoing?.body.length ?? 0);
}

/** Requests in memory, which end with the process. */
export function memoryStore(budgetBytes: number): ForwardStore {
  let heldBytes = 0;
  const hold = (outgoing: Outgoing, copy: Copy | null): Stored => {
    heldBytes += bytesOf(outgoing);
    return { outgoing, copy };
  };
  return {
    left: [],
    isDurable: false,
    get heldBytes() {
      return heldBytes;
    },
    add: (outgoing) =>
      heldBytes + bytesOf(outgoing) > budgetBytes
        ? Promise.reject(new JournalFull(`the queue of ${budgetBytes} bytes is full`))
        : Promise.resolve(hold(outgoing, null)),
    rest: hold,
    read: ({ outgoing }) => Promise.resolve(outgoing),
    done: ({ outgoing, copy }) => {
      heldBytes -= bytesOf(outgoing);
      copy?.done();
    },
    close: () => Promise.resolve(),
  };
}
