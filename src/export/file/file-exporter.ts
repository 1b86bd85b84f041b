import { verdictKey } from "../../journal/resumption.ts";
import type { ExportEvents } from "../records/export-events.ts";
import { FILE_BATCH_BYTES } from "../queue/backend-down.ts";
import { createDeliveryQueue, type DeliveryQueue } from "../queue/delivery-queue.ts";
import type { DiskQueue } from "../queue/disk-queue.ts";
import { LineFile } from "./line-file.ts";
import type { Rotation } from "./rotation.ts";
import { verdictOfLine, writtenVerdicts } from "./written-verdicts.ts";

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
 * Creates a queue that appends lines to a file in large writes. A record is a line without its line break. If a write fails, its lines
 * wait.
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
