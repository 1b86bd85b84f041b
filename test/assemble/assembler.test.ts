import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Assembler } from "../../src/assemble/assembler.ts";
import type { TraceEntry } from "../../src/assemble/trace-entry.ts";
import {
  defaultTraceTimeouts,
  unlimitedTraceTimeouts,
  type TraceTimeouts,
} from "../../src/assemble/timeouts/trace-timeouts.ts";
import { hexOf, wordsOf } from "../../src/otlp/bytes/text.ts";
import { readLogsJson } from "../../src/otlp/json/read-json.ts";
import type { Trace } from "../../src/assemble/trace.ts";
import { batchIn } from "../support/runs.ts";
import { log, logDocument } from "../support/otlp.ts";
import { batchOf, spanIdOf, type TestSpan, traceIdOf } from "../support/spans.ts";

const run: readonly TestSpan[] = [
  { id: 1, start: 0, end: 90 },
  { id: 2, parent: 1, start: 10, end: 20 },
  { id: 3, parent: 2, start: 12, end: 18 },
  { id: 4, parent: 1, start: 30, end: 80 },
];

function shape(trace: Trace | undefined): unknown {
  return {
    ids: trace?.spans.map((span) => span.spanId),
    parents: [...(trace?.parents ?? [])],
    reason: trace?.closeReason,
  };
}

const whole = { ids: [1, 2, 3, 4].map(spanIdOf), parents: [-1, 0, 1, 0] };

test("A01 split, shuffled and sent twice, a trace comes out the same", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...run, ...run.slice(1)], { minLength: run.length * 2 - 1 }),
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 8, maxLength: 8 }),
      (spans, sizes) => {
        const assembler = new Assembler(unlimitedTraceTimeouts, 1);
        let at = 0;
        for (const size of sizes) {
          assembler.add(batchOf(spans.slice(at, at + size)), 0);
          at += size;
        }
        assembler.add(batchOf(spans.slice(at)), 0);

        expect(assembler.closeAll("eof", 0).map(shape)).toEqual([{ ...whole, reason: "eof" }]);
        expect(assembler.counts).toMatchObject({ released: 4, duplicate: 3 });
      },
    ),
  );
});

describe("a log record that two programs write counts once", () => {
  const record = log("a", "tool_call", "done", { tool: "edit", n: 1 });
  const other = log("a", "tool_call", "done", { tool: "edit", n: 2 });
  const plain = JSON.stringify(logDocument([record, other]));
  test.each([
    ["in the same bytes", plain],
    ["with spaces between values", JSON.stringify(logDocument([record, other]), null, 1)],
    ["with fields of value 0", plain.replaceAll('"body"', '"droppedAttributesCount":0,"flags":0,"body"')],
    ["in another order of fields", plain.replaceAll(/("spanId":"\w+"),(.*?"timeUnixNano":"\d+")/g, "$2,$1")],
  ])("%s", (_, again) => {
    const assembler = new Assembler(unlimitedTraceTimeouts, 1);
    for (const text of [plain, again, plain]) {
      const read = readLogsJson(new TextEncoder().encode(text));
      if (!read.ok) throw new Error(read.message);
      assembler.add(read.batch, 0);
    }
    expect(assembler.closeAll("eof", 0).map((trace) => trace.uncorrelatedLogs.length)).toEqual([2]);
  });
});

test("of one span sent in two states the one that ended last counts", () => {
  const assembler = new Assembler(unlimitedTraceTimeouts, 1);
  assembler.add(batchOf([{ id: 1, start: 0, end: 50, name: "done" }]), 0);
  assembler.add(batchOf([{ id: 1, start: 0, end: 0, name: "pending" }]), 0);

  expect(assembler.closeAll("eof", 0)[0]?.spans.map((span) => span.name)).toEqual(["done"]);
});

