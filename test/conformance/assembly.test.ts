import { describe, expect, test } from "vitest";
import { Assembler } from "../../src/assemble/assembler.ts";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { seeded } from "../fuzz/seeded.ts";
import { batchOf, type TestSpan } from "../support/spans.ts";

const TRACES = 1_000;
const SPANS = 20;

test("A01 a thousand traces of twenty spans, shuffled over requests of three senders, one span in twenty sent twice", () => {
  const random = seeded(1);
  const spans: TestSpan[] = [];
  for (let trace = 1; trace <= TRACES; trace++) {
    for (let index = 0; index < SPANS; index++) {
      const id = trace * 100 + index;
      const span = {
        trace,
        id,
        start: index,
        ...(index === 0 ? {} : { parent: trace * 100 + Math.floor(random() * index) }),
      };
      spans.push(span);
      if (random() < 0.05) spans.push(span);
    }
  }
  const shuffled = spans.map((span) => ({ span, at: random() })).sort((a, b) => a.at - b.at);
  const assembler = new Assembler(defaultTraceTimeouts, 7);
  for (let at = 0; at < shuffled.length; at += 64) {
    assembler.add(batchOf(shuffled.slice(at, at + 64).map(({ span }) => span)), at % 3);
  }
  const traces = assembler.closeDue(defaultTraceTimeouts.rootQuietMs + 200);

  expect(traces).toHaveLength(TRACES);
  expect(new Set(traces.map(({ closeReason }) => closeReason))).toEqual(new Set(["root_complete"]));
  expect(traces.every(({ spans: inTrace }) => inTrace.length === SPANS)).toBe(true);
  expect(assembler.counts).toMatchObject({
    released: TRACES * SPANS,
    duplicate: spans.length - TRACES * SPANS,
    late: 0,
    expired: 0,
  });
  expect(assembler.closeDue(10_000_000)).toEqual([]);
});

describe("A02 whatever its root does, a trace is released once, for the right reason", () => {
  const child: TestSpan = { id: 2, parent: 1, start: 10 };
  test.each<[string, readonly TestSpan[], number, string]>([
    ["comes first", [{ id: 1, start: 0 }, child], 6_000, "root_complete"],
    ["comes last", [child, { id: 1, start: 0 }], 6_000, "root_complete"],
    ["never comes", [child], 300_000, "idle"],
    ["comes twice over, as two", [{ id: 1, start: 0 }, { id: 3, start: 5 }, child], 6_000, "root_complete"],
    ["has a child whose parent is missing", [{ id: 1 }, { id: 2, parent: 9 }], 15_000, "root_partial"],
    ["is its own parent", [{ id: 1, parent: 1 }], 300_000, "idle"],
  ])("%s", (_what, spans, afterMs, reason) => {
    const assembler = new Assembler(defaultTraceTimeouts, 7);
    for (const span of spans) assembler.add(batchOf([span]), 0);

    expect(assembler.closeDue(afterMs - 1)).toEqual([]);
    expect(assembler.closeDue(afterMs).map(({ closeReason }) => closeReason)).toEqual([reason]);
    expect(assembler.closeDue(10_000_000)).toEqual([]);
  });
});

test.each([
  [5_900, 1],
  [6_100, 2],
])("A03 a child %i ms after the root: %i release(s)", (afterMs, releases) => {
  const assembler = new Assembler(defaultTraceTimeouts, 7);
  assembler.add(batchOf([{ id: 1, start: 0 }]), 0);
  let released = assembler.closeDue(afterMs).length;
  assembler.add(batchOf([{ id: 2, parent: 1, start: 1 }]), afterMs);
  const later = assembler.closeDue(afterMs + 6_000);

  expect((released += later.length)).toBe(releases);
  expect(later[0]?.spans).toHaveLength(2);
});
