import { RetainedRecords, type RetainedRecordsOptions } from "../../journal/records/retained-records.ts";
import type { Entry } from "../../journal/segments/segment.ts";

/** An item that is stored on disk. */
export interface StoredCopy<Item> {
  /** Reads the item. Resolves to null if the item cannot be read. */
  read(): Promise<Item | null>;
  /** Releases an item that is no longer needed. */
  done(): void;
}

export interface StoredBlock<Item> extends StoredCopy<Item> {
  readonly records: number;
  readonly bytes: number;
}

/** Disk queue of an output. An item is a batch of records, unless another type is given. */
export interface DiskQueue<Item = readonly Uint8Array[]> {
  /** Items that an earlier process left, oldest first. */
  readonly recovered: readonly StoredBlock<Item>[];
  /** Stores an item. Rejects with `JournalFull` or `JournalUnwritable`. */
  add(item: Item): Promise<StoredBlock<Item>>;
  close(): Promise<void>;
}

/** Serialisation of items. */
export interface DiskFormat<Item> {
  encode(item: Item): { readonly meta: Uint8Array; readonly body: Uint8Array };
  /** Decodes an item. Returns null if the bytes do not have the format. */
  decode(meta: Uint8Array, body: Uint8Array): Item | null;
  /** Returns the number of records in an item. */
  countIn(meta: Uint8Array): number;
}

/**
 * Opens a queue of items in segment files. After a crash, items that were released in the last tenth of a
 * second are in the queue again. Rejects if the folder cannot be read.
 */
export async function openDiskQueue<Item>(
  options: RetainedRecordsOptions,
  format: DiskFormat<Item>,
): Promise<DiskQueue<Item>> {
  const counts = new Map<number, number>();
  const kept = await RetainedRecords.open(options, ({ number }, meta) =>
    counts.set(number, format.countIn(meta)),
  );
  const block = (entry: Entry, records: number): StoredBlock<Item> => ({
    records,
    bytes: entry.bodyBytes,
    read: async () => {
      const read = await kept.read(entry);
      return read === null ? null : format.decode(read.meta, read.body);
    },
    done: () => kept.done(entry),
  });
  return {
    recovered: kept.recovered.map((entry) => block(entry, counts.get(entry.number) ?? 0)),
    add: async (item) => {
      const { meta, body } = format.encode(item);
      return block(await kept.add(meta, body), format.countIn(meta));
    },
    close: () => kept.close(),
  };
}
