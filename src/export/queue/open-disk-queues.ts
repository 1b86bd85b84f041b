import { createHash } from "node:crypto";
import { join } from "node:path";
import { JournalOpenError } from "../../journal/disk/errors.ts";
import { acquireLock, type Lock } from "../../journal/disk/lock.ts";
import { nodeDisk } from "../../journal/disk/node-disk.ts";
import { ownedDisk } from "../../journal/disk/owned-disk.ts";
import type { Repairs } from "../../journal/segments/repairs.ts";
import { openDiskQueue, type DiskQueue, type DiskFormat } from "./disk-queue.ts";
import { messageOf } from "../../support/structures/error-message.ts";

const LENGTH_BYTES = 4;

/** Disk format of a batch: the number of records, then each record, preceded by its length. */
export const batchFormat: DiskFormat<readonly Uint8Array[]> = {
  encode: (records) => ({
    meta: new Uint8Array(Uint32Array.of(records.length).buffer),
    body: Buffer.concat(records.flatMap((record) => [lengthOf(record), record])),
  }),
  decode: (_, body) => {
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const records: Uint8Array[] = [];
    for (let at = 0; at + LENGTH_BYTES <= body.length;) {
      const length = view.getUint32(at, true);
      at += LENGTH_BYTES;
      records.push(body.subarray(at, at + length));
      at += length;
    }
    return records;
  },
  countIn: (meta) =>
    meta.length < LENGTH_BYTES ? 0 : new DataView(meta.buffer, meta.byteOffset).getUint32(0, true),
};

/** Disk queues of the outputs, each in its own folder. */
export interface DiskQueues {
  /**
   * Returns the disk queue of an output; undefined if the output has none. If several outputs have the same name, the first call with the
   * name returns the first output's queue, the second call the second's, and so on.
   * @param name name that identifies the output across restarts
   */
  of(name: string): DiskQueue | undefined;
  /** Closes all queues. Call `close` after all outputs are closed. */
  close(): Promise<void>;
}

/** Opens no disk queue: all queues are only in memory. */
export const noDiskQueues: DiskQueues = { of: () => undefined, close: () => Promise.resolve() };

export interface DiskQueuesOptions {
  readonly dir: string;
  /** Names of the outputs: addresses or file paths. If several outputs have the same name, the list contains the name several times. */
  readonly outputs: readonly string[];
  /** Maximum size of each queue in bytes. */
  readonly budgetBytes: number;
  readonly sync: boolean;
  /**
   * Whether `dir` is the default folder. If the default folder cannot be written, or another process uses it, the process starts without
   * disk queues instead of an error.
   */
  readonly mayYield: boolean;
  readonly onYield: (error: JournalOpenError) => void;
  readonly onError: (error: unknown) => void;
  /** Reports the folder of a queue whose damaged files were repaired. */
  readonly onDamage: (where: string, found: Repairs) => void;
}

/** Opens the disk queues of all outputs. Rejects with `JournalOpenError` if a queue cannot be opened. */
export async function openDiskQueues(options: DiskQueuesOptions): Promise<DiskQueues> {
  if (options.outputs.length === 0) return noDiskQueues;
  let lock: Lock | undefined;
  try {
    lock = await acquireLock(options.dir);
    return await openAll(options, lock);
  } catch (error) {
    await lock?.release();
    const failure = asOpenError(error, options.dir);
    if (!options.mayYield) throw failure;
    options.onYield(failure);
    return noDiskQueues;
  }
}

async function openAll({ dir, outputs, ...options }: DiskQueuesOptions, lock: Lock): Promise<DiskQueues> {
  const diskQueues = new Map<string, DiskQueue>();
  const opened = occurrences();
  for (const name of outputs.map((output) => opened(withoutPassword(output)))) {
    const folder = join(dir, folderOf(name));
    const disk = ownedDisk(nodeDisk(folder), lock);
    const onDamage = (found: Repairs): void => options.onDamage(folder, found);
    const salt = (): number => Math.floor(Math.random() * 2 ** 32);
    diskQueues.set(name, await openDiskQueue({ ...options, disk, onDamage, salt }, batchFormat));
  }
  const given = occurrences();
  return { of: (name) => diskQueues.get(given(withoutPassword(name))), close: () => lock.release() };
}

/**
 * Returns a function that makes repeated names unique: for the second output with a name, it returns `NAME#2`. For example, two webhooks
 * can have the same address.
 */
function occurrences(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}#${count}`;
  };
}

/** Returns an address without user and password, so that a changed password does not change the queue's folder. */
function withoutPassword(name: string): string {
  if (!URL.canParse(name)) return name;
  const url = new URL(name);
  if (url.username === "" && url.password === "") return name;
  url.username = "";
  url.password = "";
  return url.href;
}

/** Returns the folder name for an output: its host or file name, followed by a hash of the whole name. */
function folderOf(name: string): string {
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 12);
  const host = URL.canParse(name) ? new URL(name).host : (name.split("/").at(-1) ?? "");
  return `${host.replaceAll(/[^\w.-]/g, "_").slice(0, 80)}-${hash}`;
}

function asOpenError(error: unknown, dir: string): JournalOpenError {
  if (error instanceof JournalOpenError) return error;
  const reason = messageOf(error);
  return new JournalOpenError(`undelivered records cannot be written to ${dir}: ${reason}`);
}

function lengthOf(record: Uint8Array): Uint8Array {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(record.length);
  return length;
}
