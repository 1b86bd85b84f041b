import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../support/process/make-folder.ts";
import { verdictKey } from "../../journal/resumption.ts";
import type { ExportEvents } from "../records/export-events.ts";
import { FILE_BATCH_BYTES } from "../queue/backend-down.ts";
import { createDeliveryQueue, type DeliveryQueue } from "../queue/delivery-queue.ts";
import type { DiskQueue } from "../queue/disk-queue.ts";
import { rotate, type Rotation } from "./rotation.ts";
import { verdictOfLine, writtenVerdicts } from "./written-verdicts.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../support/process/private-files.ts";

const lineBreak = 0x0a;

/** Appends complete lines to a file. Creates the file and its folder before the first lines. */
export class LineFile {
  readonly #path: string;
  readonly #rotation: Rotation | null;
  readonly #now: () => number;
  #file: FileHandle | undefined;
  #size = 0;
  #beganUnixMs = 0;
  #mode = PRIVATE_FILE;
  /** Whether the file ends in an incomplete line, after a crash or a failed write. */
  #isTorn = false;

  constructor(path: string, rotation: Rotation | null, now: () => number) {
    this.#path = path;
    this.#rotation = rotation;
    this.#now = now;
  }

  /** Appends all of the lines or none. Rejects if the write fails. */
  async append(lines: readonly Uint8Array[]): Promise<void> {
    const parts = lines.flatMap((line) => [line, newLine]);
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    let file = await this.#opened();
    if (this.#rotation !== null && this.#isDue(this.#rotation, bytes)) {
      await this.close();
      await rotate(this.#path, this.#rotation, this.#now());
      file = await this.#opened();
    }
    try {
      await file.appendFile(Buffer.concat(this.#isTorn ? [newLine, ...parts] : parts));
      this.#size += bytes + (this.#isTorn ? 1 : 0);
      this.#isTorn = false;
    } catch (error) {
      await file.truncate(this.#size).catch(() => (this.#isTorn = true));
      await this.close(); // The next write opens the path again, because the file may have been removed.
      throw error;
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }

  #isDue({ maxBytes, maxAgeMs }: Rotation, bytes: number): boolean {
    if (this.#size === 0) return false;
    if (maxBytes !== null && this.#size + bytes > maxBytes) return true;
    return maxAgeMs !== null && this.#now() - this.#beganUnixMs >= maxAgeMs;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#file !== undefined) return this.#file;
    await makeFolder(dirname(this.#path), PRIVATE_FOLDER);
    const file = await open(this.#path, "a+", this.#mode);
    try {
      await this.#look(file);
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    this.#file = file;
    return file;
  }

  /** Reads size, age, mode and last byte of the opened file. */
  async #look(file: FileHandle): Promise<void> {
    const { size, birthtimeMs, mtimeMs, mode } = await file.stat();
    // The new file of a rotation gets this mode, because the file's owner may have changed the mode of the old file.
    this.#mode = mode & 0o777;
    this.#size = size;
    this.#beganUnixMs = size === 0 ? this.#now() : birthtimeMs || mtimeMs;
    if (size === 0) return;
    const last = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    this.#isTorn = last.buffer[0] !== lineBreak;
  }
}

const newLine = Uint8Array.of(lineBreak);

export interface FileExporterOptions {
  readonly path: string;
  readonly rotation?: Rotation | null;
  readonly events: ExportEvents;
  readonly diskQueue?: DiskQueue | undefined;
  readonly now?: () => number;
  /** Maximum time in milliseconds that a line waits to be written. */
  readonly maxDelayMs?: number;
  readonly maxQueueBytes?: number;
}

/**
 * Creates a queue that appends lines to a file, many lines in each write. A record is a line without its line break. If a write fails, its
 * lines stay in the queue.
 */
export function createFileExporter(options: FileExporterOptions): DeliveryQueue {
  const { path, rotation = null, events, diskQueue, now = Date.now, maxDelayMs, maxQueueBytes } = options;
  const file = new LineFile(path, rotation, now);
  return createDeliveryQueue({
    route: { exporter: "file", signal: "verdicts", destination: path },
    events,
    diskQueue: diskQueue && withoutWritten(diskQueue, path),
    closeTransport: () => file.close(),
    limits: {
      ...(maxDelayMs === undefined ? {} : { maxDelayMs }),
      maxBatchBytes: FILE_BATCH_BYTES,
      maxBatchRecords: Infinity,
      ...(maxQueueBytes === undefined ? {} : { maxQueueBytes }),
    },
    send: async (lines) => {
      try {
        if (lines.length > 0) await file.append(lines);
        return { outcome: "delivered" };
      } catch (error) {
        return { outcome: "retry", error: String(error), retryAfterMs: 0 };
      }
    },
  });
}

/**
 * Removes lines from the disk queue that the file already contains. A crashed process may have written lines without removing them from the
 * queue.
 */
function withoutWritten(diskQueue: DiskQueue, path: string): DiskQueue {
  let written: Promise<ReadonlySet<string>> | undefined;
  const recovered = diskQueue.recovered.map((block) => ({
    ...block,
    read: async () => {
      const lines = await block.read();
      if (lines === null) return null;
      const keys = await (written ??= keysIn(path));
      return lines.filter((line) => {
        const verdict = verdictOfLine(Buffer.from(line).toString());
        return verdict === null || !keys.has(verdictKey(verdict.verdictId, verdict.revision));
      });
    },
  }));
  return { ...diskQueue, recovered };
}

async function keysIn(path: string): Promise<ReadonlySet<string>> {
  const written = await writtenVerdicts(path);
  return new Set(written.map(({ verdictId, revision }) => verdictKey(verdictId, revision)));
}
