import { expect, test } from "vitest";
import { BackendQueue } from "../../src/export/forward/backend/backend-queue.ts";
import type { SendResult } from "../../src/export/queue/send-result.ts";
import type { DiskQueue } from "../../src/export/queue/disk-queue.ts";
import type { Outgoing } from "../../src/export/forward/outgoing.ts";
import { RequestStore } from "../../src/export/forward/queue/request-store.ts";
import { eventLoopTurns, until } from "../support/eventually.ts";
import { garbageCollector } from "../../src/receive/admission/garbage.ts";

const nothing = { failing() {}, working() {}, dropped() {}, rejected() {} };
const done: SendResult = { outcome: "delivered" };

/** In memory. */
const disk: DiskQueue<Outgoing> = {
  recovered: [],
  add: (item) =>
    Promise.resolve({ records: 1, bytes: 0, read: () => Promise.resolve(item), done: () => undefined }),
  close: () => Promise.resolve(),
};

function backendThat(
  send: () => Promise<SendResult>,
  atOnce: number,
  now: () => number,
  { isDurable = false, memoryBytes = 64 << 20 } = {},
): BackendQueue {
  const sender = { send, close: () => undefined };
  const store = new RequestStore({
    disk: isDurable ? disk : null,
    memoryBytes,
    onError: () => undefined,
  });
  return new BackendQueue({
    sender,
    store,
    atOnce,
    maxElapsedMs: 1000,
    now,
    random: () => 0.5,
    events: nothing,
  });
}

const request = (bytes: number): Outgoing => ({
  signal: "traces",
  encoding: "protobuf",
  coding: null,
  headers: {},
  body: new Uint8Array(bytes),
});

test("a request that was delivered is let go of at once, however few came after it", async () => {
  const backend = backendThat(
    () => Promise.resolve(done),
    4,
    () => 0,
  );
  const sent = await Promise.all(Array.from({ length: 50 }, () => offered(backend)));
  await expect.poll(() => backend.counts.delivered).toBe(50);
  const collect = garbageCollector();
  await eventLoopTurns(1); // what a weak reference was asked for in this turn is kept until its end
  collect();
  expect(sent.filter((one) => one.deref() !== undefined)).toHaveLength(0);
  await backend.close(0);
});

async function offered(backend: BackendQueue): Promise<WeakRef<Outgoing>> {
  const one = request(1000);
  await backend.offer(one);
  return new WeakRef(one);
}

test("a full queue refuses requests until one has left it, and one that is too large alone refuses no other", async () => {
  const waiting: ((result: SendResult) => void)[] = [];
  const backend = backendThat(
    () => new Promise((resolve) => void waiting.push(resolve)),
    1,
    () => 0,
    { memoryBytes: 3_000 },
  );
  expect(await backend.offer(request(5_000))).toMatchObject({ kind: "unavailable" });
  expect(backend.refusal()).toBeNull();
  expect(await backend.offer(request(1_000))).toBeNull();
  expect(await backend.offer(request(1_000))).toBeNull();
  expect(await backend.offer(request(1_000))).toMatchObject({ kind: "unavailable" });
  expect(backend.refusal()).toMatchObject({ kind: "unavailable" });
  waiting[0]?.(done);
  await until(() => backend.counts.delivered === 1);
  expect(backend.refusal()).toBeNull();
  expect(await backend.offer(request(1_000))).toBeNull();
});

test("a request that cannot be made is tried again, and does not end the process", async () => {
  let tries = 0;
  const backend = backendThat(
    () => (++tries === 1 ? Promise.reject(new TypeError("invalid header")) : Promise.resolve(done)),
    1,
    () => performance.now(),
  );
  expect(await backend.offer(request(10))).toBeNull();
  await until(() => backend.counts.delivered === 1);
  expect(backend.counts.failures).toBe(1);
});

test("while several requests of a megabyte wait: a backend that takes nothing holds nobody up for long", async () => {
  const backend = backendThat(
    () => new Promise(() => undefined),
    1,
    () => performance.now(),
  );
  const offers = Array.from({ length: 20 }, () => backend.offer(request(1 << 20)));
  expect(await Promise.all(offers)).toEqual(Array.from({ length: 20 }, () => null));
  expect(backend.counts.accepted).toBe(20);
});
