import fc from "fast-check";
import { expect, test } from "vitest";
import type { Trace } from "../../src/assemble/trace.ts";
import { decide } from "../../src/pipeline/decisions.ts";
import { TraceHistory } from "../../src/pipeline/lifecycle/trace-history.ts";
import { TraceLifecycle } from "../../src/pipeline/lifecycle/trace-lifecycle.ts";
import { judgedRun, judgedWith, verdictOf } from "../support/verdict-of.ts";

function trace(traceId: string, isRevision = false): Trace {
  return { traceId, spans: [], uncorrelatedLogs: [], closeReason: "idle", truncated: false, isRevision };
}

const everyRun = { rate: 1, agents: new Map(), queries: new Map(), always: [] };

const never = (): boolean => false;

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
          lifecycle.decided(decide(judgedWith(run, [verdictOf([], { run })]), everyRun));
        }
        if (settles) lifecycle.settle(never);
      }
      const settled = [...lifecycle.counts.values()].reduce((sum, count) => sum + count, 0);
      expect(settled + lifecycle.pending).toBe(seen.size);
      expect(lifecycle.closedOnce).toBe(seen.size);
    }),
  );
});

test("traces that are pending do not displace records of those that are settled", () => {
  const records = new TraceHistory(100);
  for (let id = 0; id < 100; id++) records.closed(trace(`settled ${id}`), 0);
  for (let id = 0; id < 100; id++) records.settled(`settled ${id}`);
  for (let id = 0; id < 1_000; id++) records.closed(trace(`pending ${id}`), 0);
  records.forgetOldest();

  expect(records.list(1, "settled 0")).toMatchObject([{ state: "no_run" }]);
});
