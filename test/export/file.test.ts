import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ExportEvents, silentEvents } from "../../src/export/export-events.ts";
import { createFileExporter } from "../../src/export/file/file-exporter.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "export-file-"));
});
afterEach(() => rm(folder, { recursive: true }));

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
  await file.close(1000);
});

test("without a flush they are there soon", async () => {
  const path = join(folder, "soon.jsonl");
  const written = new Promise<void>((resolve) => {
    createFileExporter({ path, maxDelayMs: 5, events: { ...silentEvents, sent: () => resolve() } }).offer([
      Buffer.from("{}"),
    ]);
  });
  await written;
  expect(await readFile(path, "utf8")).toBe("{}\n");
});

test("a line that a crash cut off does not spoil the next one", async () => {
  const path = join(folder, "torn.jsonl");
  await writeFile(path, '{"n":1}\n{"n":');
  const file = createFileExporter({ path, events: silentEvents });
  file.offer([Buffer.from('{"n":2}')]);
  await file.close(1000);
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
  await file.close(1000);
  expect(dropped).toBe(90);
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(11);
});
