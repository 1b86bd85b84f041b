import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BatchQueue, type BatchQueueOptions } from "../../src/export/queue/batch-queue.ts";
import type { DiskQueue } from "../../src/export/queue/disk-queue.ts";
import type { SendResult } from "../../src/export/queue/send-result.ts";
import { retryBackoff } from "../../src/export/queue/backend-down.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const record = (n: number, size = 1): Uint8Array => new Uint8Array(size).fill(n);

interface Backend {
  readonly queue: BatchQueue;
  /** First byte of each record of each request. */
  readonly requests: number[][];
  readonly dropped: Record<string, number>;
  sent: number;
  answer: SendResult["outcome"] | Promise<never>;
  retryAfterMs: number;
}

function start(options: Partial<BatchQueueOptions> = {}): Backend {
  const requests: number[][] = [];
  const dropped: Record<string, number> = {};
  const backend: Backend = {
    requests,
    dropped,
    sent: 0,
    answer: "delivered",
    retryAfterMs: 0,
    queue: new BatchQueue({
      send: (records) => {
        requests.push(records.map((one) => one[0] ?? -1));
        return resultOf(backend);
      },
      onSent: (records) => (backend.sent += records),
      onDropped: (records, why) => (dropped[why] = (dropped[why] ?? 0) + records),
      maxDelayMs: 1000,
      ...options,
    }),
  };
  return backend;
}

async function resultOf({ answer, retryAfterMs }: Backend): Promise<SendResult> {
  return { outcome: await answer, error: "no", retryAfterMs };
}

test("records wait for company, not for long", async () => {
  const { queue, requests } = start();
  queue.offer([record(1)]);
  queue.offer([record(2), record(3)]);
  await vi.advanceTimersByTimeAsync(999);
  expect(requests).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(requests).toEqual([[1, 2, 3]]);
  expect(queue.records).toBe(0);
});

test("a full batch goes at once, the rest follows in its own time", async () => {
  const { queue, requests } = start({ maxBatchRecords: 2 });
  queue.offer([record(1), record(2), record(3)]);
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toEqual([[1, 2]]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests).toEqual([[1, 2], [3]]);
});

test("a batch has a size, too, and a record larger than it still goes", async () => {
  const { queue, requests } = start({ maxBatchBytes: 10 });
  queue.offer([record(1, 50), record(2, 6), record(3, 6)]);
  await queue.flush();
  expect(requests).toEqual([[1], [2], [3]]);
});

test("a batch whose sending throws is sent again, and ends no process", async () => {
  let attempts = 0;
  const backend = start({
    send: () =>
      ++attempts === 1
        ? Promise.reject(new TypeError("no request can be made"))
        : Promise.resolve({ outcome: "delivered" }),
  });
  backend.queue.offer([record(1)]);
  await vi.advanceTimersByTimeAsync(1_000 + 2 * retryBackoff.longestMs);
  expect({ attempts, sent: backend.sent, dropped: backend.dropped }).toEqual({
    attempts: 2,
    sent: 1,
    dropped: {},
  });
});

test("while the backend is down the same batch is tried again, ever less often, and order is kept", async () => {
  const backend = start({ maxBatchRecords: 1 });
  backend.answer = "retry";
  backend.queue.offer([record(1), record(2)]);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(new Set(backend.requests.flat())).toEqual(new Set([1]));
  expect(backend.requests.length).toBeGreaterThan(8);
  expect(backend.requests.length).toBeLessThan(40);
  backend.answer = "delivered";
  await vi.advanceTimersByTimeAsync(60_000);
  expect(backend.requests.slice(-2)).toEqual([[1], [2]]);
  expect(backend.sent).toBe(2);
  expect(backend.dropped).toEqual({});
});

test("a backend that asks for a longer wait gets it", async () => {
  const backend = start({ backoff: { ...retryBackoff, firstMs: 100, longestMs: 100 } });
  backend.answer = "retry";
  backend.retryAfterMs = 30_000;
  backend.queue.offer([record(1)]);
  await backend.queue.flush();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(backend.requests).toHaveLength(1);
  backend.answer = "delivered";
  await vi.advanceTimersByTimeAsync(2000);
  expect(backend.sent).toBe(1);
});

test("records that are refused permanently are dropped and counted, and do not block the rest", async () => {
  const backend = start({ maxBatchRecords: 1 });
  backend.answer = "rejected";
  backend.queue.offer([record(1)]);
  await backend.queue.flush();
  backend.answer = "delivered";
  backend.queue.offer([record(2)]);
  await backend.queue.flush();
  expect(backend.dropped).toEqual({ rejected: 1 });
  expect(backend.sent).toBe(1);
});

test("a full queue takes all of an offer or none of it, and counts what it did not take", async () => {
  const backend = start({ maxQueueBytes: 100 });
  expect(backend.queue.offer([record(1, 60)])).toBe(true);
  expect(backend.queue.offer([record(2, 30), record(3, 30)])).toBe(false);
  expect(backend.queue.offer([record(4, 40)])).toBe(true);
  expect(backend.queue.bytes).toBe(100);
  await backend.queue.flush();
  expect(backend.requests).toEqual([[1, 4]]);
  expect(backend.dropped).toEqual({ queue_full: 2 });
});

