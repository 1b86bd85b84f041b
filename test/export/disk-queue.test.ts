import { beforeEach, expect, test } from "vitest";
import { BatchQueue, type BatchQueueOptions } from "../../src/export/queue/batch-queue.ts";
import { batchFormat, openDiskQueues } from "../../src/export/queue/open-disk-queues.ts";
import { openDiskQueue, type DiskQueue } from "../../src/export/queue/disk-queue.ts";
import type { SendResult } from "../../src/export/queue/send-result.ts";
import { JournalFull } from "../../src/journal/disk/errors.ts";
import { nodeDisk } from "../../src/journal/disk/node-disk.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { eventLoopTurns, until } from "../support/eventually.ts";
import { retryBackoff } from "../../src/export/queue/backend-down.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const open = (budgetBytes = 2 ** 22): Promise<DiskQueue> =>
  openDiskQueue(
    {
      disk: nodeDisk(folder),
      budgetBytes,
      sync: false,
      salt: () => 1,
      onError: (error) => {
        throw error;
      },
    },
    batchFormat,
  );

interface Counts {
  sent: number[];
  dropped: Record<string, number>;
  queuedOnDisk: number;
}

function queueTo(
  answer: () => SendResult | Promise<SendResult>,
  diskQueue: DiskQueue,
  options: Partial<BatchQueueOptions> = {},
): { queue: BatchQueue; counts: Counts } {
  const counts: Counts = { sent: [], dropped: {}, queuedOnDisk: 0 };
  const queue = new BatchQueue({
    send: async (records) => {
      const result = await answer();
      if (result.outcome === "delivered")
        for (const record of records) counts.sent.push(Buffer.from(record).readUInt32LE());
      return result;
    },
    onSent: () => undefined,
    onDropped: (records, why) => (counts.dropped[why] = (counts.dropped[why] ?? 0) + records),
    onQueuedOnDisk: (records) => (counts.queuedOnDisk += records),
    diskQueue,
    maxDelayMs: 5,
    backoff: { ...retryBackoff, firstMs: 5, longestMs: 20 },
    ...options,
  });
  return { queue, counts };
}

const down: SendResult = { outcome: "retry", error: "down", retryAfterMs: 0 };
const record = (n: number, bytes = 100): Uint8Array => {
  const made = Buffer.alloc(bytes);
  made.writeUInt32LE(n);
  return made;
};
const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, n) => from + n);

test("what a dead backend missed is on the disk, counts as done, and is sent once it is back, in order", async () => {
  let isUp = false;
  const { queue, counts } = queueTo(() => (isUp ? { outcome: "delivered" } : down), await open());
  let done = 0;
  for (const n of numbers(500)) queue.offer([record(n)], () => done++);
  await until(() => done === 500);
  expect([queue.bytes, queue.records, counts.queuedOnDisk]).toEqual([0, 500, 500]);
  isUp = true;
  await until(() => queue.records === 0);
  expect(counts.sent).toEqual(numbers(500));
  expect(counts.dropped).toEqual({});
  await queue.close(100);
});

test("it is sent by the next process, each record once, also what was in memory at a stop", async () => {
  const first = queueTo(() => down, await open());
  for (const n of numbers(100)) first.queue.offer([record(n)]);
  await until(() => first.counts.queuedOnDisk === 100);
  first.queue.offer([record(100)]);
  await first.queue.close(60_000);
  expect(first.counts.dropped).toEqual({});

  const diskQueue = await open();
  expect(diskQueue.recovered.reduce((sum, { records }) => sum + records, 0)).toBe(101);
  const second = queueTo(() => ({ outcome: "delivered" }), diskQueue);
  await second.queue.flush();
  expect(second.counts.sent).toEqual(numbers(101));
  await second.queue.close(60_000);

  expect((await open()).recovered).toEqual([]);
});

test("a record that cannot be written to the disk is reported, and waits in memory", async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const options = { disk: nodeDisk(folder), budgetBytes: 1, sync: false, salt: () => 1, onError };
  const { queue, counts } = queueTo(() => down, await openDiskQueue(options, batchFormat));
  for (const n of numbers(3)) queue.offer([record(n)]);
  await until(() => errors.length > 0);
  expect(errors[0]).toBeInstanceOf(JournalFull);
  expect([queue.records, counts.dropped]).toEqual([3, {}]);
  await queue.close(100);
});

test("two outputs with one address have a queue each, and find it again, also after a change of the password", async () => {
  const address = "http://user:old@hooks.example/a";
  const changed = "http://user:new@hooks.example/a";
  const openAll = (outputs: readonly string[]) =>
    openDiskQueues({
      dir: folder,
      outputs,
      budgetBytes: 2 ** 22,
      sync: false,
      mayYield: false,
      onYield: () => undefined,
      onError: (error) => {
        throw error;
      },
      onDamage: () => undefined,
    });
  const [first, other] = [numbers(20), numbers(30, 100)];
  const before = await openAll([address, address]);
  for (const records of [first, other]) {
    const diskQueue = before.of(address);
    if (diskQueue === undefined) throw new Error("there is no queue");
    const { queue, counts } = queueTo(() => down, diskQueue);
    for (const n of records) queue.offer([record(n)]);
    await until(() => counts.queuedOnDisk === records.length);
    await queue.close(60_000);
  }
  expect(before.of(address)).toBeUndefined();
  await before.close();

  const after = await openAll([changed, changed]);
  for (const records of [first, other]) {
    const diskQueue = after.of(changed);
    if (diskQueue === undefined) throw new Error("there is no queue");
    const { queue, counts } = queueTo(() => ({ outcome: "delivered" }), diskQueue);
    await queue.flush();
    expect(counts.sent).toEqual(records);
    await queue.close(60_000);
  }
  await after.close();
});

test("beyond the budget of the disk and the memory, records are given up and counted; the rest arrives", async () => {
  let isUp = false;
  const { queue, counts } = queueTo(() => (isUp ? { outcome: "delivered" } : down), await open(2 ** 20), {
    maxQueueBytes: 100_000,
    maxBatchBytes: 20_000,
  });
  for (const n of numbers(2000)) {
    queue.offer([record(n, 1000)]);
    if (n % 10 === 9) await eventLoopTurns(1);
  }
  const { queue_full: dropped = 0 } = counts.dropped;
  expect(dropped).toBeGreaterThan(500);
  isUp = true;
  await until(() => queue.records === 0);
  expect(counts.sent.length + dropped).toBe(2000);
  await queue.close(100);
});
