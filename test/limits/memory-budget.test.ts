import { describe, expect, test } from "vitest";
import { FairAdmission, tenantBy } from "../../src/receive/admission/fair-admission.ts";
import type { Admission } from "../../src/receive/ports.ts";
import { MemoryBudget } from "../../src/receive/admission/memory-budget.ts";

const MIB = 2 ** 20;

/** A process of which the tests say what it takes and what time it is. */
function machine(limit = 300 * MIB, base = 100 * MIB) {
  const state = {
    nowMs: 0,
    resident: base,
    garbage: 0,
    heap: 0,
    held: 0,
    collected: 0,
    collectingMs: 0,
    random: 0.5,
  };
  const budget = new MemoryBudget({
    limit,
    base,
    resident: () => state.resident + state.garbage,
    collect: () => {
      state.collected++;
      state.garbage = 0;
      state.nowMs += state.collectingMs;
    },
    heap: () => state.heap,
    now: () => state.nowMs,
    random: () => state.random,
  });
  budget.watch(() => state.held);
  return { budget, state };
}

describe("the account", () => {
  test("memory is given until the hard limit, and again once it was given back", () => {
    const { budget, state } = machine();
    expect(budget.reserve(budget.hard)).toBeNull();
    expect(budget.reserve(1)).toMatchObject({ kind: "unavailable", retryAfterS: 2 });
    state.random = 0.4;
    expect(budget.reserve(1)).toMatchObject({ kind: "unavailable", retryAfterS: 1 });
    budget.release(budget.hard);
    expect(budget.reserve(1)).toBeNull();
  });

  test("above the soft limit, it returns the number of bytes to release", () => {
    const { budget, state } = machine();
    state.held = budget.soft;
    expect(budget.takeExcess()).toBe(0);
    state.held += 5 * MIB;
    expect(budget.takeExcess()).toBeCloseTo(5 * MIB + 0.05 * budget.soft);
  });

  test("a limit below what the process takes at rest leaves room all the same", () => {
    const { budget } = machine(64 * MIB, 100 * MIB);
    expect(budget.limit).toBeGreaterThan(100 * MIB);
    expect(budget.reserve(MIB)).toBeNull();
  });
});

describe("resident memory", () => {
  test("garbage is collected before anybody is refused, but not without end", () => {
    const { budget, state } = machine();
    state.garbage = 250 * MIB;
    expect(budget.reserve(5 * MIB)).toBeNull();
    expect(state.collected).toBe(1);
    state.garbage = 250 * MIB;
    expect(budget.reserve(5 * MIB)?.kind).toBe("unavailable");
    expect(state.collected).toBe(1);
  });

  test.each([
    [50, 0.1],
    [150, 0.1],
    [300, 0.1],
    [1_000, 0.25],
  ])(
    "collections of %d ms take at most the share %d of the time, however fast garbage grows",
    (collectingMs, share) => {
      const { budget, state } = machine();
      Object.assign(state, { collectingMs, resident: 200 * MIB });
      for (; state.nowMs < 120_000; state.nowMs += 100) {
        state.garbage += 50 * MIB;
        state.heap += 50 * MIB;
        budget.check();
        if (budget.reserve(MIB) === null) budget.release(MIB);
      }
      expect(state.collected).toBeGreaterThan(5);
      expect(state.collected * collectingMs).toBeLessThanOrEqual(state.nowMs * share + collectingMs);
    },
  );

  test.each([
    ["a tenth of the account", 0.1, true],
    ["a fifth of the account", 0.2, false],
    ["half of the account", 0.5, false],
  ])("over the limit, a request of %s is granted: share %d, %s", (_, share, isGranted) => {
    const { budget, state } = machine();
    state.resident = budget.limit * 1.01;
    state.nowMs = 500;
    budget.reserve(budget.hard * 0.05); // takes the turn of the request that is granted each second
    expect(budget.reserve(Math.floor(budget.hard * share) - MIB) === null).toBe(isGranted);
  });

  test("a body that was received since the last measurement counts before it is read", () => {
    const { budget, state } = machine();
    expect(budget.reserve(50 * MIB)).toBeNull();
    state.resident = 310 * MIB;
    expect(budget.reserveReading(25 * MIB)?.kind).toBe("unavailable");
    state.resident = 250 * MIB;
    expect(budget.reserveReading(25 * MIB)).toBeNull();
  });

  test("whatever is resident, a request of ordinary size gets through each second", () => {
    const { budget, state } = machine();
    state.resident = 400 * MIB;
    let taken = 0;
    for (; state.nowMs < 10_000; state.nowMs += 200) {
      if (budget.reserve(3 * MIB) !== null) continue;
      taken++;
      budget.release(3 * MIB);
    }
    expect(taken).toBeGreaterThan(5);
    expect(taken).toBeLessThan(12);
  });

  test.each([1.2, 1.5, 3])(
    "at %d of the limit, small requests of a sender with low usage still get in, and few bytes each second",
    (share) => {
      const { budget, state } = machine();
      state.resident = share * budget.limit;
      const grantedIn = (seconds: number, bytes: number, usage: "low" | "usual" | "greedy"): number => {
        let granted = 0;
        for (const end = state.nowMs + seconds * 1000; state.nowMs < end; state.nowMs += 5) {
          if (budget.reserve(bytes, usage) !== null) continue;
          const isRead = budget.reserveReading(bytes) === null;
          if (isRead) budget.release(bytes);
          budget.release(bytes);
          granted += isRead ? 1 : 0;
        }
        return granted;
      };
      expect(grantedIn(10, 2_000, "low")).toBe(2_000);
      expect(grantedIn(10, 60_000, "low") * 60_000).toBeLessThan(10 * 0.01 * budget.limit);
      expect(grantedIn(10, 2_000, "greedy")).toBeLessThan(15);
      state.held = budget.hard * 1.3;
      expect(grantedIn(10, 2_000, "low")).toBe(0);
    },
  );

  test("over the limit, what is over it must go, said once for each look", () => {
    const { budget, state } = machine();
    state.nowMs = 1_500;
    state.resident = 320 * MIB;
    state.held = budget.soft;
    budget.check();
    expect(budget.takeExcess()).toBe(20 * MIB);
    expect(budget.takeExcess()).toBe(0);
  });
});