describe("when a trace is closed", () => {
  const timeouts: TraceTimeouts = {
    ...defaultTraceTimeouts,
    rootQuietMs: 6_000,
    rootOpenMs: 15_000,
    rootCapMs: 60_000,
  };

  /** Spans as they arrive: [when, spans]; gives when the trace was closed, and why. */
  function closing(arrivals: readonly (readonly [number, readonly TestSpan[]])[]): unknown {
    const assembler = new Assembler(timeouts, 1);
    const queue = [...arrivals];
    for (let now = 0; now <= 4_000_000; now += 500) {
      while (queue[0] !== undefined && queue[0][0] <= now)
        assembler.add(batchOf(queue.shift()?.[1] ?? []), now);
      const [closed] = assembler.closeDue(now);
      if (closed !== undefined) return [now, closed.closeReason];
    }
    return undefined;
  }
  const every = (step: number, until: number, span: (n: number) => TestSpan): [number, TestSpan[]][] =>
    Array.from({ length: until / step }, (_, n) => [n * step, [span(n + 100)]]);

  test.each([
    ["T1: the root is there, no parent is missing, six quiet seconds", [[0, run]], [6_000, "root_complete"]],
    [
      "T1 begins anew with each span",
      [
        [0, run.slice(0, 2)],
        [4_000, run.slice(2)],
      ],
      [10_000, "root_complete"],
    ],
    ["T2: a parent is missing, fifteen quiet seconds", [[0, [run[0], run[2]]]], [15_000, "root_partial"]],
    [
      "T2 ends when the parent comes",
      [
        [0, [run[0], run[2]]],
        [9_000, [run[1]]],
      ],
      [15_000, "root_complete"],
    ],
    [
      "T3: the root is there and the rest never ends",
      every(2_000, 200_000, (id) => ({ id, ...(id === 100 ? {} : { parent: 100 }) })),
      [60_000, "root_cap"],
    ],
    ["T1: of two roots, both are there", [[0, [{ id: 3, start: 5 }, ...run]]], [6_000, "root_complete"]],
    ["T4: no root, five quiet minutes", [[0, run.slice(1)]], [300_000, "idle"]],
    ["T4: a span that is its own parent is no root", [[0, [{ id: 1, parent: 1 }]]], [300_000, "idle"]],
    [
      "T5: no root and it never ends",
      every(100_000, 5_000_000, (id) => ({ id, parent: 1 })),
      [3_600_000, "max_age"],
    ],
  ] as [string, [number, TestSpan[]][], unknown][])("%s", (_, arrivals, expected) => {
    expect(closing(arrivals)).toEqual(expected);
  });
});

describe("late spans", () => {
  const late: TestSpan = { id: 5, parent: 1, start: 85 };

  test("A03 within the window the whole trace is released once more", () => {
    const assembler = new Assembler(defaultTraceTimeouts, 1);
    assembler.add(batchOf(run), 0);
    expect(assembler.closeDue(6_000).map(shape)).toEqual([{ ...whole, reason: "root_complete" }]);

    assembler.add(batchOf([late]), 7_000);

    expect(assembler.closeDue(12_900)).toEqual([]);
    expect(assembler.closeDue(13_000)[0]?.spans).toHaveLength(5);
    expect(assembler.counts).toMatchObject({ released: 4, late: 1, expired: 0 });
  });

  test("long after the root the trace waits for the others of its kind as it did before, and is as complete", () => {
    const assembler = new Assembler(defaultTraceTimeouts, 1);
    assembler.add(batchOf(run), 0);
    assembler.closeDue(6_000);
    assembler.add(batchOf([late]), 100_000);
    assembler.add(batchOf([{ id: 6, parent: 1, start: 86 }]), 104_000);

    expect(assembler.closeDue(109_900)).toEqual([]);
    expect(assembler.closeDue(110_000)[0]).toMatchObject({ closeReason: "root_complete" });
  });

  test("that came before open the trace for nothing: it is not released again", () => {
    const assembler = new Assembler(defaultTraceTimeouts, 1);
    assembler.add(batchOf(run), 0);
    expect(assembler.closeDue(6_000)).toHaveLength(1);
    assembler.add(batchOf(run.slice(1)), 7_000);

    expect(assembler.closeDue(100_000)).toEqual([]);
    expect(assembler.openTraces).toBe(0);
    expect(assembler.counts).toMatchObject({ released: 4, late: 0, duplicate: 3 });
  });

  test("A04 after the window they are counted and make no trace of their own", () => {
    const assembler = new Assembler(defaultTraceTimeouts, 1);
    assembler.add(batchOf(run), 0);
    assembler.closeDue(6_000);
    assembler.closeDue(6_000 + defaultTraceTimeouts.lateWindowMs);

    assembler.add(batchOf([late]), 200_000);

    expect(assembler.closeDue(10_000_000)).toEqual([]);
    expect(assembler.counts).toMatchObject({ released: 4, late: 0, expired: 1 });
    expect(assembler.heldBytes).toBe(0);
  });

  test("what is kept for them is bounded, oldest first out", () => {
    const assembler = new Assembler({ ...defaultTraceTimeouts, lateBytes: 3_000 }, 1);
    for (let trace = 1; trace <= 50; trace++)
      assembler.add(batchOf(run.map((span) => ({ ...span, trace }))), 0);
    const before = assembler.heldBytes;
    expect(assembler.closeDue(6_000)).toHaveLength(50);

    expect(assembler.heldBytes).toBeGreaterThan(0);
    expect(assembler.heldBytes).toBeLessThan(before / 10);
  });
});

