import { expect, test } from "vitest";
import { parseSourceAddress } from "../../src/pull/address.ts";
import { PullLimits } from "../../src/pull/pull-limits.ts";
import { StoreClient } from "../../src/pull/store-client.ts";
import { reply, StoreServer } from "./store-server.ts";

/** A clock whose sleeps end at once. */
function fastClock() {
  const slept: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    slept.push(ms);
    return Promise.resolve();
  };
  return { slept, clock: { now: () => Date.parse("2026-11-23T12:00:00Z"), sleep } };
}

async function ask(replies: readonly unknown[]) {
  const { slept, clock } = fastClock();
  const left = [...replies];
  await using store = await StoreServer.start(() => left.shift() ?? { ok: true });
  const address = parseSourceAddress(`phoenix:${store.url}/shop`);
  const client = new StoreClient(address, {
    env: {},
    clock,
    onWait: () => undefined,
    limits: new PullLimits("store", "phoenix"),
  });
  const answer = await client.getJson(address.url, "/x").catch((error: Error) => error.message);
  return { answer, slept, requests: store.asked.length };
}

test("a busy store is asked again after the time that it asks for: seconds, or a date", async () => {
  const { answer, slept } = await ask([
    reply(429, "", { "retry-after": "7" }),
    reply(503, "", { "retry-after": "Mon, 23 Nov 2026 12:00:30 GMT" }),
  ]);

  expect(answer).toEqual({ ok: true });
  expect(slept).toEqual([7000, 30_000]);
});

test("without such a time each wait is twice the last one", async () => {
  const { slept } = await ask([reply(502, ""), reply(429, ""), reply(504, "")]);

  expect(slept).toEqual([1000, 2000, 4000]);
});

test("a store that stays busy ends the pull after six requests", async () => {
  const { answer, requests } = await ask(Array.from({ length: 9 }, () => reply(429, "too many requests")));

  expect(answer).toMatch(/answered HTTP 429: too many requests$/);
  expect(requests).toBe(6);
});

test("a store that asks to wait for more than two minutes ends the pull at once", async () => {
  const { answer, requests } = await ask([reply(429, "", { "retry-after": "3600" })]);

  expect(answer).toContain("asks to wait 3600 seconds");
  expect(requests).toBe(1);
});

test("an error that another request would not change is final", async () => {
  const { requests, slept } = await ask([reply(500, "broken")]);

  expect({ requests, slept }).toEqual({ requests: 1, slept: [] });
});
