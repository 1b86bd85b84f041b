import { RetainedRecords, type RetainedRecordsOptions } from "../../journal/records/retained-records.ts";
import type { Entry } from "../../journal/segments/segment.ts";

/** Something that waits on the disk. */
export interface StoredCopy<Item> {
  /** Null when it cannot be read any more. */
  read(): Promise<Item | null>;
  /** It is not needed any more. */
  done(): void;
}

export interface StoredBlock<Item> extends StoredCopy<Item> {
  readonly records: number;
  readonly bytes: number;
}

/** Where an output keeps what it cannot send now; without a word about what, batches of records. */
export interface DiskQueue<Item = readonly Uint8Array[]> {
  /** Records of an earlier process, in order. */
  readonly recovered: readonly StoredBlock<Item>[];
  /** Resolves when the item is stored. Rejects with `JournalFull` or `JournalUnwritable`. */
  add(item: Item): Promise<StoredBlock<Item>>;
  close(): Promise<void>;
}

/** How items are written. */
export interface DiskFormat<Item> {
  encode(item: Item): { readonly meta: Uint8Array; readonly body: Uint8Array };
  /** Null for what no version of ours wrote. */
  decode(meta: Uint8Array, body: Uint8Array): Item | null;
  /** Records in an item. */
  countIn(meta: Uint8Array): number;
}

/** Items in segment files; after a crash, those that were done in the last tenth of a second are found again. Rejects when the folder cannot be read. */
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
