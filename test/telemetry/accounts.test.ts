import { expect, test } from "vitest";
import { createEngine } from "../../src/replay/engine.ts";
import { defaultTraceTimeouts, type TraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import type { ReceivedRequest } from "../../src/receive/ports.ts";
import { intakeBatches } from "../../src/receive/intake/intake-batches.ts";
import { createRandom } from "../../src/report/statistics/samples/random.ts";
import {
  observeAssembler,
  recordItems,
} from "../../src/support/telemetry/metrics/instruments/collector-metrics.ts";
import { createMeter } from "../../src/support/telemetry/metrics/meter.ts";
import { ownScope } from "../../src/model/telemetry/own-scope.ts";
import { agentTrace, type PlainSpan, requestAsJson, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { document, hex, log, span } from "../support/otlp.ts";
import { type Account, logAccount, spanAccount } from "../support/span-account.ts";

const TICK_MS = 5_000;

type Send = Pick<ReceivedRequest, "signal" | "encoding"> & {
  readonly atMs: number;
  readonly body: Uint8Array;
};

/** The account after the last arrival and after the stop. Every so often in between, each item must be in exactly one counter. */
async function accountsOf(
  sends: readonly Send[],
  read: (prometheusText: string) => Account,
  timeouts: Partial<TraceTimeouts>,
  everyMs: number,
): Promise<{ readonly evening: Account; readonly night: Account; readonly runs: number }> {
  const meter = createMeter({ version: "1.2.3", resource: {} });
  let runs = 0;
  const { pipeline, assembler } = createEngine({
    timeouts: { ...defaultTraceTimeouts, ...timeouts },
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
  let nextMs = 0;
  for (const { atMs, body, signal, encoding } of sends) {
    for (; nowMs + TICK_MS <= atMs; nowMs += TICK_MS) {
      pipeline.tick(nowMs);
      if (nowMs < nextMs) continue;
      nextMs += everyMs;
      expect(read(await meter.prometheus()).rest).toBe(0);
    }
    await accept(body, { transport: "http", signal, encoding, wireBytes: body.length });
  }
  const evening = read(await meter.prometheus());
  pipeline.drain("shutdown", nowMs);
  pipeline.evict(0, nowMs, Infinity);
  const night = read(await meter.prometheus());
  await meter.shutdown(0);
  return { evening, night, runs };
}

const DAY_MS = 86_400_000;

/** Sends of a day in the order of arrival: whole, split, doubled, late, far too late, with bad ids, ours, and without end. */
function spanArrivals(seed: number): Send[] {
  const random = createRandom(seed);
  const sends: Send[] = [];
  const send = (atMs: number, spans: readonly PlainSpan[]): void => {
    const json = random.uniform() < 0.5;
    if (spans.length > 0)
      sends.push({
        atMs,
        signal: "traces",
        encoding: json ? "json" : "protobuf",
        body: json ? requestAsJson(spans) : requestAsProtobuf(spans),
      });
  };
  for (let n = 1; n <= 700; n++) {
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

const HOUR_MS = 3_600_000;

type Plain = Readonly<Record<string, unknown>>;

function logsOf(records: readonly Plain[], service: string, scope = "test"): Plain {
  const resource = { attributes: [{ key: "service.name", value: { stringValue: service } }] };
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: scope }, logRecords: records }] }] };
}

function withoutIds({ traceId: _traceId, spanId: _spanId, ...record }: Plain): Plain {
  return record;
}

/** An hour of records: of spans, of traces, of sessions, of nothing, ours; sent twice, late, far too late, more than a trace may hold. */
function logArrivals(seed: number): Send[] {
  const random = createRandom(seed);
  const pick = (most: number): number => Math.floor(random.uniform() * most);
  const sends: Send[] = [];
  for (let n = 0; n < 900; n++) {
    const atMs = random.uniform() * HOUR_MS * 0.8;
    const send = (signal: Send["signal"], body: Plain, laterMs = 0): void =>
      void sends.push({
        atMs: atMs + laterMs,
        signal,
        encoding: "json",
        body: Buffer.from(JSON.stringify(body)),
      });
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

test("a day of traffic: every received span is in exactly one counter, at every hour and at the end", async () => {
  const timeouts = { maxSpans: 5, lateBytes: 20_000 };
  const { evening, night, runs } = await accountsOf(spanArrivals(3), spanAccount, timeouts, 3_600_000);

  expect(night).toMatchObject({ rest: 0, open: 0, came: evening.came });
  for (const outcome of ["released", "duplicate", "late", "expired"])
    expect([outcome, (night.ended[outcome] ?? 0) > 5]).toEqual([outcome, true]);
  expect(night.refused).toBeGreaterThan(20);
  expect(runs).toBeGreaterThan(350);
});

test("an hour of records: every received log record is in exactly one counter", async () => {
  const timeouts = { maxBytes: 20_000, lateBytes: 60_000 };
  const { evening, night } = await accountsOf(logArrivals(3), logAccount, timeouts, 300_000);

  expect([evening.rest, night.rest, night.open]).toEqual([0, 0, 0]);
  for (const outcome of ["released", "duplicate", "late", "expired", "too_large", "own", "uncorrelated"])
    expect([outcome, (night.ended[outcome] ?? 0) > 5]).toEqual([outcome, true]);
});
