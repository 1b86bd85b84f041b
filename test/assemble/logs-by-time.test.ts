import fc from "fast-check";
import { expect, test } from "vitest";
import { Assembler } from "../../src/assemble/assembler.ts";
import { LogsByTime } from "../../src/assemble/logs/logs-by-time.ts";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { type Batch, logAt, spanAt } from "../../src/otlp/rows/batch.ts";
import { batchIn } from "../support/runs.ts";
import { document, log, logDocument, span } from "../support/otlp.ts";

function logBatch(times: readonly number[], body = ""): Batch {
  const records = times.map((time) => {
    const { traceId: _traceId, spanId: _spanId, ...record } = log("x", "note", body, {}, time);
    return record;
  });
  return batchIn(logDocument(records));
}

function spanBatch(spans: readonly (readonly [number, number])[]): Batch {
  const plain = spans.map(([start, end], at) => span(`s${at}`, undefined, "work", start, end));
  return batchIn(document(plain, { resource: {} }));
}

const time = fc.nat({ max: 30 });

test("a span adopts the remaining records between its start and end, in any order of arrival", () => {
  fc.assert(
    fc.property(fc.array(time), fc.array(fc.tuple(time, time)), (times, spans) => {
      const batch = logBatch(times);
      const logs = new LogsByTime();
      for (let row = 0; row < times.length; row++) logs.add("one", { batch, row, at: logAt(batch, row) });
      const ofSpans = spanBatch(spans);
      let left = [...times.keys()];
      for (const [row, [start, end]] of spans.entries()) {
        const ref = { batch: ofSpans, row, at: spanAt(row) };
        expect(logs.takeDuring("other", ref)).toEqual([]);
        const isDuring = (at: number): boolean => (times[at] ?? 0) >= start && (times[at] ?? 0) <= end;
        const expected = left.filter(isDuring).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
        expect(logs.takeDuring("one", ref).map((one) => one.row)).toEqual(expected);
        left = left.filter((at) => !isDuring(at));
      }
      expect(logs.rest().length).toBe(left.length);
    }),
  );
});

test("records that a trace adopted count as memory until the trace is forgotten, and are adopted again with late spans", () => {
  const assembler = new Assembler({ ...defaultTraceTimeouts, lateWindowMs: 1_000 }, 1);
  assembler.add(logBatch([5], "a long text ".repeat(10_000)), 0);
  const { heldBytes } = assembler;
  assembler.add(spanBatch([[0, 10]]), 0);
  expect(assembler.closeAll("eof", 0)[0]?.spans[0]?.logs.length).toBe(1);
  expect(assembler.heldBytes).toBeGreaterThan(heldBytes);
  assembler.add(
    spanBatch([
      [0, 10],
      [2, 6],
    ]),
    10,
  );
  const [again] = assembler.closeAll("eof", 10);
  expect(again?.spans.map(({ logs }) => logs.length)).toEqual([0, 1]);
  expect(assembler.heldBytes).toBeGreaterThan(heldBytes);
  assembler.closeDue(5_000);
  expect(assembler.heldBytes).toBe(0);
});
