import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { batchFormat } from "../../src/export/queue/open-disk-queues.ts";
import { openDiskQueue } from "../../src/export/queue/disk-queue.ts";
import { outgoingFormat } from "../../src/export/forward/outgoing.ts";
import { batchTraceIds } from "../../src/journal/records/batch-traces.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { nodeDisk } from "../../src/journal/disk/node-disk.ts";
import type { Repairs } from "../../src/journal/segments/repairs.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * What `serve` of version 618c73a left when it was killed: six traces that were judged and four without their root, in sixteen requests, with
 * a backend and an OTLP output that were both down. Files by name, as gzip in base64.
 */
interface DataDir {
  readonly closed: readonly string[];
  readonly open: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

const fixture = JSON.parse(
  readFileSync(new URL("../fixtures/data-dir/data-dir.json", import.meta.url), "utf8"),
) as DataDir;
const REQUESTS = 16;

function unpacked(): string {
  const folder = temporaryFolder();
  for (const [name, packed] of Object.entries(fixture.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), gunzipSync(Buffer.from(packed, "base64")));
  }
  return folder;
}

/** The folder of the one queue in it. */
function queueIn(part: "forward" | "export"): string {
  const name = Object.keys(fixture.files).find((file) => file.startsWith(`${part}/`)) ?? "";
  return dirname(name);
}

test("a data_dir of version 618c73a is read without loss: open traces, judgements, queues and store", async () => {
  const folder = unpacked();
  const damage: Repairs[] = [];
  const onDamage = (found: Repairs): void => void damage.push(found);
  const queue = {
    sync: false,
    budgetBytes: 2 ** 24,
    salt: () => 1,
    onError: (error: unknown) => expect.fail(String(error)),
    onDamage,
  };

  const journal = await openJournal({
    dir: join(folder, "journal"),
    durability: "flush",
    budgetBytes: 2 ** 24,
    onDamage,
  });
  const found = new Set<string>();
  let requests = 0;
  let journalBacked = 0;
  for await (const { body, meta, queues } of journal.recover()) {
    requests++;
    journalBacked += queues.length;
    const decoded = decodeRequest(body, meta.signal, meta.encoding);
    for (const id of decoded.ok && decoded.batch !== null ? batchTraceIds(decoded.batch) : []) found.add(id);
  }
  expect(requests).toBe(REQUESTS);
  expect([...found].sort()).toEqual([...fixture.closed, ...fixture.open].sort());
  expect(journal.past.judgements.flatMap(({ traceIds }) => traceIds).sort()).toEqual(
    [...fixture.closed].sort(),
  );
  await journal.close();

  const forward = await openDiskQueue(
    { ...queue, disk: nodeDisk(join(folder, queueIn("forward"))) },
    outgoingFormat,
  );
  const bodies = await Promise.all(forward.recovered.map((one) => one.read()));
  expect(bodies.every((outgoing) => outgoing !== null && outgoing.body.length > 0)).toBe(true);
  expect(journalBacked + bodies.length).toBe(REQUESTS);
  await forward.close();

  const diskQueue = await openDiskQueue(
    { ...queue, disk: nodeDisk(join(folder, queueIn("export"))) },
    batchFormat,
  );
  const blocks = await Promise.all(diskQueue.recovered.map((block) => block.read()));
  const records = blocks.reduce((sum, block) => sum + (block?.length ?? 0), 0);
  expect(records).toBe(diskQueue.recovered.reduce((sum, block) => sum + block.records, 0));
  expect(records).toBeGreaterThanOrEqual(fixture.closed.length * 4);
  await diskQueue.close();
  expect(damage).toEqual([]);

  const { database, warning } = openDatabase(join(folder, "store.db"), 1);
  const retention = { maxAgeMs: 1e15, maxBytes: 1e15 };
  const store = new SqliteStore({ database, retention, onError: (error) => expect.fail(error.message) });
  const verdicts = (await store.verdicts({}, 100, null))?.verdicts ?? [];
  expect(warning).toBeNull();
  expect(verdicts.flatMap(({ traceIds }) => traceIds).sort()).toEqual([...fixture.closed].sort());
  expect((await store.runs({}, 100, null))?.items).toHaveLength(fixture.closed.length);
  expect(await store.telemetry(verdicts[0]?.runId ?? "")).toHaveLength(2);
  await store.close();
});
