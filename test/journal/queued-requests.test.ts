import { expect, test } from "vitest";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { MemoryDisk } from "./memory-disk.ts";

const open = (disk: MemoryDisk): Promise<Journal> =>
  openJournal({ dir: "", durability: "flush", budgetBytes: 1 << 20, segmentBytes: 1_000, disk });

const about = (queues: readonly string[]) => ({
  signal: "traces" as const,
  encoding: "protobuf" as const,
  receivedUnixMs: 0,
  sent: { isCompressed: false, headers: { "x-tenant": "blue" }, queues },
});

async function left(disk: MemoryDisk): Promise<[number, readonly string[]][]> {
  const journal = await open(new MemoryDisk(disk.snapshot()));
  const found: [number, readonly string[]][] = [];
  for await (const { body, queues } of journal.recover()) found.push([body[0] ?? -1, queues]);
  return found;
}

test("a request that backends' queues rest on stays until each has sent it on", async () => {
  const journal = await open(new MemoryDisk());
  const position = await journal.append(new Uint8Array([7]), about(["one", "other"]));
  const request = journal.share(position);
  journal.release(position);
  request.sentOn("one");
  request.sentOn("one");
  expect(position.isLive).toBe(true);
  expect(await request.read()).toEqual(Buffer.from([7]));
  request.sentOn("other");
  expect(position.isLive).toBe(false);
  await journal.close();
});

test("also when the request has moved behind the note about it, and is read while it moves", async () => {
  const disk = new MemoryDisk();
  const journal = await open(disk);
  const moving = await journal.append(new Uint8Array([1]), about(["one", "other"]));
  const request = journal.share(moving);
  request.sentOn("one");
  for (let at = 0; at < 900; at++) journal.release(await journal.append(new Uint8Array(600), about([])));
  const [first] = [...disk.files.keys()];
  const reading = request.read();
  await journal.makeRoom(() => []);
  expect(moving.segment.name).not.toBe(first);
  expect(disk.files.size).toBeLessThan(5);
  expect(await reading).toEqual(Buffer.from([1]));
  await journal.close();
  expect((await left(disk)).filter(([mark]) => mark === 1)).toEqual([[1, ["other"]]]);
});
