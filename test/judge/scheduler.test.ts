import { describe, expect, test } from "vitest";
import {
  failed,
  type JudgePort,
  type JudgeReply,
  type JudgeRequest,
  type JudgeUsage,
} from "../../src/evaluate/judge/ask/port.ts";
import { backoffMs, requestBackoff } from "../../src/support/structures/backoff.ts";
import { type JudgeCall, scheduled, type SchedulerOptions } from "../../src/judge/limits/scheduler.ts";
import { fakeClock, settle } from "./support/fake-clock.ts";
import { replied, said, scriptedPort } from "./support/scripted-port.ts";
import { judgeDefaults } from "../support/settings-defaults.ts";

type Limits = Partial<SchedulerOptions["limits"]>;

const request = (more: Partial<JudgeRequest> = {}): JudgeRequest => ({
  model: "openai/judge-1",
  system: "s",
  user: "u",
  schema: {},
  maxTokens: 100,
  temperature: 0,
  structured: true,
  sample: 0,
  rubric: "r",
  promptHash: "h",
  runId: "run-1",
  check: () => [],
  ...more,
});

function scheduler(port: JudgePort, limits: Limits = {}, more: Partial<SchedulerOptions> = {}) {
  const clock = fakeClock({ skip: 59_999 });
  const calls: JudgeCall[] = [];
  const limited = scheduled(port, {
    limits: { ...judgeDefaults, ...limits },
    clock,
    random: () => 0,
    providerOf: (model) => model.split("/")[0] ?? "",
    price: (_, { input, output }: JudgeUsage) => ((input ?? 0) + (output ?? 0)) / 1000,
    observe: (call) => calls.push(call),
    ...more,
  });
  const ask = (it: JudgeRequest): Promise<JudgeReply> => limited.ask(it);
  return { ask, clock, calls };
}

const failing = (more: Partial<JudgeReply & { ok: false }> = {}): JudgeReply => ({
  ...failed("server_error", "broken"),
  retryable: true,
  ...more,
});

/** A port whose calls end when the test says so. */
function heldPort() {
  const held: ((reply: JudgeReply) => void)[] = [];
  const requests: JudgeRequest[] = [];
  const port: JudgePort = {
    unavailable: () => null,
    ask: (one) => {
      requests.push(one);
      return new Promise((resolve) => held.push(resolve));
    },
  };
  return { port, held, requests };
}

describe("retries", () => {
  test("wait 1 s and 2 s, then give up", async () => {
    const port = scriptedPort(() => failing());
    const { ask, clock } = scheduler(port);
    expect(await ask(request())).toMatchObject({
      ok: false,
      errorType: "server_error",
      message: "broken (3 attempts)",
      retryable: false,
    });
    expect(port.asked).toHaveLength(3);
    expect(clock.waits).toEqual([1000, 2000]);
  });

  test("are given up when the provider asks for too long a wait", async () => {
    const port = scriptedPort(() => failing({ errorType: "rate_limited", retryAfterMs: 3_600_000 }));
    expect(await scheduler(port).ask(request())).toMatchObject({
      message: expect.stringContaining("3600 s"),
    });
    expect(port.asked).toHaveLength(1);
  });

  test.each([
    [1, 0, 1000],
    [1, 1, 500],
    [3, 0.5, 3000],
    [12, 0, 30_000],
  ])("number %i with a chance of %f come after %i ms", (n, random, ms) => {
    expect(backoffMs(n, random, requestBackoff)).toBe(ms);
  });

  test("leave their place to others while they wait", async () => {
    const clock = fakeClock();
    const port = scriptedPort(({ rubric }) => (rubric === "bad" ? failing() : replied(said(4))));
    const { ask } = scheduler(port, { concurrency: 1 }, { clock });
    const bad = ask(request({ rubric: "bad" }));
    expect(await ask(request({ rubric: "good" }))).toMatchObject({ ok: true });
    await clock.advance(3000);
    expect(await bad).toMatchObject({ ok: false });
  });
});

test("no more calls run at a time than allowed", async () => {
  const { port, held } = heldPort();
  const { ask } = scheduler(port, { concurrency: 2 });
  const replies = Array.from({ length: 5 }, () => ask(request()));
  for (const count of [2, 3, 4, 5, 5]) {
    await settle();
    expect(held).toHaveLength(count);
    held[count === 5 ? 3 : count - 2]?.(replied(said(4)));
  }
  held[4]?.(replied(said(4)));
  expect(await Promise.all(replies)).toHaveLength(5);
});

