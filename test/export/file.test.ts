import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type ExportEvents, silentEvents } from "../../src/export/records/export-events.ts";
import { createFileExporter } from "../../src/export/file/file-exporter.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

test("lines are appended in order, in few writes, and are there after a flush", async () => {
  const path = join(folder, "a", "b.jsonl");
  let writes = 0;
  const events: ExportEvents = { ...silentEvents, sent: () => writes++ };
  const file = createFileExporter({ path, events });
  const lines = Array.from({ length: 1000 }, (_, n) => `{"n":${n}}`);
  for (const line of lines) file.offer([Buffer.from(line)]);
  await file.flush();
  expect(await readFile(path, "utf8")).toBe(`${lines.join("\n")}\n`);
  expect(writes).toBeLessThan(5);
  await file.close(60_000);
});

test("a line that a crash cut off does not spoil the next one", async () => {
  const path = join(folder, "torn.jsonl");
  await writeFile(path, '{"n":1}\n{"n":');
  const file = createFileExporter({ path, events: silentEvents });
  file.offer([Buffer.from('{"n":2}')]);
  await file.close(60_000);
  expect(await readFile(path, "utf8")).toBe('{"n":1}\n{"n":\n{"n":2}\n');
});

test("lines wait while the file cannot be written, and are written once it can, each once", async () => {
  const path = join(folder, "later.jsonl");
  await mkdir(path);
  const errors: string[] = [];
  let sent = 0;
  const events: ExportEvents = {
    ...silentEvents,
    failed: ({ error }) => errors.push(error),
    sent: ({ records }) => (sent += records),
  };
  const file = createFileExporter({ path, events });
  file.offer([Buffer.from('{"n":1}')]);
  await file.flush();
  expect(errors[0]).toContain("EISDIR");
  await rmdir(path);
  file.offer([Buffer.from('{"n":2}')]);
  await file.flush();
  expect(await readFile(path, "utf8")).toBe('{"n":1}\n{"n":2}\n');
  expect(sent).toBe(2);
  await file.close(0);
});

test("what waits for a slow disk is bounded", async () => {
  let dropped = 0;
  const events: ExportEvents = { ...silentEvents, dropped: ({ records }) => (dropped += records) };
  const path = join(folder, "bounded.jsonl");
  const file = createFileExporter({ path, events, maxQueueBytes: 1000 });
  for (let n = 0; n < 100; n++) file.offer([Buffer.alloc(99, "x")]);
  await file.close(60_000);
  expect(dropped).toBe(90);
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(11);
});

describe("rotation", () => {
  const day = 86_400_000;
  let nowUnixMs = Date.UTC(2030, 0, 31, 23, 59, 59, 999);
  const linesOf = async (name: string): Promise<number> =>
    (await readFile(join(folder, name), "utf8")).split("\n").length - 1;
  const names = async (): Promise<string[]> => (await readdir(folder)).sort();

  test("by size: whole lines, the newest in the plain name, the oldest deleted beyond what is kept", async () => {
    const file = createFileExporter({
      path: join(folder, "v.jsonl"),
      rotation: { maxBytes: 1000, maxAgeMs: null, keep: 2 },
      events: silentEvents,
      now: () => nowUnixMs,
    });
    for (let n = 0; n < 40; n++) {
      nowUnixMs += 1;
      file.offer([Buffer.alloc(99, "x")]);
      await file.flush();
    }
    await file.close(0);
    expect(await names()).toEqual([
      "v-2030-02-01T00-00-00.020Z.jsonl",
      "v-2030-02-01T00-00-00.030Z.jsonl",
      "v.jsonl",
    ]);
    expect(await Promise.all((await names()).map(linesOf))).toEqual([10, 10, 10]);
  });

  test("by age; files of the same moment do not replace each other, others in the folder are left alone", async () => {
    await writeFile(join(folder, "v-notes.jsonl"), "mine");
    const file = createFileExporter({
      path: join(folder, "v.jsonl"),
      rotation: { maxBytes: null, maxAgeMs: day, keep: 10 },
      events: silentEvents,
      now: () => nowUnixMs,
    });
    for (const waitMs of [0, day - 1, 1, 2 * day]) {
      nowUnixMs += waitMs;
      file.offer([Buffer.from("{}")]);
      await file.flush();
    }
    await file.close(0);
    expect((await names()).filter((name) => name.startsWith("v-20"))).toHaveLength(2);
    expect(await linesOf("v.jsonl")).toBe(1);
    expect(await readFile(join(folder, "v-notes.jsonl"), "utf8")).toBe("mine");
  });
});

test("what waited over a crash is not written a second time, also when the file was put aside since", async () => {
  const path = join(folder, "v.jsonl");
  const line = (n: number) => Buffer.from(JSON.stringify({ verdict_id: `v-${n}`, revision: 1 }));
  let done = 0;
  const block = {
    records: 2,
    bytes: 1,
    read: () => Promise.resolve([line(1), line(2)]),
    done: () => void done++,
  };
  await writeFile(join(folder, "v-2030-01-01T00-00-00.000Z.jsonl"), `${line(1).toString()}\n`);
  const diskQueue = {
    recovered: [block],
    add: () => Promise.reject(new Error("not used")),
    close: () => Promise.resolve(),
  };
  const file = createFileExporter({ path, events: silentEvents, diskQueue });
  await file.flush();
  await file.close(60_000);
  expect(await readFile(path, "utf8")).toBe(`${line(2).toString()}\n`);
  expect(done).toBe(1);
});
