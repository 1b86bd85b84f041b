import { verdictKey } from "../../journal/resumption.ts";
import type { ExportEvents } from "../records/export-events.ts";
import { createOutput, type Output } from "../queue/output.ts";
import type { DiskQueue } from "../queue/disk-queue.ts";
import { LineFile } from "./line-file.ts";
import type { Rotation } from "./rotation.ts";
import { verdictOfLine, writtenVerdicts } from "./written-verdicts.ts";

export interface FileExporterOptions {
  readonly path: string;
  readonly rotation?: Rotation | null;
  readonly events: ExportEvents;
  readonly spill?: DiskQueue | undefined;
  readonly now?: () => number;
  /** A line is on its way to the disk at latest after this time. */
  readonly maxDelayMs?: number;
  readonly maxQueueBytes?: number;
}

const largeWrite = 2 * 2 ** 20;

/** Appends lines to a file in large writes; records are lines without their line break. While it cannot be written, lines wait. */
export function createFileExporter(options: FileExporterOptions): Output {
  const { path, rotation = null, events, spill, now = Date.now, maxDelayMs = 1000, maxQueueBytes } = options;
  const file = new LineFile(path, rotation, now);
  const output = createOutput({
    route: { exporter: "file", signal: "verdicts", destination: path },
    events,
    spill: spill && withoutWritten(spill, path),
    limits: {
      maxDelayMs,
      maxBatchBytes: largeWrite,
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
  return {
    ...output,
    close: async (timeoutMs) => {
      await output.close(timeoutMs);
      await file.close();
    },
  };
}

/** Leaves out what an earlier process wrote just before it could note that it had. */
function withoutWritten(spill: DiskQueue, path: string): DiskQueue {
  let written: Promise<ReadonlySet<string>> | undefined;
  const left = spill.left.map((block) => ({
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
  return { ...spill, left };
}

async function keysIn(path: string): Promise<ReadonlySet<string>> {
  const written = await writtenVerdicts(path);
  return new Set(written.map(({ verdictId, revision }) => verdictKey(verdictId, revision)));
}
