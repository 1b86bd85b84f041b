import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { redactedJudges } from "../../src/cli/engine/redaction.ts";
import { defaultPatience } from "../../src/assemble/patience.ts";
import { startLive } from "../../src/cli/serve/live.ts";
import type { JudgeRequest } from "../../src/evaluate/judge/port.ts";
import { destinationDefaults, exportDefaults, webhookDefaults } from "../../src/export/settings.ts";
import { securityDefaults } from "../../src/security/settings.ts";
import { detectors } from "../../src/redact/detectors.ts";
import { Redactor } from "../../src/redact/redactor.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { checks } from "../../src/evaluate/registry.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { runCli } from "../support/run-cli.ts";
import { startWebhookSink } from "../support/webhook-sink.ts";
import { canaries } from "./canaries.ts";

const redact = {
  keys: ["*password*"],
  patterns: [{ pattern: String.raw`CUST-\d+`, replacement: "[customer]" }],
  detectors,
};
const all = canaries();
const text = (value: string) => ({ stringValue: value });

/** An agent whose every text holds secrets. */
function message(): object {
  const id = { traceId: "0af7651916cd43dd8448eb211c80319c" };
  const times = { startTimeUnixNano: "1700000000000000000", endTimeUnixNano: "1700000001000000000" };
  const attributes = all.map((canary, i) => ({ key: `k${i}`, value: text(canary) }));
  const messages = (role: string) =>
    text(JSON.stringify([{ role, parts: [{ type: "text", content: `${role}: ${all.join(" ")}` }] }]));
  const root = {
    ...id,
    ...times,
    spanId: "b7ad6b7169203331",
    name: "invoke_agent shop",
    attributes: [
      { key: "gen_ai.operation.name", value: text("invoke_agent") },
      { key: "gen_ai.agent.name", value: text("shop") },
      { key: "gen_ai.input.messages", value: messages("user") },
      { key: "gen_ai.output.messages", value: messages("assistant") },
      ...attributes,
    ],
    events: [{ name: "e", timeUnixNano: times.startTimeUnixNano, attributes }],
    links: [{ ...id, spanId: "b7ad6b7169203332", attributes }],
    status: { code: 2, message: all.join(" ") },
  };
  const tool = {
    ...id,
    ...times,
    spanId: "b7ad6b7169203332",
    parentSpanId: root.spanId,
    name: "execute_tool pay",
    attributes: [
      { key: "gen_ai.operation.name", value: text("execute_tool") },
      { key: "gen_ai.tool.name", value: text("pay") },
      { key: "gen_ai.tool.call.arguments", value: text(JSON.stringify({ password: "hunter22", to: all })) },
      { key: "gen_ai.tool.call.result", value: text(all.join("\n")) },
    ],
  };
  const resource = { attributes: [{ key: "service.name", value: text("shop") }, ...attributes] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "s" }, spans: [root, tool] }] }] };
}

const spec = `
version: 1
agent: shop
queries:
  - query: "*"
    correctness: { expected_in_answer: ["${all[3]}", "not there"], not_in_answer: ["${all[60]}"] }
    path: { expected_tools: [refund] }
`;

/** Log records with secrets in body and attributes. */
function logRecords(): object {
  const record = {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    timeUnixNano: "1700000000500000000",
    body: text(all.join(" ")),
    attributes: all.map((canary, i) => ({ key: `k${i}`, value: text(canary) })),
  };
  return { resourceLogs: [{ scopeLogs: [{ scope: { name: "s" }, logRecords: [record] }] }] };
}

