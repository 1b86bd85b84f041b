import { expect, test } from "vitest";
import { createEngine } from "../../src/replay/engine.ts";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { intakeBatches } from "../../src/receive/intake/intake-batches.ts";
import { createRandom } from "../../src/report/statistics/samples/random.ts";
import {
  observeAssembler,
  recordItems,
} from "../../src/support/telemetry/metrics/instruments/collector-metrics.ts";
import { createMeter } from "../../src/support/telemetry/metrics/meter.ts";
import { agentTrace, type PlainSpan, requestAsJson, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { spanAccount } from "../support/span-account.ts";

const DAY_MS = 86_400_000;
const TRACES = 700;
const TICK_MS = 5_000;

/** Sends of a day in the order of arrival: whole, split, doubled, late, far too late, with bad ids, ours, and without end. */
function arrivals(seed: number): { atMs: number; body: Uint8Array; json: boolean }[] {
  const random = createRandom(seed);
  const sends: { atMs: number; body: Uint8Array; json: boolean }[] = [];
  const send = (atMs: number, spans: readonly PlainSpan[]): void => {
    const json = random.uniform() < 0.5;
    if (spans.length > 0)
      sends.push({ atMs, json, body: json ? requestAsJson(spans) : requestAsProtobuf(spans) });
  };
  for (let n = 1; n <= TRACES; n++) {
    const { root, tools } = agentTrace(5, n, 1 + Math.floor(random.uniform() * 5));
    const atMs = random.uniform() * DAY_MS * 0.98;
    const cut = Math.floor(random.uniform() * tools.length);
    send(atMs, tools.slice(0, cut));
    const fate = random.uniform();
    if (fate < 0.05) continue; // its process died
    send(atMs + random.uniform() * 5_000, [root, ...tools.slice(cut)]);
    if (fate < 0.15) send(atMs + random.uniform() * 10_000, [root, ...tools]); // sent again
    if (fate > 0.9) send(atMs + 20_000 + random.uniform() * 90_000, [late(root, n)]);
    if (fate > 0.97) send(atMs + 600_000, [late(root, n + 1)]);
    if (fate > 0.4 && fate < 0.45) send(atMs, [{ ...root, spanId: "0000000000000000" }, root]);
  }
  return sends.sort((a, b) => a.atMs - b.atMs);
}

const late = (root: PlainSpan, n: number): PlainSpan => ({
  ...root,
  spanId: (0xabc000 + n).toString(16).padStart(16, "0"),
  parentSpanId: root.spanId,
});

test("a day of traffic: every received span is in exactly one counter, at every hour and at the end", async () => {
  const meter = createMeter({ version: "1.2.3", resource: {} });
  let runs = 0;
  const { pipeline, assembler } = createEngine({
    timeouts: { ...defaultTraceTimeouts, maxSpans: 5, lateBytes: 20_000 },
    quietMs: 15_000,
    attributes: [],
    prices: {},
    seed: 1,
    onRun: () => runs++,
  });
  observeAssembler(meter.recorder, assembler);
  let nowMs = 0;
  const accept = intakeBatches(
    (batch) => void pipeline.accept(batch, nowMs),
    ({ transport, signal }, accepted, refused) =>
      recordItems(meter.recorder, transport, signal, accepted, refused),
  );
  let sent = 0;
  let hour = 0;
  for (const { atMs, body, json } of arrivals(3)) {
    for (; nowMs + TICK_MS <= atMs; nowMs += TICK_MS) {
      pipeline.tick(nowMs);
      if (nowMs < hour) continue;
      hour += 3_600_000;
      expect(spanAccount(await meter.prometheus()).rest).toBe(0);
    }
    await accept(body, {
      transport: "http",
      signal: "traces",
      encoding: json ? "json" : "protobuf",
      wireBytes: body.length,
    });
    sent++;
  }
  const evening = spanAccount(await meter.prometheus());
  expect(evening.rest).toBe(0);
  pipeline.drain("shutdown", nowMs);
  const night = spanAccount(await meter.prometheus());
  await meter.shutdown(0);

  expect(night).toMatchObject({ rest: 0, open: 0, came: evening.came });
  for (const outcome of ["released", "duplicate", "late", "expired"])
    expect([outcome, (night.ended[outcome] ?? 0) > 5]).toEqual([outcome, true]);
  expect(night.refused).toBeGreaterThan(20);
  expect([sent > TRACES, runs > TRACES / 2]).toEqual([true, true]);
});
