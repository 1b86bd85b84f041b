import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { post, serve } from "../support/serve.ts";
import { openOwnTraces, type OwnTracesSettings } from "../../src/support/telemetry/traces/own-traces.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { type OtlpSink, startOtlpSink } from "../support/otlp-sink.ts";
import { securityDefaults } from "../../src/support/security/settings.ts";
import { judgedByModel } from "../support/judged-by-model.ts";
import { startWebhookSink, type WebhookSink } from "../support/webhook-sink.ts";
import { webhookDefaults } from "../support/settings-defaults.ts";

/** Settings that send everything to that address. */
function everything(endpoint: string, more: Partial<OwnTracesSettings> = {}): OwnTracesSettings {
  return { endpoint, headers: {}, protocol: "http/protobuf", sample: 1, ...more };
}

async function startBackend(): Promise<OtlpSink> {
  const sink = await startOtlpSink();
  onTestFinished(() => sink.close());
  return sink;
}

async function startWebhook(): Promise<WebhookSink> {
  const sink = await startWebhookSink();
  onTestFinished(() => sink.close());
  return sink;
}

const agentTrace =
  readFileSync("test/fixtures/runs/rag-install.langgraph.jsonl", "utf8").split("\n")[0] ?? "";

/** Sends requests to a collector whose judge is of that name, and stops it. */
async function run(
  traces: OwnTracesSettings | null,
  webhook: string,
  {
    bodies = [agentTrace],
    judge = "judge-1",
  }: { bodies?: readonly (string | Uint8Array)[]; judge?: string } = {},
): Promise<void> {
  const model = await modelServer(() => completion({ score: 5, label: "pass", rationale: "r" }));
  const opened = await judgedByModel(model.url, judge);
  const live = await serve({
    ...opened.by,
    export: { webhook: [{ ...webhookDefaults, url: webhook }] },
    security: { ...securityDefaults, allowedNetworks: ["127.0.0.1"] },
    traces,
  });
  for (const body of bodies) expect(await post(live, body)).toBe(200);
  await live.stop(60_000);
  await opened.close();
}

test("evaluations, requests to judges and deliveries are spans of our scope, linked to what was judged", async () => {
  const backend = await startBackend();
  const sink = await startWebhook();
  await run(everything(backend.endpoint), `${sink.url}/hook`, { judge: "gpt-4o-mini" });
  const byName = new Map(backend.spans.map((span) => [span.name, span]));
  expect([...byName.keys()].sort()).toEqual(["chat gpt-4o-mini", "evaluate", "export webhook"]);
  expect(new Set(backend.spans.map(({ scope }) => scope.name))).toEqual(new Set(["tracejury"]));
  const [evaluate, chat, webhook] = ["evaluate", "chat gpt-4o-mini", "export webhook"].map((name) =>
    byName.get(name),
  );
  expect(evaluate?.attributes).toMatchObject({ "openinference.span.kind": "EVALUATOR" });
  expect(chat).toMatchObject({ parentSpanId: evaluate?.spanId, traceId: evaluate?.traceId, kind: 3 });
  expect(chat?.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-4o-mini",
    "gen_ai.usage.input_tokens": 120n,
    "gen_ai.usage.output_tokens": 30n,
    "gen_ai.usage.cache_read.input_tokens": 100n,
  });
  // 20 tokens in at 0.15 $, 100 from the cache at half of it, and 30 out at 0.60 $ a million.
  const costUsd = (20 * 0.15 + 100 * 0.075 + 30 * 0.6) / 1e6;
  expect(chat?.attributes["tracejury.judge.cost"]).toBeCloseTo(costUsd, 12);
  const verdicts = JSON.parse(sink.accepted[0]?.body ?? "") as { verdicts: { trace_id: string }[] };
  expect(evaluate?.links?.map(({ traceId }) => traceId)).toEqual([verdicts.verdicts[0]?.trace_id]);
  expect(webhook?.kind).toBe(3);
});

interface SentJson {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly { readonly name: string; readonly traceId: string }[];
    }[];
  }[];
}

test("sent back to a collector they are never evaluated, beside a run that is", async () => {
  const [backend, first, second] = [await startWebhook(), await startWebhook(), await startWebhook()];
  await run(everything(backend.url, { protocol: "http/json" }), `${first.url}/hook`);
  const bodies = backend.accepted.map(({ body }) => body);
  const spans = bodies.flatMap((body) =>
    (JSON.parse(body) as SentJson).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  expect(spans.map(({ name }) => name)).toContain("chat judge-1");
  await run(null, `${second.url}/own`, { bodies });
  expect(second.accepted).toEqual([]);
  // It is their scope alone that keeps them out.
  const renamed = bodies.map((body) =>
    body.replaceAll('"scope":{"name":"tracejury"', '"scope":{"name":"other"'),
  );
  await run(null, `${first.url}/hook`, { bodies: renamed });
  expect(first.accepted.length).toBe(2);
  await run(null, `${second.url}/both`, { bodies: [...bodies, agentTrace] });
  const judged = second.accepted.flatMap(
    ({ body }) => (JSON.parse(body) as { verdicts: { trace_id: string }[] }).verdicts,
  );
  const traceIds = spans.map(({ traceId }) => traceId);
  expect(judged.map(({ trace_id: id }) => traceIds.includes(id))).toEqual([false]);
});

test("with sample 0 nothing is sent", async () => {
  const backend = await startBackend();
  const sink = await startWebhook();
  await run(everything(backend.endpoint, { sample: 0 }), `${sink.url}/hook`);
  expect(sink.accepted.length).toBe(1);
  expect(backend.requests).toEqual([]);
});

test("an attempt that failed says why; our own listener is refused", async () => {
  const backend = await startBackend();
  const settings = everything(backend.endpoint);
  const traces = await openOwnTraces(settings, { "service.name": "tracejury" }, []);
  traces.attempt({
    name: "kafka commit",
    kind: "client",
    startUnixMs: 1000,
    endUnixMs: 2000,
    attributes: { "tracejury.partitions": 2 },
    error: "no leader",
  });
  await traces.close(60_000);
  expect(backend.spans.map((span) => [span.name, span.status])).toEqual([
    ["kafka commit", { code: 2, message: "no leader" }],
  ]);
  const port = new URL(backend.endpoint).host;
  await expect(openOwnTraces(settings, {}, [port])).rejects.toThrow("telemetry.traces.endpoint");
});
