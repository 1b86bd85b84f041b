import { JournalFull } from "../journal/errors.ts";
import type { Entry } from "../journal/segment.ts";
import type { Outgoing } from "./outgoing.ts";

/** A request that waits for its backend. */
export interface Stored {
  readonly bytes: number;
  /** Null while it is on the disk only. */
  outgoing: Outgoing | null;
  /** Where it is on the disk; null when it is in memory only. */
  readonly entry: Entry | null;
}

/** Keeps requests until their backend has them. */
export interface ForwardStore {
  /** Requests that an earlier process left, in order. */
  readonly left: readonly Stored[];
  /** Resolves when the request is kept as durably as promised. Rejects with `JournalFull` or `JournalUnwritable`. */
  add(outgoing: Outgoing): Promise<Stored>;
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
export const OVERHEAD = 300;

/** Requests in memory, which end with the process. */
export function memoryStore(budgetBytes: number): ForwardStore {
  let heldBytes = 0;
  return {
    left: [],
    isDurable: false,
    get heldBytes() {
      return heldBytes;
    },
    add: (outgoing) => {
      const bytes = outgoing.body.length + OVERHEAD;
      if (heldBytes + bytes > budgetBytes) {
        return Promise.reject(new JournalFull(`the queue of ${budgetBytes} bytes is full`));
      }
      heldBytes += bytes;
      return Promise.resolve({ bytes, outgoing, entry: null });
    },
    read: ({ outgoing }) => Promise.resolve(outgoing),
    done: ({ bytes }) => {
      heldBytes -= bytes;
    },
    close: () => Promise.resolve(),
  };
}
