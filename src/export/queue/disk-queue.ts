import { RetainedRecords, type RetainedRecordsOptions } from "../../journal/records/retained-records.ts";
import type { Entry } from "../../journal/segments/segment.ts";

export interface StoredCopy<Item> {
  /** Reads the item. Resolves to null if reading fails. */
  read(): Promise<Item | null>;
  /** Removes the item from disk. */
  done(): void;
}

export interface StoredBlock<Item> extends StoredCopy<Item> {
  readonly records: number;
  readonly bytes: number;
}

/** Queue of items in files on disk. By default, an item is a batch of records. */
export interface DiskQueue<Item = readonly Uint8Array[]> {
  /** Items that an earlier process did not remove, oldest first. */
  readonly recovered: readonly StoredBlock<Item>[];
  /** Stores an item. If the write fails, reports the error and rejects with it (`JournalFull` or `JournalUnwritable`). */
  add(item: Item): Promise<StoredBlock<Item>>;
  close(): Promise<void>;
}

export interface DiskFormat<Item> {
  encode(item: Item): { readonly meta: Uint8Array; readonly body: Uint8Array };
  /** Decodes an item. Returns null if the bytes do not have this format. */
  decode(meta: Uint8Array, body: Uint8Array): Item | null;
  countIn(meta: Uint8Array): number;
}

/**
 * Opens a queue of items in segment files. After a crash, the queue also contains items that were removed in the tenth of a second before
 * the crash. Rejects if the folder cannot be read.
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
      try {
        return block(await kept.add(meta, body), format.countIn(meta));
      } catch (error) {
        options.onError(error);
        throw error;
      }
    },
    close: () => kept.close(),
  };
}