describe("close", () => {
  test("does not wait longer for a backend that never answers, and ends a flush", async () => {
    const backend = start();
    backend.answer = new Promise(() => undefined);
    backend.queue.offer([record(1)]);
    const flushed = backend.queue.flush();
    const closed = backend.queue.close(3000);
    await vi.advanceTimersByTimeAsync(3000);
    await Promise.all([closed, flushed]);
    expect(backend.dropped).toEqual({ closed: 1 });
  });

  test("keeps trying until its time is over, then drops and counts", async () => {
    const backend = start();
    backend.answer = "retry";
    backend.queue.offer([record(1), record(2)]);
    const closed = backend.queue.close(10_000);
    await vi.advanceTimersByTimeAsync(10_000);
    await closed;
    expect(backend.requests.length).toBeGreaterThan(2);
    expect(backend.dropped).toEqual({ closed: 2 });
    expect(backend.queue.records).toBe(0);
  });
});

test("who offers records is told when the last of them has left the queue, and not when it is closed before", async () => {
  vi.useRealTimers();
  const told: string[] = [];
  let outcome: SendResult = { outcome: "delivered" };
  const queue = new BatchQueue({
    send: async () => outcome,
    onSent: () => undefined,
    onDropped: () => undefined,
    maxBatchRecords: 2,
    maxDelayMs: 1,
  });
  const records = (count: number): Uint8Array[] => Array.from({ length: count }, () => new Uint8Array(1));
  queue.offer(records(3), () => told.push("three"));
  queue.offer(records(1), () => told.push("one"));
  queue.offer([], () => told.push("none"));
  expect(told).toEqual(["none"]);
  await queue.flush();
  expect(told).toEqual(["none", "three", "one"]);
  outcome = { outcome: "retry", error: "down", retryAfterMs: 60_000 };
  queue.offer(records(1), () => told.push("never"));
  await queue.close(20);

  expect(told).toEqual(["none", "three", "one"]);
});

/** A disk queue whose blocks are in a map. */
function fakeDisk() {
  const disk = new Map<object, readonly Uint8Array[]>();
  const diskQueue: DiskQueue = {
    recovered: [],
    add: (records) => {
      const block = {
        records: records.length,
        bytes: records.length,
        read: () => Promise.resolve(disk.get(block) ?? null),
        done: () => void disk.delete(block),
      };
      disk.set(block, records);
      return Promise.resolve(block);
    },
    close: () => Promise.resolve(),
  };
  return { disk, diskQueue };
}

describe.each([
  ["on disk", true],
  ["in memory", false],
])("a record that the backend always fails, with the queue %s,", (_, hasDisk) => {
  /** A backend that fails each request with a record that begins with 9, and all requests while `isDown`. */
  const failing = (maxElapsedMs: number, maxBatchRecords = 100) => {
    const backend = { isDown: false, requests: 0, taken: [] as number[], sent: 0 };
    const dropped: unknown[] = [];
    const { disk, diskQueue } = fakeDisk();
    const queue = new BatchQueue({
      send: (records) => {
        backend.requests++;
        const firsts = records.map((one) => one[0] ?? -1);
        if (backend.isDown || firsts.includes(9))
          return Promise.resolve({ outcome: "retry", error: "HTTP 500", retryAfterMs: null });
        backend.taken.push(...firsts);
        return Promise.resolve({ outcome: "delivered" });
      },
      onSent: (records) => (backend.sent += records),
      onDropped: (records, why, error) => dropped.push([records, why, error]),
      maxElapsedMs,
      maxBatchRecords,
      ...(hasDisk ? { diskQueue } : {}),
    });
    return { queue, backend, dropped, disk };
  };

  test.each([1, 2, 3, 100])(
    "holds up no other record, and is dropped after its time (batches of %i)",
    async (most) => {
      const { queue, backend, dropped, disk } = failing(600_000, most);
      const done: number[] = [];
      for (const first of [1, 9, 2, 3, 9, 4, 5, 6]) queue.offer([record(first)], () => done.push(first));
      await vi.advanceTimersByTimeAsync(300_000);
      expect(backend.taken.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
      for (let minute = 0; minute < 20; minute++) {
        queue.offer([record(7)]);
        await vi.advanceTimersByTimeAsync(60_000);
        expect(backend.taken.filter((first) => first === 7)).toHaveLength(minute + 1);
      }
      expect(dropped).toEqual([
        [1, "expired", "HTTP 500"],
        [1, "expired", "HTTP 500"],
      ]);
      expect({ waiting: queue.records, bytes: queue.bytes, disk: disk.size }).toEqual({
        waiting: 0,
        bytes: 0,
        disk: 0,
      });
      expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 9, 9]);
      expect(backend.sent).toBe(26);
    },
  );

  test("is not dropped while nothing else shows that the backend works", async () => {
    const { queue, dropped } = failing(0);
    queue.offer([record(9)]);
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect({ dropped, waiting: queue.records }).toEqual({ dropped: [], waiting: 1 });
    await queue.close(0);
    expect(dropped).toEqual(hasDisk ? [] : [[1, "closed", undefined]]);
  });

  test("an outage drops nothing, however long it is, and whatever fails at its end", async () => {
    const { queue, backend, dropped } = failing(1_000, 2);
    queue.offer([record(1)]);
    await vi.advanceTimersByTimeAsync(2_000);
    backend.isDown = true;
    for (let first = 2; first < 9; first++) queue.offer([record(first)]);
    for (let flap = 0; flap < 4; flap++) {
      await vi.advanceTimersByTimeAsync(7_200_000);
      backend.isDown = false;
      queue.offer([record(1)]);
      await vi.advanceTimersByTimeAsync(flap < 3 ? 500 : 300_000);
      backend.isDown = flap < 3;
    }
    expect({ dropped, waiting: queue.records }).toEqual({ dropped: [], waiting: 0 });
    expect(new Set(backend.taken)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]));
  });
});
