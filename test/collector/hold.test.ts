import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { killed } from "../support/data-folder.ts";
import { until } from "../support/eventually.ts";
import { journalPast, queuedRecords } from "../support/left-on-disk.ts";
import { metricsOf, post, serveInTest } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import type { CollectorOptions } from "../../src/collector/settings/options.ts";
import type { Keep } from "../../src/export/forward/tail/keep.ts";
import { type ForwardDestination } from "../../src/export/forward/settings.ts";
import { traceShare } from "../../src/pipeline/decisions.ts";
import { agentTrace, type PlainSpan, requestAsJson, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { httpBackend } from "../forward/backends.ts";
import { modelServer } from "../judge/support/model-server.ts";
import { type OtlpSink, startOtlpSink } from "../support/otlp-sink.ts";
import { judgedByModel } from "../support/judged-by-model.ts";
import { chaosSpec } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const timeouts = { ...defaultTraceTimeouts, rootQuietMs: 100, rootOpenMs: 150, lateWindowMs: 600_000 };
const nothing: Keep = { outcomes: [], errors: false, slowMs: null, share: 0 };

async function backend(): Promise<OtlpSink> {
  const sink = await startOtlpSink();
  onTestFinished(() => sink.close());
  return sink;
}

async function start(
  { endpoint }: Pick<OtlpSink, "endpoint">,
  hold: Partial<NonNullable<ForwardDestination["hold"]>>,
  { dataDir = temporaryFolder(), ...judgedBy }: Partial<CollectorOptions> & { dataDir?: string } = {},
): Promise<Collector> {
  const held = { maxWaitMs: 600_000, keep: null, events: true, ...hold };
  return serveInTest({
    specs: [chaosSpec(2, ", severity: { path: fail }")],
    ...judgedBy,
    timeouts,
    forwardTo: [{ endpoint, passHeaders: ["x-tenant"], hold: held }],
    dataDir,
  });
}

async function send(
  live: Collector,
  spans: readonly PlainSpan[],
  as: "protobuf" | "json" | "gzip" = "protobuf",
) {
  const body = as === "json" ? requestAsJson(spans) : requestAsProtobuf(spans);
  const headers = {
    "x-tenant": "blue",
    "content-type": as === "json" ? "application/json" : "application/x-protobuf",
    ...(as === "gzip" ? { "content-encoding": "gzip" } : {}),
  };
  expect(await post(live, as === "gzip" ? gzipSync(body) : body, headers)).toBe(200);
}

const whole = (n: number, tools: number): PlainSpan[] => {
  const trace = agentTrace(7, n, tools);
  return [...trace.tools, trace.root];
};

interface Decided {
  readonly traces: readonly {
    readonly trace_id: string;
    readonly forwarded?: readonly { readonly kept: boolean; readonly why: string }[];
  }[];
  readonly counts: object;
}

async function decisionsOf(live: Collector): Promise<Decided> {
  const answer = await fetch(`http://${live.listening.admin}/api/v1/decisions/traces?limit=10000`);
  return (await answer.json()) as Decided;
}

const idsOf = (sink: OtlpSink): string[] => [...new Set(sink.spans.map(({ traceId }) => traceId))].sort();

describe("a backend that wants traces judged", () => {
  test.each(["protobuf", "gzip"] as const)(
    "gets each whole, with the verdict on its root, sent as %s",
    async (as) => {
      const sink = await backend();
      const live = await start(sink, {});
      const spans = [...whole(1, 1), ...whole(2, 3)];
      await send(live, spans, as);
      await sink.until(() => sink.spans.length === spans.length);

      expect(sink.spans.map(({ spanId, name }) => [spanId, name])).toEqual(
        spans.map(({ spanId, name }) => [spanId, name]),
      );
      const roots = sink.spans.filter(({ parentSpanId }) => parentSpanId === "");
      const labels = roots.map(({ events }) => events[0]?.attributes["gen_ai.evaluation.score.label"]);
      expect(labels).toEqual(["pass", "fail"]);
      expect(roots[0]?.events.map(({ name }) => name)).toContain("gen_ai.evaluation.result");
      expect(sink.spans.filter(({ events }) => events.length > 0)).toHaveLength(2);
      expect(sink.requests[0]?.headers).toMatchObject({
        "x-tenant": "blue",
        ...(as === "gzip" ? { "content-encoding": "gzip" } : {}),
      });
    },
  );

  test("only those that failed, or are in the share, when asked for", async () => {
    const sink = await backend();
    const live = await start(sink, { keep: { ...nothing, outcomes: ["fail"], share: 0.3 } });
    for (let n = 0; n < 30; n++) await send(live, whole(n, n === 4 ? 3 : 1));
    const expected = Array.from({ length: 30 }, (_, n) => agentTrace(7, n, 0).traceId).filter(
      (id, n) => n === 4 || traceShare(id) < 0.3,
    );
    await sink.until(() => idsOf(sink).length >= expected.length);
    await until(async () => {
      const { traces } = await decisionsOf(live);
      return traces.filter(({ forwarded }) => forwarded?.length === 1).length === 30;
    });

    expect(idsOf(sink)).toEqual([...expected].sort());
    const { traces, counts } = await decisionsOf(live);
    const kept = traces.filter(({ forwarded }) => forwarded?.[0]?.kept);
    expect(kept.map((one) => one.trace_id).sort()).toEqual([...expected].sort());
    expect(counts).toEqual({ received: 30, open: 0, pending: 0, settled: { evaluated: 30 } });
    const failed = traces.find((one) => one.trace_id === agentTrace(7, 4, 0).traceId);
    expect(failed).toMatchObject({
      close_reason: "root_complete",
      state: "evaluated",
      runs: [{ decision: "evaluated", why: "all", outcomes: ["fail"], matches: [{ how: "wildcard" }] }],
      forwarded: [{ kept: true, why: "outcome" }],
    });
  });

  test("a judge that hangs delays no trace beyond what it may wait", async () => {
    const model = await modelServer(() => "hang");
    const opened = await judgedByModel(model.url);
    onTestFinished(() => opened.close());
    const sink = await backend();
    const live = await start(sink, { maxWaitMs: 1_000, keep: nothing }, opened.by);
    await send(live, whole(1, 1));
    await sink.until(() => sink.spans.length === 2);

    const [decided] = (await decisionsOf(live)).traces;
    expect(decided?.forwarded).toMatchObject([{ kept: true, why: "timeout" }]);
    await expect.poll(() => model.received.length).toBe(1);
    await send(live, agentTrace(7, 1, 3).tools.slice(2));
    await sink.until(() => sink.spans.length === 3);
  });

  test("what comes late goes the way its trace went, which is counted once", async () => {
    const sink = await backend();
    const live = await start(sink, { keep: { ...nothing, outcomes: ["fail"] } });
    const counted = async (): Promise<string[]> =>
      (await metricsOf(live)).split("\n").filter((line) => line.startsWith("tracejury_forward_traces_total"));
    const { root, tools } = agentTrace(7, 1, 3);
    await send(live, [...tools, root]);
    await sink.until(() => sink.spans.length === 4);
    await send(live, [{ ...root, spanId: "00000000000000aa", parentSpanId: root.spanId, name: "late" }]);
    await sink.until(() => sink.spans.length === 5);

    expect(await counted()).toEqual([expect.stringMatching(/decision="kept",reason="outcome"} 1$/)]);
  });

  test("what belongs to no trace goes on at once", async () => {
    const raw = await httpBackend();
    const live = await start(raw, {});
    const [span] = whole(1, 0);
    if (span === undefined) throw new Error("no span");
    const stray = { ...span, traceId: "0".repeat(32) };
    await send(live, [stray, span], "json");
    await raw.came(2);
    expect(raw.got[0]?.body.toString()).toBe(Buffer.from(requestAsJson([stray])).toString());
    const judged = raw.got[1]?.body.toString() ?? "";
    expect(JSON.parse(judged).resourceSpans[0].scopeSpans[0].spans).toMatchObject([
      { traceId: span.traceId, events: [{ name: "gen_ai.evaluation.result" }, {}, {}, {}, {}, {}] },
    ]);
  });

  test("a crash loses nothing that waited, and sends nothing twice that went", async () => {
    const first = temporaryFolder();
    const sink = await backend();
    const live = await start(sink, {}, { dataDir: first });
    await send(live, [...whole(1, 1), ...agentTrace(7, 2, 2).tools]);
    await sink.until(() => idsOf(sink).length === 1);
    await until(async () => (await journalPast(first)).forwarded.length === 1);
    await until(async () => (await queuedRecords(first, "forward")) === 0);
    const again = await start(sink, {}, { dataDir: killed(first) });
    await send(again, [agentTrace(7, 2, 2).root]);
    await sink.until(() => sink.spans.length >= 5);
    const ofSecond = sink.spans.filter(({ traceId }) => traceId === agentTrace(7, 2, 0).traceId);
    expect(ofSecond).toHaveLength(3);
    expect(sink.spans).toHaveLength(5);
  });
});
