import fc from "fast-check";
import { expect, test } from "vitest";
import type { TraceEntry } from "../../src/assemble/trace-entry.ts";
import type { Trace } from "../../src/assemble/trace.ts";
import { wordsOf } from "../../src/otlp/bytes/text.ts";
import { decide } from "../../src/pipeline/decisions.ts";
import { TraceHistory } from "../../src/pipeline/lifecycle/trace-history.ts";
import { TraceLifecycle } from "../../src/pipeline/lifecycle/trace-lifecycle.ts";
import { garbageCollector } from "../../src/receive/admission/garbage.ts";
import { judgedRun, verdictOf } from "../support/verdict-of.ts";

function trace(traceId: string, isRevision = false): Trace {
  return { traceId, spans: [], uncorrelatedLogs: [], closeReason: "idle", truncated: false, isRevision };
}

const everyRun = { rate: 1, agents: new Map(), queries: new Map(), always: [] };

const never = (): boolean => false;

function released(lifecycle: TraceLifecycle, traceId: string): void {
  lifecycle.released({ id: wordsOf(traceId) } as unknown as TraceEntry);
}

test("a trace is settled when its runs are judged and none is to come", () => {
  const lifecycle = new TraceLifecycle();
  const [first, second] = [judgedRun({ traceIds: ["a"] }), judgedRun({ traceIds: ["a", "b"] })];
  lifecycle.closed(trace("a"), 0);
  lifecycle.closed(trace("b"), 0);
  lifecycle.found(first);
  lifecycle.found(second);
  expect(lifecycle.settle(never)).toEqual(new Set());
  lifecycle.judged(second, []);
  expect(lifecycle.settle((id) => id === "b")).toEqual(new Set());
  expect(lifecycle.settle(never)).toEqual(new Set(["b"]));
  lifecycle.judged(first, []);
  lifecycle.judged(first, []);
  expect(lifecycle.settle(never)).toEqual(new Set(["a"]));
  expect(lifecycle.pending).toBe(0);
});

test("a trace is finished when its spans are released, its verdicts delivered, and nothing may come of it", () => {
  const lifecycle = new TraceLifecycle();
  const id = "1".repeat(32);
  const run = judgedRun({ traceIds: [id] });
  lifecycle.closed(trace(id), 0);
  lifecycle.found(run);
  released(lifecycle, id);
  lifecycle.judged(run, []);
  expect(lifecycle.finishable(never)).toEqual([]);
  lifecycle.delivered(run);
  lifecycle.delivered(run);
  expect(lifecycle.finishable(() => true)).toEqual([]);
  const finished = lifecycle.finishable(never);
  expect(finished.map(({ traceId }) => traceId)).toEqual([id]);
  lifecycle.finish(finished);
  expect([lifecycle.has(id), lifecycle.finishable(never)]).toEqual([false, []]);
  expect(finished[0]?.stage).toBe("finished");
});

test("a run is another process's once what came of it over Kafka was relinquished, even if that comes again", () => {
  const lifecycle = new TraceLifecycle();
  const run = judgedRun({ traceIds: ["a", "b"] });
  expect(lifecycle.ownerOf(run)).toBe("unclaimed");
  lifecycle.claim(["a", "b"]);
  lifecycle.found(run);
  expect(lifecycle.ownerOf(run)).toBe("here");
  lifecycle.relinquish(["b"]);
  expect(lifecycle.ownerOf(run)).toBe("here");
  lifecycle.relinquish(["a"]);
  expect(lifecycle.ownerOf(run)).toBe("elsewhere");
  expect(lifecycle.ownerOf(judgedRun({ traceIds: ["a"] }))).toBe("elsewhere");
  lifecycle.claim(["a"]);
  expect(lifecycle.ownerOf(run)).toBe("elsewhere");
  expect(lifecycle.ownerOf(judgedRun({ traceIds: ["a"] }))).toBe("here");
});

test("every trace is counted once, whatever comes late and whenever it is settled", () => {
  const event = fc.record({
    id: fc.nat(20),
    late: fc.boolean(),
    settles: fc.boolean(),
    has: fc.constantFrom("none", "run"),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const lifecycle = new TraceLifecycle();
      const seen = new Set<string>();
      for (const { id, late, has, settles } of events) {
        const traceId = String(id);
        const isRevision = seen.has(traceId);
        if (isRevision && !late) continue;
        seen.add(traceId);
        lifecycle.closed(trace(traceId, isRevision), 0);
        if (has === "run") {
          const run = judgedRun({ traceId, traceIds: [traceId], runId: `${traceId}-1` });
          const judged = {
            run,
            verdicts: [verdictOf([], { run })],
            matched: [],
            unmatched: [],
            ambiguous: [],
          };
          lifecycle.decided(decide(judged, everyRun));
        }
        if (settles) lifecycle.settle(never);
      }
      const settled = [...lifecycle.counts.values()].reduce((sum, count) => sum + count, 0);
      expect(settled + lifecycle.pending).toBe(seen.size);
      expect(lifecycle.closedOnce).toBe(seen.size);
    }),
  );
});

test("a record says what became of each run of the trace", () => {
  const records = new TraceHistory(10);
  const run = judgedRun({ traceId: "a", traceIds: ["a", "b"], runId: "a-1" });
  records.closed(trace("a"), 5);
  records.closed(trace("b"), 6);
  const judged = { run, verdicts: [verdictOf([], { run })], matched: [], unmatched: [], ambiguous: [] };
  records.decided(decide(judged, everyRun));
  records.exported("a-1");
  records.forwarded("a", { destination: "x", kept: true, why: "share" });
  expect(records.list(1)[0]?.state).toBe("pending");
  for (const id of ["a", "b"]) records.settled(id);

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
  const records = new TraceHistory(100);
  for (let id = 0; id < 100; id++) records.closed(trace(`settled ${id}`), 0);
  for (let id = 0; id < 100; id++) records.settled(`settled ${id}`);
  for (let id = 0; id < 1_000; id++) records.closed(trace(`pending ${id}`), 0);
  records.forgetOldest();

  expect(records.list(1, "settled 0")).toMatchObject([{ state: "no_run" }]);
});

test("a decision about a run whose traces are forgotten is not retained", async () => {
  const records = new TraceHistory(10);
  const decided = (traceId: string): WeakRef<object> => {
    const run = judgedRun({ traceId, traceIds: [traceId], runId: `${traceId}-1` });
    const verdicts = [verdictOf([], { run })];
    const decision = decide({ run, verdicts, matched: [], unmatched: [], ambiguous: [] }, everyRun);
    records.decided(decision);
    return new WeakRef(decision.traceIds);
  };
  records.closed(trace("kept"), 0);
  const kept = decided("kept");
  const forgotten = decided("forgotten");
  await new Promise((resolve) => setImmediate(resolve));
  garbageCollector()();
  expect([kept, forgotten].map((one) => one.deref() === undefined)).toEqual([false, true]);
});
