import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { outgoingFormat } from "../../src/export/forward/outgoing.ts";
import { type DiskQueue, openDiskQueue } from "../../src/export/queue/disk-queue.ts";
import { batchFormat } from "../../src/export/queue/open-disk-queues.ts";
import { nodeDisk } from "../../src/journal/disk/node-disk.ts";
import { openJournal, type Past } from "../../src/journal/journal.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const budgetBytes = 2 ** 26;

/** What a process that is started on this data folder now finds in its journal. */
export function journalPast(dataDir: string): Promise<Past> {
  return onCopy(join(dataDir, "journal"), async (dir) => {
    const journal = await openJournal({ dir, durability: "flush", budgetBytes });
    await journal.close();
    return journal.past;
  });
}

/** How many records a process that is started on this data folder now finds in the queues of its backends or of its outputs. */
export function queuedRecords(dataDir: string, part: "forward" | "export"): Promise<number> {
  return onCopy(join(dataDir, part), async (copy) => {
    const files = readdirSync(copy, { recursive: true, withFileTypes: true });
    const segments = files.filter(({ name }) => name.endsWith(".segment"));
    let records = 0;
    for (const dir of new Set(segments.map(({ parentPath }) => parentPath))) {
      const queue = await openQueue(dir, part);
      for (const stored of queue.recovered) records += stored.records;
      await queue.close();
    }
    return records;
  });
}

function openQueue(dir: string, part: "forward" | "export"): Promise<DiskQueue<unknown>> {
  const options = { disk: nodeDisk(dir), sync: false, budgetBytes, salt: () => 1, onError: () => undefined };
  return part === "forward" ? openDiskQueue(options, outgoingFormat) : openDiskQueue(options, batchFormat);
}

/** Reads a copy: the process that writes the folder goes on. */
async function onCopy<Found>(dir: string, read: (copy: string) => Promise<Found>): Promise<Found> {
  const copy = temporaryFolder();
  cpSync(dir, copy, { recursive: true, filter: (path) => !path.endsWith("lock") });
  return await read(copy);
}
