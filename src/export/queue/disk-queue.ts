import type { Disk } from "../../journal/disk/disk.ts";
import { RetainedRecords } from "../../journal/records/retained-records.ts";
import type { Repairs } from "../../journal/segments/repairs.ts";
import type { Entry } from "../../journal/segments/segment.ts";

/** Some records that wait on the disk together. */
export interface Block {
  readonly records: number;
  readonly bytes: number;
}

/** Where an output keeps what it cannot send now. */
export interface DiskQueue {
  /** What an earlier process left, in order. */
  readonly left: readonly Block[];
  /** Resolves when the records are stored. Rejects with `JournalFull` or `JournalUnwritable`. */
  add(records: readonly Uint8Array[]): Promise<Block>;
  /** Null when they cannot be read any more. */
  read(block: Block): Promise<readonly Uint8Array[] | null>;
  /** They are not needed any more. */
  done(block: Block): void;
  close(): Promise<void>;
}

export interface DiskQueueOptions {
  readonly disk: Disk;
  readonly sync: boolean;
  readonly budgetBytes: number;
  /** Random 32-bit numbers. */
  readonly salt: () => number;
  readonly onError: (error: unknown) => void;
  readonly onDamage?: (found: Repairs) => void;
}

const LENGTH_BYTES = 4;

/** Blocks in segment files. Rejects when the folder cannot be read. */
export async function openDiskQueue(options: DiskQueueOptions): Promise<DiskQueue> {
  const counts = new Map<number, number>();
  const kept = await RetainedRecords.open(options, ({ number }, meta) => counts.set(number, countIn(meta)));
  const entries = new WeakMap<Block, Entry>();
  const block = (entry: Entry, records: number): Block => {
    const made = { records, bytes: entry.bodyBytes };
    entries.set(made, entry);
    return made;
  };
  return {
    left: kept.left.map((entry) => block(entry, counts.get(entry.number) ?? 0)),
    add: async (records) => block(await kept.add(metaOf(records.length), joined(records)), records.length),
    read: async (one) => {
      const entry = entries.get(one);
      const read = entry === undefined ? null : await kept.read(entry);
      return read === null ? null : parted(read.body);
    },
    done: (one) => {
      const entry = entries.get(one);
      if (entries.delete(one) && entry !== undefined) kept.done(entry);
    },
    close: () => kept.close(),
  };
}

function metaOf(records: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(records).buffer);
}

function countIn(meta: Uint8Array): number {
  return meta.length < LENGTH_BYTES ? 0 : new DataView(meta.buffer, meta.byteOffset).getUint32(0, true);
}

function joined(records: readonly Uint8Array[]): Uint8Array {
  const parts = records.flatMap((record) => {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(record.length);
    return [length, record];
  });
  return Buffer.concat(parts);
}

function parted(body: Uint8Array): Uint8Array[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const records: Uint8Array[] = [];
  for (let at = 0; at + LENGTH_BYTES <= body.length;) {
    const length = view.getUint32(at, true);
    at += LENGTH_BYTES;
    records.push(body.subarray(at, at + length));
    at += length;
  }
  return records;
}