test("many that are due at once can be closed in turns", () => {
  const assembler = new Assembler(defaultTraceTimeouts, 1);
  for (let trace = 1; trace <= 5; trace++) assembler.add(batchOf(run.map((span) => ({ ...span, trace }))), 0);

  expect(assembler.closeDue(6_000, 2)).toHaveLength(2);
  expect(assembler.isBehind).toBe(true);
  assembler.add(batchOf([{ trace: 5, id: 9, parent: 1 }]), 6_050);
  expect(assembler.closeDue(6_100, 2)).toHaveLength(2);
  expect(assembler.closeDue(6_200, 2)).toHaveLength(0);
  expect(assembler.isBehind).toBe(false);
  expect(assembler.closeDue(12_100, 2)).toHaveLength(1);
});

describe("when memory runs short", () => {
  const named = (trace: number) => run.map((span) => ({ ...span, trace }));

  test("closed traces that wait for late spans go first", () => {
    const assembler = new Assembler(defaultTraceTimeouts, 1);
    assembler.add(batchOf(named(1)), 0);
    assembler.closeDue(6_000);
    const closed = assembler.heldBytes;
    assembler.add(batchOf(named(2)), 6_000);

    expect(assembler.evict(assembler.heldBytes - 1, 6_000, 10)).toEqual([]);
    expect(assembler.heldBytes).toBe(closed);
    expect(assembler.openTraces).toBe(1);
  });

  test("open traces are closed early, marked, and what comes of them later is counted", () => {
    const assembler = new Assembler(defaultTraceTimeouts, 1);
    for (let trace = 1; trace <= 4; trace++) assembler.add(batchOf(named(trace)), trace);
    const quarter = assembler.heldBytes / 4;
    const released = assembler.evict(2 * quarter, 10, 10);

    expect(released.map(({ closeReason, truncated }) => [closeReason, truncated])).toEqual([
      ["memory", true],
      ["memory", true],
    ]);
    expect(assembler.heldBytes).toBe(2 * quarter);
    expect(assembler.openTraces).toBe(2);
    assembler.add(batchOf([{ trace: 1, id: 9, parent: 1 }]), 20);
    expect(assembler.counts.expired).toBe(1);
    expect(assembler.closeAll("shutdown", 30)).toHaveLength(2);
  });

  test("the oldest go first, and only so many at a time", () => {
    const assembler = new Assembler(defaultTraceTimeouts, 1);
    assembler.add(batchOf([{ trace: 1, id: 2, parent: 1 }]), 0);
    for (let trace = 2; trace <= 4; trace++) assembler.add(batchOf(named(trace)), trace);
    const ids = (traces: readonly Trace[]) => traces.map(({ traceId }) => traceId).sort();

    expect(ids(assembler.evict(0, 10, 2))).toEqual([1, 2].map(traceIdOf));
    expect(ids(assembler.evict(0, 10, 2))).toEqual([3, 4].map(traceIdOf));
    expect(assembler.heldBytes).toBe(0);
  });

  test("a body weighs whole as long as one of its traces is held", () => {
    const assembler = new Assembler(defaultTraceTimeouts, 1);
    const batch = batchOf([...named(1), { trace: 2, id: 2, parent: 1 }]);
    assembler.add(batch, 0);

    expect(assembler.evict(assembler.heldBytes - 1, 1, 1)).toHaveLength(1);
    expect(assembler.heldBytes).toBeGreaterThan(batch.byteLength);
    expect(assembler.evict(0, 2, 1)).toHaveLength(1);
    expect(assembler.heldBytes).toBe(0);
  });
});

