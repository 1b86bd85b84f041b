import { expect, test } from "vitest";
import { Assembler } from "../../src/assemble/assembler.ts";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { DeliveryLedger } from "../../src/journal/delivery-ledger.ts";
import { readLogsJson, readTracesJson } from "../../src/otlp/json/read-json.ts";

const resource = (service: string) => ({
  attributes: [{ key: "service.name", value: { stringValue: service } }],
});

function logs(service: string, scope: string) {
  const logRecords = [{ timeUnixNano: "1760000000000000000", body: { stringValue: "said" } }];
  const scopeLogs = [{ scope: { name: scope }, logRecords }];
  const read = readLogsJson(
    Buffer.from(JSON.stringify({ resourceLogs: [{ resource: resource(service), scopeLogs }] })),
    true,
  );
  if (!read.ok) throw new Error(read.message);
  return read.batch;
}

function spans(service: string, scope: string) {
  const scopeSpans = [
    { scope: { name: scope }, spans: [{ traceId: "1".repeat(32), spanId: "2".repeat(16), name: "chat" }] },
  ];
  const read = readTracesJson(
    Buffer.from(JSON.stringify({ resourceSpans: [{ resource: resource(service), scopeSpans }] })),
    true,
  );
  if (!read.ok) throw new Error(read.message);
  return read.batch;
}

/** What of requests with log records without a trace is still kept at a time, by their name. */
function kept(requests: ReturnType<typeof spans>[], atMs: number): number[] {
  const released = new Set<number>();
  const assembler = new Assembler(defaultTraceTimeouts, 1);
  const ledger = new DeliveryLedger<number>({
    journal: {
      release: (place: number) => void released.add(place),
      noteJudged: () => Promise.resolve(0),
      noteDelivered: () => Promise.resolve(0),
      noteForwarded: () => Promise.resolve(0),
      finish: () => Promise.resolve(),
      makeRoom: () => Promise.resolve(),
    },
    resume: () => null,
    isUnfinished: () => false,
    uncorrelatedMs: 360_000,
    onError: (error) => {
      throw error;
    },
  });
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
