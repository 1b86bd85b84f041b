import fc from "fast-check";
import { expect, test } from "vitest";
import type { Trace } from "../../src/assemble/trace.ts";
import { CompletionTracker } from "../../src/pipeline/completion-tracker.ts";
import { decide } from "../../src/pipeline/decisions.ts";
import { TraceRecords } from "../../src/pipeline/trace-records.ts";
import { judgedRun, verdictOf } from "../support/verdict-of.ts";

function trace(traceId: string, isRevision = false): Trace {
  return { traceId, spans: [], uncorrelatedLogs: [], closeReason: "idle", truncated: false, isRevision };
}

const everyRun = { rate: 1, agents: new Map(), queries: new Map(), always: [] };

test("a trace is settled when its runs are judged and none is to come", () => {
  const settling = new CompletionTracker();
  const [first, second] = [judgedRun({ traceIds: ["a"] }), judgedRun({ traceIds: ["a", "b"] })];
  settling.closed("a");
  settling.closed("b");
  settling.begin(first);
  settling.begin(second);
  expect(settling.take(new Set())).toEqual(new Set());
  settling.end(second);
  expect(settling.take(new Set(["b"]))).toEqual(new Set());
  expect(settling.take(new Set())).toEqual(new Set(["b"]));
  settling.end(first);
  settling.end(first);
  expect(settling.take(new Set())).toEqual(new Set(["a"]));
  expect(settling.size).toBe(0);
});

test("every trace is counted once, whatever comes late and however few records are kept", () => {
  const event = fc.record({ id: fc.nat(20), late: fc.boolean(), has: fc.constantFrom("none", "run") });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (events, most) => {
      const records = new TraceRecords(most);
      const seen = new Set<string>();
      for (const { id, late, has } of events) {
        const traceId = String(id);
        const isRevision = seen.has(traceId);
        if (isRevision && !late) continue;
        seen.add(traceId);
        records.closed(trace(traceId, isRevision), 0);
        if (has === "run") {
          const run = judgedRun({ traceId, traceIds: [traceId], runId: `${traceId}-1` });
          const judged = {
            run,
            verdicts: [verdictOf([], { run })],
            matched: [],
            unmatched: [],
            ambiguous: [],
          };
          records.decided(decide(judged, everyRun));
        }
        records.settle([traceId]);
      }
      const settled = [...records.counts.values()].reduce((sum, count) => sum + count, 0);
      expect(settled + records.pending).toBe(seen.size);
      expect(records.closedOnce).toBe(seen.size);
      expect(records.list(100).length).toBeLessThanOrEqual(most);
    }),
  );
});

test("a record says what became of each run of the trace", () => {
  const records = new TraceRecords(10);
  const run = judgedRun({ traceId: "a", traceIds: ["a", "b"], runId: "a-1" });
  records.closed(trace("a"), 5);
  records.closed(trace("b"), 6);
  const judged = { run, verdicts: [verdictOf([], { run })], matched: [], unmatched: [], ambiguous: [] };
  records.decided(decide(judged, everyRun));
  records.exported("a-1");
  records.forwarded("a", { destination: "x", kept: true, why: "share" });
  expect(records.list(1)[0]?.state).toBe("pending");
  records.settle(["a", "b"]);

  expect(records.list(10).map(({ traceId, state }) => [traceId, state])).toEqual([
    ["b", "evaluated"],
    ["a", "evaluated"],
  ]);
  expect(records.list(1, "a")).toMatchObject([
    {
      closedUnixMs: 5,
      closeReason: "idle",
      runs: [{ runId: "a-1", exported: true, decision: "evaluated" }],
      forwarded: [{ destination: "x", kept: true, why: "share" }],
    },
  ]);
});

test("traces that are pending do not displace records of those that are settled", () => {
  const records = new TraceRecords(100);
  for (let id = 0; id < 100; id++) records.closed(trace(`settled ${id}`), 0);
  records.settle(Array.from({ length: 100 }, (_, id) => `settled ${id}`));
  for (let id = 0; id < 1_000; id++) records.closed(trace(`pending ${id}`), 0);

  expect(records.list(1, "settled 0")).toMatchObject([{ state: "no_run" }]);
  expect(records.pending).toBe(1_000);
});
