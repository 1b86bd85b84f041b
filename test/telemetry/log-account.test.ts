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
import { ownScope } from "../../src/model/telemetry/own-scope.ts";
import { document, hex, log, span } from "../support/otlp.ts";
import { logAccount } from "../support/span-account.ts";

const HOUR_MS = 3_600_000;
const TICK_MS = 5_000;
const TRACES = 900;

type Plain = Readonly<Record<string, unknown>>;

interface Send {
  readonly atMs: number;
  readonly signal: "traces" | "logs";
  readonly body: Plain;
}

function logsOf(records: readonly Plain[], service: string, scope = "test"): Plain {
  const resource = { attributes: [{ key: "service.name", value: { stringValue: service } }] };
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: scope }, logRecords: records }] }] };
}

function withoutIds({ traceId: _traceId, spanId: _spanId, ...record }: Plain): Plain {
  return record;
}

/** An hour of records: of spans, of traces, of sessions, of nothing, ours; sent twice, late, far too late, more than a trace may hold. */
function arrivals(seed: number): Send[] {
  const random = createRandom(seed);
  const pick = (most: number): number => Math.floor(random.uniform() * most);
  const sends: Send[] = [];
  for (let n = 0; n < TRACES; n++) {
    const atMs = random.uniform() * HOUR_MS * 0.8;
    const send = (signal: Send["signal"], body: Plain, laterMs = 0): void =>
      void sends.push({ atMs: atMs + laterMs, signal, body });
    const service = `service ${pick(6)}`;
    const trace = hex(`t${n}`, 32);
    const records = Array.from({ length: 1 + pick(4) }, (_, at) => ({
      ...log("root", "note", `words ${n} ${at}`, {}, n * 1_000 + at),
      traceId: trace,
    }));
    const spans = document(
      [span("root", undefined, "work", n * 1_000, n * 1_000 + 500, {}, { traceId: trace })],
      {
        resource: { "service.name": service },
      },
    );
    const kind = pick(7);
    if (kind < 4) send("traces", spans, pick(2_000));
    if (kind < 2 || kind === 4) send("logs", logsOf(records, service), pick(2_000));
    if (kind === 1) send("logs", logsOf(records, service), pick(9_000));
    if (kind === 2) send("logs", logsOf(records, service), 20_000 + pick(60_000));
    if (kind === 3) {
      const free = records.map(withoutIds);
      const twice = random.uniform() < 0.3 ? [...free, ...free] : free;
      send("logs", logsOf(twice, random.uniform() < 0.7 ? service : "elsewhere"), pick(2_000));
      if (random.uniform() < 0.3) send("logs", logsOf(records, service), 900_000);
    }
    if (kind === 5) {
      const attributes = { "session.id": `s${n}`, "event.name": "api_request", model: "m", input_tokens: 5 };
      const session = records.map((_, at) => withoutIds(log("x", undefined, "", attributes, n * 1_000 + at)));
      send("logs", logsOf(session, n % 2 === 0 ? "coder" : service), pick(2_000));
      if (random.uniform() < 0.5) send("logs", logsOf(session, n % 2 === 0 ? "coder" : service), pick(9_000));
    }
    if (kind === 6) {
      send("logs", logsOf(records, service, ownScope));
      const long = Array.from({ length: 90 }, (_, at) => ({
        ...log("root", "note", `${"long ".repeat(40)}${at}`, {}, at),
        traceId: trace,
      }));
      send("logs", logsOf(long, service), pick(2_000));
    }
  }
  return sends.sort((a, b) => a.atMs - b.atMs);
}

test("an hour of records: every received log record is in exactly one counter", async () => {
  const meter = createMeter({ version: "1.2.3", resource: {} });
  const { pipeline, assembler } = createEngine({
    timeouts: { ...defaultTraceTimeouts, maxBytes: 20_000, lateBytes: 60_000 },
    quietMs: 15_000,
    attributes: [],
    prices: {},
    seed: 1,
    onRun: () => {},
  });
  observeAssembler(meter.recorder, assembler);
  let nowMs = 0;
  const accept = intakeBatches(
    (batch) => void pipeline.accept(batch, nowMs),
    ({ transport, signal }, accepted, refused) =>
      recordItems(meter.recorder, transport, signal, accepted, refused),
  );
  let minute = 0;
  for (const { atMs, signal, body } of arrivals(3)) {
    for (; nowMs + TICK_MS <= atMs; nowMs += TICK_MS) {
      pipeline.tick(nowMs);
      if (nowMs < minute) continue;
      minute += 300_000;
      expect(logAccount(await meter.prometheus()).rest).toBe(0);
    }
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    await accept(bytes, { transport: "http", signal, encoding: "json", wireBytes: bytes.length });
  }
  expect(logAccount(await meter.prometheus()).rest).toBe(0);
  pipeline.drain("shutdown", nowMs);
  pipeline.evict(0, nowMs, Infinity);
  const night = logAccount(await meter.prometheus());
  await meter.shutdown(0);

  expect(night).toMatchObject({ rest: 0, open: 0 });
  for (const outcome of ["released", "duplicate", "late", "expired", "too_large", "own", "uncorrelated"])
    expect([outcome, (night.ended[outcome] ?? 0) > 5]).toEqual([outcome, true]);
});