test("a time-out ends an attempt whether the provider heeds the signal or not, and is retried", async () => {
  const clock = fakeClock({ skip: 5000 });
  const { port, requests } = heldPort();
  const { ask } = scheduler(port, { timeoutMs: 60_000, retries: 1 }, { clock });
  const reply = ask(request());
  await settle();
  await clock.advance(60_000);
  expect(requests).toHaveLength(2);
  expect(requests[0]?.signal?.aborted).toBe(true);
  await clock.advance(60_000);
  expect(await reply).toMatchObject({
    errorType: "timeout",
    message: expect.stringContaining("60 s (2 attempts)"),
  });
});

test("cancelling ends a call that is under way, and the ones that wait; their places are free for others", async () => {
  const { port, held, requests } = heldPort();
  const { ask } = scheduler(port, { concurrency: 1 });
  const stop = new AbortController();
  const replies = [ask(request({ signal: stop.signal })), ask(request({ signal: stop.signal }))];
  await settle();
  stop.abort();
  expect(await Promise.all(replies)).toEqual([
    expect.objectContaining({ errorType: "cancelled" }),
    expect.objectContaining({ errorType: "cancelled" }),
  ]);
  expect([held.length, requests[0]?.signal?.aborted]).toEqual([1, true]);
  const next = ask(request());
  await settle();
  held[1]?.(replied(said(4)));
  expect(await next).toMatchObject({ ok: true });
});