test("A05 a trace that grows too large is closed at once and marked", () => {
  const assembler = new Assembler({ ...defaultTraceTimeouts, maxSpans: 100 }, 1);
  for (let id = 1; id <= 300; id++) assembler.add(batchOf([{ id, parent: 1 }]), 0);
  const [trace] = assembler.closeDue(0);

  expect(trace).toMatchObject({ closeReason: "too_large", truncated: true });
  assembler.add(batchOf([{ id: 999, parent: 1 }]), 1);
  expect(assembler.counts).toMatchObject({ released: 101, tooLarge: 199, expired: 1 });
});

test.each([
  ["spans", { maxSpans: 100 }],
  ["bytes", { maxBytes: 20_000 }],
])("A05 if a request exceeds the limit of %s in a trace, the rest is dropped", (_, bounds) => {
  const assembler = new Assembler({ ...defaultTraceTimeouts, ...bounds }, 1);
  const spans = Array.from({ length: 5_000 }, (_, at) => ({ id: at + 1, parent: at === 0 ? 0 : 1 }));
  assembler.add(batchOf(spans), 0);
  const [trace] = assembler.closeDue(0);
  const { released, tooLarge } = assembler.counts;

  expect(trace).toMatchObject({ closeReason: "too_large", truncated: true });
  expect(trace?.spans.length).toBeLessThan(250);
  expect(trace?.spans.length).toBe(5_000 - tooLarge);
  expect(released).toBe(trace?.spans.length);
});

test("a trace that grows too large while it waits to be closed is closed once", () => {
  const assembler = new Assembler({ ...defaultTraceTimeouts, maxSpans: 4 }, 1);
  assembler.add(batchOf([{ trace: 1, id: 1 }]), 0);
  assembler.add(batchOf([{ trace: 2, id: 1 }]), 0);
  expect(assembler.closeDue(7_000, 1)).toHaveLength(1);
  for (let id = 2; id <= 6; id++)
    for (const trace of [1, 2]) assembler.add(batchOf([{ trace, id, parent: 1 }]), 7_000);

  expect(assembler.closeDue(7_000).map(({ closeReason }) => closeReason)).toContain("too_large");
  assembler.closeAll("shutdown", 7_000);
  expect(assembler).toMatchObject({ openTraces: 0, openBytes: 0 });
});

test("our own verdicts, sent back to us, are never part of a trace", () => {
  const assembler = new Assembler(unlimitedTraceTimeouts, 1, (scope) => scope === "tracejury");
  assembler.add(batchOf([...run, { id: 9, parent: 1, scope: "tracejury" }]), 0);

  expect(assembler.closeAll("eof", 0).map(shape)).toEqual([{ ...whole, reason: "eof" }]);
  expect(assembler.counts.own).toBe(1);
});

test("traces released together come in order of start, then id", () => {
  const assembler = new Assembler(unlimitedTraceTimeouts, 1);
  assembler.add(
    batchOf([
      { trace: 7, id: 1, start: 5 },
      { trace: 3, id: 1, start: 9 },
      { trace: 2, id: 1, start: 5 },
    ]),
    0,
  );

  expect(assembler.closeAll("eof", 0).map((trace) => trace.traceId)).toEqual([2, 7, 3].map(traceIdOf));
});

test("A02 cycles, self-parents and long chains are no trouble", () => {
  const chain = Array.from({ length: 10_000 }, (_, n): TestSpan => ({
    id: n + 1,
    ...(n === 0 ? {} : { parent: n }),
    start: n,
  }));
  const assembler = new Assembler(unlimitedTraceTimeouts, 1);
  assembler.add(
    batchOf([
      { trace: 2, id: 1, parent: 1 },
      { trace: 2, id: 2, parent: 3 },
      { trace: 2, id: 3, parent: 2 },
    ]),
    0,
  );
  assembler.add(batchOf(chain), 0);

  const traces = assembler.closeAll("eof", 0);

  expect(traces.map((trace) => trace.spans.length)).toEqual([10_000, 3]);
});