test("no canary reaches the store, the API, an exported verdict or our log", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-redact-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [hook, backend] = [await startWebhookSink(), await startOtlpSink()];
  onTestFinished(async () => {
    await hook.close();
    await backend.close();
  });
  const loaded = loadSpec(
    { file: "shop.yaml", text: spec, realPath: "shop.yaml" },
    { checks, reader: { read: () => ({ ok: false, reason: "none" }) } },
  );
  const said: string[] = [];
  const live = await startLive({
    specs: loaded.ok ? [loaded.spec] : [],
    unasked: { judge: "off" },
    log: createLog({ level: "trace", format: "json", stream: { write: (line) => said.push(line) } }),
    settings: {
      http: "127.0.0.1:0",
      grpc: "off",
      admin: "127.0.0.1:0",
      maxBody: 2 ** 26,
      patience: { ...defaultPatience, rootQuietMs: 300, rootOpenMs: 300 },
      export: {
        ...exportDefaults,
        file: join(folder, "verdicts.jsonl"),
        otlp: [{ ...destinationDefaults, endpoint: backend.endpoint }],
        webhook: [
          { ...webhookDefaults, url: `${hook.url}/json` },
          { ...webhookDefaults, url: `${hook.url}/slack`, format: "slack" },
          { ...webhookDefaults, url: "http://127.0.0.1:9/dead" },
        ],
        content: true,
      },
      outputQueues: { dir: join(folder, "export"), sync: false, mayYield: false },
      security: { ...securityDefaults, allowedNetworks: ["127.0.0.1"] },
      attributes: ["k3", "k60"],
      prices: {},
      otelcolNames: false,
      redact,
      store: {
        mode: "sqlite",
        path: join(folder, "store.db"),
        telemetry: true,
        retention: { maxAgeMs: 1e12, maxBytes: 1e12 },
        perSecond: 100,
      },
    },
  });
  onTestFinished(() => live.stop(1_000));
  const headers = { "content-type": "application/json" };
  const send = (path: string, body: object): Promise<Response> =>
    fetch(`http://${live.listening.http}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  await send("v1/traces", message());
  await send("v1/logs", logRecords());
  const api = async (path: string) => (await fetch(`http://${live.listening.admin}/${path}`)).text();
  await expect.poll(() => api("api/v1/verdicts"), { timeout: 10_000 }).toContain("verdict_id");
  const { verdicts } = JSON.parse(await api("api/v1/verdicts")) as {
    verdicts: { run_id: string; outcome: string }[];
  };
  const id = verdicts[0]?.run_id ?? "";
  const answers = await Promise.all(
    [
      "api/v1/verdicts",
      `api/v1/runs/${id}`,
      `api/v1/runs/${id}/spans`,
      `api/v1/runs/${id}/telemetry`,
      "api/v1/runs",
      "api/v1/queries",
      "api/v1/unjudged",
      "api/v1/decisions",
      "api/v1/status",
      "api/v1/doctor",
      "metrics",
      "",
    ].map(api),
  );
  await live.stop(2_000);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  const sent = [hook.requests, backend.logs, backend.spans, backend.metrics].map((one) =>
    inspect(one, { depth: null, maxStringLength: null, maxArrayLength: null }),
  );
  const everywhere = [...answers, ...files, ...said, ...sent].join("\n");

  expect(verdicts).toHaveLength(1);
  expect(files.length).toBeGreaterThan(3);
  expect(sent.map((one) => one.length > 200)).toEqual([true, true, true, true]);
  for (const words of ["[customer]", "[key]", "[email]", "[card]"]) expect(everywhere).toContain(words);
  expect(everywhere).not.toContain("hunter22");
  expect(all.filter((canary) => everywhere.includes(canary))).toEqual([]);
});

test("no canary is in a report of recorded runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-reports-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const dump = file("dump.jsonl", `${JSON.stringify(message())}\n${JSON.stringify(logRecords())}\n`);
  const formats = ["json", "junit", "markdown", "html", "csv", "gitlab", "sarif", "github", "prometheus"];
  const outputs = formats.flatMap((format) => ["--output", `${format}=${join(folder, `report.${format}`)}`]);
  const config = file("config.yaml", JSON.stringify({ redact }));
  const specFile = file("shop.yaml", spec.replace(all[3] ?? "", "nothing").replace(all[60] ?? "", "nowhere"));
  const words = ["test", dump, "--spec", specFile, "--config", config, "--judge", "off", ...outputs];
  const ran = await runCli(...words);
  const reports = formats.map((format) => readFileSync(join(folder, `report.${format}`), "utf8"));
  const everywhere = [ran.stdout, ran.stderr, ...reports].join("\n");

  expect(everywhere).toContain("expected_in_answer");
  expect(all.filter((canary) => everywhere.includes(canary))).toEqual([]);
});

test("judges are shown none either", async () => {
  const seen: JudgeRequest[] = [];
  const port = redactedJudges(
    {
      ask: (request) => {
        seen.push(request);
        return Promise.resolve({
          ok: true,
          json: {},
          usage: { input: 1, output: 1, cached: null },
          durationMs: 1,
          cached: false,
          cutOff: false,
        });
      },
      unavailable: () => null,
    },
    new Redactor(redact),
  );
  await port.ask({ user: all.join("\n"), system: all.join(" "), model: "m" } as JudgeRequest);
  const shown = `${seen[0]?.user}${seen[0]?.system}`;
  expect(shown).toContain("[customer]");
  expect(all.filter((canary) => shown.includes(canary))).toEqual([]);
});
