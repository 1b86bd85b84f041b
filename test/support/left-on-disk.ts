import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { outgoingFormat } from "../../src/export/forward/outgoing.ts";
import { type DiskQueue, openDiskQueue } from "../../src/export/queue/disk-queue.ts";
import { batchFormat } from "../../src/export/queue/open-disk-queues.ts";
import { nodeDisk } from "../../src/journal/disk/node-disk.ts";
import { openJournal, type Past } from "../../src/journal/journal.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const budgetBytes = 2 ** 26;

/** The content of the journal that a process would find if it started now with this data folder. */
export function journalPast(dataDir: string): Promise<Past> {
  return onCopy(join(dataDir, "journal"), async (dir) => {
    const journal = await openJournal({ dir, durability: "flush", budgetBytes });
    await journal.close();
    return journal.past;
  });
}

/** Number of records that a process would find in the queues of backends or outputs if it started now with this data folder. */
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

/** Reads a copy, because another process may still write to the folder. */
async function onCopy<Found>(dir: string, read: (copy: string) => Promise<Found>): Promise<Found> {
  const copy = temporaryFolder();
  cpSync(dir, copy, { recursive: true, filter: (path) => !path.endsWith("lock") });
  return await read(copy);
}
