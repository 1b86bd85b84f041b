import { mkdirSync, rmdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { verdictFile, verdictLines } from "../support/data-folder.ts";
import { until } from "../support/eventually.ts";
import { postSpans, serve } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { securityDefaults } from "../../src/support/security/settings.ts";
import { agentTrace } from "../chaos/agent-trace.ts";
import { type OtlpSink, startOtlpSink } from "../support/otlp-sink.ts";
import { chaosSpec } from "../support/spec-of.ts";
import { startWebhookSink, type WebhookSink } from "../support/webhook-sink.ts";
import { destinationDefaults, webhookDefaults } from "../support/settings-defaults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const lives: Collector[] = [];
const data = temporaryFolder();
let hook: WebhookSink;
let backend: OtlpSink;

afterEach(async () => {
  for (const live of lives.splice(0)) await live.stop(2_000);
  await hook.close();
  await backend.close();
});

/** @param timeoutMs of each request to an output */
async function start(timeoutMs: number): Promise<Collector> {
  const live = await serve({
    specs: [chaosSpec()],
    timeouts: { rootQuietMs: 50, rootOpenMs: 100, lateWindowMs: 300 },
    export: {
      file: verdictFile(data),
      otlp: [{ ...destinationDefaults, endpoint: backend.endpoint, signals: ["logs"], timeoutMs }],
      webhook: [{ ...webhookDefaults, url: `${hook.url}/verdicts`, maxDelayMs: 20, timeoutMs }],
    },
    security: { ...securityDefaults, allowedNetworks: ["127.0.0.1"] },
    dataDir: data,
  });
  lives.push(live);
  return live;
}

async function send(live: Collector, from: number, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = from; n < from + count; n++) {
    const trace = agentTrace(1, n, 2);
    expect(await postSpans(live, [trace.root, ...trace.tools])).toBe(200);
    ids.push(trace.root.traceId);
  }
  return ids.sort();
}

async function metricsOf(live: Collector): Promise<string> {
  return (await fetch(`http://${live.listening.admin}/metrics`)).text();
}

/** Of each exporter, in what was read at one moment. */
function sums(metrics: string, name: string): Map<string, number> {
  const lines = metrics.split("\n").filter((line) => line.startsWith(`tracejury_exporter_${name}`));
  return lines.reduce((found, line) => {
    const exporter = /exporter="(\w+)"/.exec(line)?.[1] ?? "";
    return found.set(exporter, (found.get(exporter) ?? 0) + Number(line.split(" ").at(-1)));
  }, new Map<string, number>());
}

/** Nothing is lost without being counted. */
async function balanced(live: Collector): Promise<void> {
  const metrics = await metricsOf(live);
  for (const exporter of ["file", "webhook"]) {
    const of = (name: string): number => sums(metrics, name).get(exporter) ?? 0;
    const outgoing = of("sent_total") + of("dropped_total") + of("queue_records");
    expect(of("taken_total") + of("recovered_total")).toBe(outgoing);
    expect(of("dropped_total")).toBe(0);
  }
}

const written = (): string[] =>
  verdictLines(data)
    .map((line) => (JSON.parse(line) as { trace_id: string }).trace_id)
    .sort();
const posted = (): string[] => [
  ...new Set(
    hook.accepted
      .flatMap(({ body }) => (JSON.parse(body) as { verdicts: { trace_id: string }[] }).verdicts)
      .map((one) => one.trace_id)
      .sort(),
  ),
];

test("outputs that are dead, hang or cannot be written hold up nothing; what they missed is sent later, also by the next process", async () => {
  hook = await startWebhookSink();
  backend = await startOtlpSink();
  hook.status = "hang";
  backend.answer = () => ({ status: 503 });
  mkdirSync(verdictFile(data));

  const first = await start(300);
  const before = await send(first, 0, 20);
  await until(async () => sums(await metricsOf(first), "spilled_total").size === 3);
  await balanced(first);
  lives.splice(0);
  // The webhook never answers and the backend never takes anything: only a stop that gives up on them ends.
  await first.stop(600_000);

  hook.status = 200;
  backend.answer = () => ({ status: 200 });
  rmdirSync(verdictFile(data));
  const second = await start(600_000);
  const after = await send(second, 20, 5);
  const all = [...before, ...after].sort();
  await until(async () => {
    const waiting = sums(await metricsOf(second), "queue_records");
    return posted().length === 25 && [...waiting.values()].every((records) => records === 0);
  });
  await balanced(second);

  expect(written()).toEqual(all);
  expect(posted()).toEqual(all);
  expect([...new Set(backend.logs.map((log) => log.traceId))].sort()).toEqual(all);
});