test("a trace's print is the same however its spans came, and another when there is more to it", () => {
  const printOf = (...requests: (readonly TestSpan[])[]): unknown => {
    const assembler = new Assembler(unlimitedTraceTimeouts, 1);
    for (const request of requests) assembler.add(batchOf(request), 0);
    return assembler.closeAll("eof", 0)[0]?.fingerprint;
  };
  const print = printOf(run);

  expect(printOf(run.toReversed())).toBe(print);
  expect(printOf(run.slice(2), run, run.slice(0, 3))).toBe(print);
  expect(printOf(run.slice(1))).not.toBe(print);
  expect(printOf(run, [{ id: 5, parent: 1, start: 85 }])).not.toBe(print);
  expect(printOf(run.map((span) => (span.id === 4 ? { ...span, end: 81 } : span)))).not.toBe(print);
});

test("says how many traces a request's rows are in, and when each lets go of them", () => {
  const gone: string[] = [];
  const onForgotten = (trace: TraceEntry): void => {
    gone.push(hexOf(trace.id));
    expect(trace.shares).toHaveLength(1);
  };
  const assembler = new Assembler(defaultTraceTimeouts, 1, (scope) => scope === "tracejury", onForgotten);
  const spans = [1, 2, 1, 3].map((trace, index) => ({ ...run[0], id: index + 1, trace }));

  expect(assembler.add(batchOf(spans), 0)).toBe(3);
  expect(assembler.add(batchOf([{ id: 9, scope: "tracejury" }]), 0)).toBe(0);
  expect(assembler.closeDue(20_000)).toHaveLength(3);
  expect(gone).toEqual([]);
  assembler.closeDue(20_000 + defaultTraceTimeouts.lateWindowMs);
  expect(gone.toSorted()).toEqual([1, 2, 3].map(traceIdOf));
  expect(assembler.add(batchOf(spans), 200_000)).toBe(0);
});

test("rows of traces that are finished are left out, and counted as such", () => {
  const assembler = new Assembler(unlimitedTraceTimeouts, 1);
  assembler.add(
    batchOf([
      { id: 1, trace: 1 },
      { id: 2, trace: 2 },
    ]),
    0,
    (rows, at) => (hexOf([...rows.subarray(at, at + 4)]) === traceIdOf(1) ? "finished" : undefined),
  );

  expect(assembler.closeAll("eof", 0).map(({ traceId }) => traceId)).toEqual([traceIdOf(2)]);
  expect(assembler.counts).toMatchObject({ released: 1, finished: 1, expired: 0 });
});

describe("the log records of a session without trace ids", () => {
  const prompt = (nth: number) => {
    const { traceId: _, spanId: __, ...record } = log("x", "prompt", "", { "session.id": "s" }, nth);
    return batchIn(logDocument([{ ...record, eventName: "user_prompt" }]));
  };
  const timeouts = { ...defaultTraceTimeouts, lateWindowMs: 0 };
  /** Adds the session's records one by one, each after the trace of the record before was forgotten. */
  const tracesOf = (assembler: Assembler, from: number, count: number): string[] =>
    Array.from({ length: count }, (_, nth) => {
      assembler.add(prompt(from + nth), 0);
      return assembler.closeAll("idle", 0)[0]?.traceId ?? "none";
    });

  test("form a new trace each time that the session's trace was forgotten, however often", () => {
    const traces = tracesOf(new Assembler(timeouts, 1), 0, 100);
    expect(new Set(traces).size).toBe(100);
    expect(traces).not.toContain("none");
  });

  test("form the same traces in the next process, and later records none of these", () => {
    const before = new Assembler(timeouts, 1);
    const [first = "", second = ""] = tracesOf(before, 0, 2);
    const third = prompt(2);
    const numbers = before.sessionTraces(third);
    expect(numbers).toEqual([2]);

    const after = new Assembler(timeouts, 1);
    after.restoreSessionTraces(third, numbers);
    after.add(third, 0);
    after.forgetFinished([first, second].map(wordsOf));
    after.add(prompt(3), 0);
    const [trace] = after.closeAll("idle", 0);
    expect(trace?.uncorrelatedLogs).toHaveLength(2);
    expect([first, second]).not.toContain(trace?.traceId);
    expect(tracesOf(before, 2, 1)).toEqual([trace?.traceId]);

    const fresh = new Assembler(timeouts, 1);
    fresh.forgetFinished([first].map(wordsOf));
    expect(tracesOf(fresh, 1, 1)).toEqual([second]);
  });
});
