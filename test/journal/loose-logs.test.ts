import { expect, test } from "vitest";
import { Assembler } from "../../src/assemble/assembler.ts";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { document, logDocument } from "../support/otlp.ts";
import { batchIn, ledgerOver } from "./ledger-of-test.ts";

const resource = (service: string) => ({ "service.name": service });

function logs(service: string, scope: string) {
  const record = { timeUnixNano: "1760000000000000000", body: { stringValue: "said" } };
  return batchIn(logDocument([record], scope, resource(service)));
}

function spans(service: string, scope: string) {
  const span = { traceId: "1".repeat(32), spanId: "2".repeat(16), name: "chat" };
  return batchIn(document([span], { scope, resource: resource(service) }));
}

/** What of requests with log records without a trace is still kept at a time, by their name. */
function kept(requests: ReturnType<typeof spans>[], atMs: number): number[] {
  const released = new Set<number>();
  const assembler = new Assembler(defaultTraceTimeouts, 1);
  const ledger = ledgerOver(
    { release: (place) => void released.add(place) },
    { isUnfinished: () => false, uncorrelatedMs: 360_000 },
  );
  for (const [place, batch] of requests.entries()) {
    const { uncorrelatedLogs } = assembler.counts;
    const traces = assembler.add(batch, 0);
    const hasUncorrelated = assembler.counts.uncorrelatedLogs > uncorrelatedLogs;
    ledger.took(
      batch,
      place,
      traces,
      hasUncorrelated ? { mayJoin: () => assembler.mayJoin(batch) } : null,
      0,
    );
  }
  void ledger.finish([], atMs, () => []);
  return requests.flatMap((_, place) => (released.has(place) ? [] : [place]));
}

test("log records that no span can be found for are let go after a minute, others after six", () => {
  const requests = [
    logs("shop", "http"),
    logs("shop", "agent"),
    logs("other", "agent"),
    spans("shop", "agent"),
  ];
  expect(kept(requests, 59_000)).toEqual([0, 1, 2, 3]);
  expect(kept(requests, 61_000)).toEqual([1, 3]);
  expect(kept(requests, 361_000)).toEqual([3]);
});
