import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { post, serve } from "../support/serve.ts";
import { openJudgedBy } from "../../src/collector/evaluation/judged-by.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { loadConfig } from "../../src/config/load.ts";
import { webhookDefaults } from "../../src/export/settings.ts";
import { openOwnTraces, type OwnTracesSettings } from "../../src/support/telemetry/traces/own-traces.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { specOf } from "../support/spec-of.ts";
import { startWebhookSink } from "../support/webhook-sink.ts";

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly links?: readonly { readonly traceId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Sent {
  readonly scope: string;
  readonly span: SentSpan;
}

/** `bodies` are the requests as they came. */
async function startBackend(): Promise<{ endpoint: string; sent: Sent[]; bodies: string[] }> {
  const sent: Sent[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const text = (await buffer(request)).toString();
      bodies.push(text);
      const body = JSON.parse(text) as {
        resourceSpans: { scopeSpans: { scope: { name: string }; spans: SentSpan[] }[] }[];
      };
      for (const { scope, spans } of body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
        sent.push(...spans.map((span) => ({ scope: scope.name, span })));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, bodies };
}

const agentTrace =
  readFileSync("test/fixtures/runs/rag-install.langgraph.jsonl", "utf8").split("\n")[0] ?? "";

/** Sends requests to a collector whose judge is of that name, and stops it. */
async function run(
  traces: OwnTracesSettings | null,
  webhook: string,
  { bodies = [agentTrace], judge = "judge-1" }: { bodies?: readonly string[]; judge?: string } = {},
): Promise<void> {
  const model = await modelServer(() => completion({ score: 5, label: "pass", rationale: "r" }));
  const env = { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: `${model.url}/v1` };
  const loaded = loadConfig({ files: [], set: [], env, reader: fileReader });
  if (!loaded.ok) throw new Error("no configuration");
  const specs = [
    specOf(`agent: "*"
judge_config: { model: openai/${judge} }
queries: [{ query: "*", correctness: { llm_judge: [{ rule: It is kind. }] } }]
`),
  ];
  const opened = await openJudgedBy(loaded.config, specs, env);
  const live = await serve({
    ...opened.by,
    export: { webhook: [{ ...webhookDefaults, url: webhook }] },
    security: { ...loaded.config.security, allowedNetworks: ["127.0.0.1"] },
    traces,
  });
  for (const body of bodies) expect(await post(live, body)).toBe(200);
  await live.stop(30_000); // a busy machine
  await opened.close();
}

test("evaluations, requests to judges and deliveries are spans of our scope, linked to what was judged", async () => {
  const backend = await startBackend();
  const sink = await startWebhookSink();
  onTestFinished(() => sink.close());
  await run({ endpoint: backend.endpoint, headers: {}, sample: 1 }, `${sink.url}/hook`);
  const byName = new Map(backend.sent.map(({ span }) => [span.name, span]));
  expect([...byName.keys()].sort()).toEqual(["chat openai/judge-1", "evaluate", "export webhook"]);
  expect(new Set(backend.sent.map(({ scope }) => scope))).toEqual(new Set(["tracejury"]));
  const [evaluate, chat, webhook] = ["evaluate", "chat openai/judge-1", "export webhook"].map((name) =>
    byName.get(name),
  );
  expect(chat).toMatchObject({ parentSpanId: evaluate?.spanId, traceId: evaluate?.traceId, kind: 3 });
  const attributes = new Map(chat?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  expect(Object.fromEntries(attributes)).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "openai/judge-1",
    "gen_ai.usage.input_tokens": 120,
    "gen_ai.usage.output_tokens": 30,
  });
  const verdicts = JSON.parse(sink.accepted[0]?.body ?? "") as { verdicts: { trace_id: string }[] };
  expect(evaluate?.links?.map(({ traceId }) => traceId)).toEqual([verdicts.verdicts[0]?.trace_id]);
  expect(webhook?.kind).toBe(3);
});

test("a request to a judge with a price says what it cost", async () => {
  const backend = await startBackend();
  const sink = await startWebhookSink();
  onTestFinished(() => sink.close());
  const traces = { endpoint: backend.endpoint, headers: {}, sample: 1 };
  await run(traces, `${sink.url}/hook`, { judge: "gpt-4o-mini" });
  const chat = backend.sent.find(({ span }) => span.name === "chat openai/gpt-4o-mini");
  const cost = chat?.span.attributes.find(({ key }) => key === "tracejury.judge.cost");
  // 20 tokens in at 0.15 $, 100 from the cache at half of it, and 30 out at 0.60 $ a million.
  expect(cost?.value["doubleValue"]).toBeCloseTo((20 * 0.15 + 100 * 0.075 + 30 * 0.6) / 1e6, 12);
});

test("sent back to a collector they are never evaluated, beside a run that is", async () => {
  const backend = await startBackend();
  const first = await startWebhookSink();
  const second = await startWebhookSink();
  onTestFinished(() => void first.close());
  onTestFinished(() => void second.close());
  await run({ endpoint: backend.endpoint, headers: {}, sample: 1 }, `${first.url}/hook`);
  expect(backend.sent.map(({ span }) => span.name)).toContain("chat openai/judge-1");
  const own = backend.bodies;
  await run(null, `${second.url}/own`, { bodies: own });
  expect(second.accepted).toEqual([]);
  // It is their scope alone that keeps them out.
  const renamed = own.map((body) =>
    body.replaceAll('"scope":{"name":"tracejury"', '"scope":{"name":"other"'),
  );
  await run(null, `${first.url}/hook`, { bodies: renamed });
  expect(first.accepted.length).toBe(2);
  await run(null, `${second.url}/both`, { bodies: [...own, agentTrace] });
  const judged = second.accepted.flatMap(
    ({ body }) => (JSON.parse(body) as { verdicts: { trace_id: string }[] }).verdicts,
  );
  const ownIds = new Set(backend.sent.map(({ span }) => span.traceId));
  expect(judged.map(({ trace_id: id }) => ownIds.has(id))).toEqual([false]);
});

test("with sample 0 nothing is sent", async () => {
  const backend = await startBackend();
  const sink = await startWebhookSink();
  onTestFinished(() => sink.close());
  await run({ endpoint: backend.endpoint, headers: {}, sample: 0 }, `${sink.url}/hook`);
  expect(sink.accepted.length).toBe(1);
  expect(backend.sent).toEqual([]);
});

test("an attempt that failed says why; our own listener is refused", async () => {
  const backend = await startBackend();
  const settings = { endpoint: backend.endpoint, headers: {}, sample: 1 };
  const traces = await openOwnTraces(settings, { "service.name": "tracejury" }, []);
  traces.attempt({
    name: "kafka commit",
    kind: "client",
    startUnixMs: 1000,
    endUnixMs: 2000,
    attributes: { "tracejury.partitions": 2 },
    error: "no leader",
  });
  await traces.close(5000);
  expect(backend.sent.map(({ span }) => [span.name, span.status])).toEqual([
    ["kafka commit", { code: 2, message: "no leader" }],
  ]);
  const port = new URL(backend.endpoint).host;
  await expect(openOwnTraces(settings, {}, [port])).rejects.toThrow("telemetry.traces.endpoint");
});