describe("rates", () => {
  test("are kept for each provider by itself", async () => {
    const clock = fakeClock();
    const port = scriptedPort(() => replied(said(4)));
    const { ask } = scheduler(port, { requestsPerMinute: 1 }, { clock });
    await ask(request());
    expect(await ask(request({ model: "other/judge" }))).toMatchObject({ ok: true });
  });

  test("let so many requests through in any minute", async () => {
    const clock = fakeClock();
    const port = scriptedPort(() => replied(said(4)));
    const { ask, calls } = scheduler(port, { requestsPerMinute: 3, concurrency: 10 }, { clock });
    const replies = Array.from({ length: 7 }, () => ask(request()));
    for (const count of [3, 6, 7]) {
      await clock.advance(0);
      expect(port.asked).toHaveLength(count);
      await clock.advance(60_000);
    }
    await Promise.all(replies);
    const times = calls.map((it) => it.startUnixMs);
    for (const [i, time] of times.slice(3).entries())
      expect(time - (times[i] ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  test("count tokens as they were used, not as they were estimated", async () => {
    const clock = fakeClock();
    const port = scriptedPort(() => replied(said(4)));
    const { ask } = scheduler(port, { tokensPerMinute: 400, concurrency: 1 }, { clock });
    void Array.from({ length: 5 }, () => ask(request()));
    await clock.advance(0);
    expect(port.asked).toHaveLength(3);
    await clock.advance(60_000);
    expect(port.asked).toHaveLength(5);
  });

  test("hold for everybody when a provider asks to wait", async () => {
    const clock = fakeClock();
    const port = scriptedPort((_, n) =>
      n === 0 ? failing({ errorType: "rate_limited", retryAfterMs: 20_000 }) : replied(said(4)),
    );
    const { ask } = scheduler(port, { concurrency: 1 }, { clock });
    void ask(request());
    await settle();
    void ask(request());
    await clock.advance(19_999);
    expect(port.asked).toHaveLength(1);
    await clock.advance(1);
    expect(port.asked).toHaveLength(3);
  });
});

describe("budgets", () => {
  const one = { tokens: 120, usd: 0.12 };

  test.each([
    ["tokens", { tokens: 300, usd: null }],
    ["money", { tokens: null, usd: 0.3 }],
  ])("of a run, in %s, end its calls and no one else's", async (_, run) => {
    const port = scriptedPort(() => replied(said(4)));
    const { ask } = scheduler(port, { budget: { run, hour: { tokens: null, usd: null } } });
    const replies = [];
    for (let i = 0; i < 5; i++) replies.push(await ask(request()));

    expect(replies.map((it) => it.ok)).toEqual([true, true, true, false, false]);
    expect(replies[3]).toMatchObject({ errorType: "budget", message: expect.stringContaining("this run") });
    expect(port.asked).toHaveLength(3);
    expect(await ask(request({ runId: "run-2" }))).toMatchObject({ ok: true });
  });

  test("of an hour free up as it passes", async () => {
    const clock = fakeClock();
    const port = scriptedPort(() => replied(said(4)));
    const { ask } = scheduler(
      port,
      { budget: { run: { tokens: null, usd: null }, hour: { tokens: 200, usd: null } } },
      { clock },
    );
    const ok = async (runId: string) => (await ask(request({ runId }))).ok;

    expect([await ok("a"), await ok("b"), await ok("c")]).toEqual([true, true, false]);
    await clock.advance(3_599_999);
    expect(await ok("d")).toBe(false);
    await clock.advance(1);
    expect(await ok("e")).toBe(true);
  });

  test("are overdrawn by one call at most, however many come at once", async () => {
    const port = scriptedPort(() => replied(said(4)));
    const { ask } = scheduler(port, {
      concurrency: 50,
      budget: { run: { tokens: null, usd: null }, hour: { tokens: 1000, usd: null } },
    });
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ask(request({ runId: `run-${i}`, user: "x".repeat(400) }))),
    );

    expect(port.asked.length * one.tokens).toBeLessThan(1000 + one.tokens);
    expect(replies.filter((it) => it.ok)).toHaveLength(port.asked.length);
    expect(port.asked.length).toBe(9);
  });

  test("in money are refused for a model whose price is unknown", async () => {
    const port = scriptedPort(() => replied(said(4)));
    const budget = { run: { tokens: null, usd: 1 }, hour: { tokens: null, usd: null } };
    const { ask } = scheduler(port, { budget }, { price: () => null });
    expect(await ask(request())).toMatchObject({
      errorType: "budget",
      message: expect.stringContaining("no price"),
    });
    expect(port.asked).toEqual([]);
  });

  test("count what a provider does not: text at four characters a token", async () => {
    const silent = { ...replied(said(4)), usage: { input: null, output: null, cached: null } };
    const port = scriptedPort(() => silent);
    const budget = { run: { tokens: 100, usd: null }, hour: { tokens: null, usd: null } };
    const { ask } = scheduler(port, { budget });
    await ask(request({ user: "x".repeat(400) }));
    expect(await ask(request())).toMatchObject({ errorType: "budget" });
  });
});

test("a provider that fails five times in a row is left alone for a while", async () => {
  const clock = fakeClock({ skip: 5000 });
  let broken = true;
  const port = scriptedPort(() => (broken ? failing({ errorType: "unreachable" }) : replied(said(4))));
  const { ask } = scheduler(port, { retries: 0 }, { clock });
  for (let i = 0; i < 20; i++)
    expect(await ask(request())).toMatchObject({ ok: false, errorType: "unreachable" });
  expect(port.asked).toHaveLength(5);

  broken = false;
  await clock.advance(30_000);
  expect(await ask(request())).toMatchObject({ ok: true });
});

test("a clock that is set back by a day does not lengthen the pause of a provider", async () => {
  const clock = fakeClock({ skip: 5000 });
  let setBackMs = 0;
  let broken = true;
  const port = scriptedPort(() => (broken ? failing({ errorType: "unreachable" }) : replied(said(4))));
  const jumping = { ...clock, now: () => clock.now() - setBackMs };
  const { ask } = scheduler(port, { retries: 0 }, { clock: jumping });
  for (let i = 0; i < 5; i++) await ask(request());
  expect(await ask(request())).toMatchObject({ ok: false, errorType: "unreachable" });
  expect(port.asked).toHaveLength(5);

  broken = false;
  setBackMs = 86_400_000;
  expect(await ask(request())).toMatchObject({ ok: false, errorType: "unreachable" });
  await clock.advance(30_000);
  expect(await ask(request())).toMatchObject({ ok: true });
});

test("every call is reported, with its cost and without its text", async () => {
  const port = scriptedPort((_, n) => (n === 0 ? failing() : replied(said(4))));
  const { ask, calls } = scheduler(port);
  await ask(request({ user: "SECRET" }));

  expect(calls).toMatchObject([
    { provider: "openai", attempt: 1, errorType: "server_error", costUsd: null },
    { provider: "openai", attempt: 2, errorType: null, costUsd: 0.12, usage: { input: 100, output: 20 } },
  ]);
  expect(JSON.stringify(calls)).not.toContain("SECRET");
});