/** Takes so many bytes, and gives them back. */
function takes(sender: Admission, bytes: number, times = 1): void {
  for (let n = 0; n < times; n++) {
    expect(sender.admit(bytes)).toBeNull();
    sender.release(bytes);
  }
}

function twoSenders() {
  const { budget, state } = machine();
  const admission = new FairAdmission(budget, () => state.nowMs);
  return { budget, state, flood: admission.open(), polite: admission.open() };
}

describe("fairness", () => {
  test("when memory is short, the sender that floods is refused and others are not", () => {
    const { budget, state, flood, polite } = twoSenders();
    takes(flood, MIB, 50);
    expect(polite.admit(MIB)).toBeNull();
    state.held = budget.soft;

    expect(flood.admit(MIB)).toMatchObject({ kind: "throttled", retryAfterS: 1 });
    expect(polite.admit(MIB)).toBeNull();
  });

  test("short of memory, a sender of little is not sent away because others send less", () => {
    const { budget, state, flood: busy, polite: quiet } = twoSenders();
    takes(busy, 10_000, 10);
    expect(quiet.admit(100)).toBeNull();
    state.held = budget.soft;

    expect(busy.admit(10_000)).toBeNull();
  });

  test("short of memory, a tenant with many connections leaves room for one with a single busy one", () => {
    const { budget, state } = machine();
    const admission = new FairAdmission(budget, () => state.nowMs, tenantBy("x-tenant"));
    const of = (tenant: string) => {
      const request = admission.open().forRequest?.((name) => (name === "x-tenant" ? tenant : undefined));
      if (request === undefined) throw new Error("no account for requests");
      return request;
    };
    const crowd = Array.from({ length: 20 }, () => of("crowd"));
    const single = of("single");
    for (const one of crowd) takes(one, MIB);
    takes(single, 3 * MIB);
    state.held = budget.soft;

    for (const one of crowd) expect(one.admit(MIB)).toMatchObject({ kind: "throttled" });
    expect(single.admit(MIB)).toBeNull();
  });

  test("tenants without number are one in the end", () => {
    const { budget, state } = machine();
    const admission = new FairAdmission(budget, () => state.nowMs, tenantBy("x-tenant"));
    const connection = admission.open();
    for (let n = 0; n < 5_000; n++) {
      const request = connection.forRequest?.(() => `tenant ${n}`);
      expect(request?.admit(10)).toBeNull();
      request?.release(10);
    }
  });

  test("a flood is forgotten after a while", () => {
    const { budget, state, flood, polite } = twoSenders();
    flood.admit(10 * MIB);
    flood.release(10 * MIB);
    state.nowMs = 60_000;
    polite.admit(MIB);
    polite.release(MIB);
    state.held = budget.soft;

    expect(flood.admit(MIB / 2)).toBeNull();
  });

  test("one connection alone may take all there is", () => {
    const { budget, state } = machine();
    const alone = new FairAdmission(budget, () => state.nowMs).open();
    state.held = budget.soft;
    expect(alone.admit(MIB)).toBeNull();
  });
});
