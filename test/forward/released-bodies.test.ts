import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Backend } from "../../src/forward/backend.ts";
import type { Outgoing } from "../../src/forward/outgoing.ts";
import { memoryStore } from "../../src/forward/store.ts";
import { garbageCollector } from "../../src/limits/garbage.ts";

test("a request that was delivered is let go of at once, however few came after it", async () => {
  const backend = new Backend({
    sender: {
      send: () => Promise.resolve({ kind: "delivered", rejected: 0, message: "" }),
      close: () => undefined,
    },
    store: memoryStore(1 << 20),
    atOnce: 4,
    maxElapsedMs: 1000,
    now: () => 0,
    random: () => 0.5,
    events: {
      failing: () => undefined,
      working: () => undefined,
      dropped: () => undefined,
      rejected: () => undefined,
    },
  });
  const sent = await Promise.all(Array.from({ length: 50 }, () => offered(backend)));
  await expect.poll(() => backend.counts.delivered).toBe(50);
  const collect = garbageCollector();
  await sleep(0); // what a weak reference was asked for in this turn is kept until its end
  collect();
  expect(sent.filter((request) => request.deref() !== undefined)).toHaveLength(0);
  await backend.close(0);
});

async function offered(backend: Backend): Promise<WeakRef<Outgoing>> {
  const request: Outgoing = {
    signal: "traces",
    encoding: "protobuf",
    coding: null,
    headers: {},
    body: new Uint8Array(1000),
  };
  await backend.offer(request);
  return new WeakRef(request);
}
