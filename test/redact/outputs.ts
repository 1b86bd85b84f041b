import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { LONGEST_WAIT_MS, until } from "../support/eventually.ts";
import { serve } from "../support/serve.ts";
import { StoppedClock } from "../support/stopped-clock.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { detectors } from "../../src/support/redact/detectors/detectors.ts";
import { formats } from "../../src/report/render/formats/format-names.ts";
import type { RedactionSettings } from "../../src/support/redact/redactor.ts";
import { securityDefaults } from "../../src/support/security/settings.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { runCli } from "../support/run-cli.ts";
import { startWebhookSink } from "../support/webhook-sink.ts";
import { destinationDefaults, webhookDefaults } from "../support/settings-defaults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The settings of redaction that the outputs below are made with. */
export const redact: RedactionSettings = {
  keys: ["*password*"],
  patterns: [{ pattern: String.raw`CUST-\d+`, replacement: "[customer]" }],
  detectors,
};

/** Two texts that the spec asks for: a check that fails prints them. */
interface Asked {
  readonly wanted: string;
  readonly forbidden: string;
}

export interface ServedOutputs {
  /** Everything that left the process or was written, in one text. */
  readonly everywhere: string;
  readonly verdicts: number;
  readonly files: number;
  /** Length of what each backend received. */
  readonly sent: readonly number[];
}

const text = (value: string) => ({ stringValue: value });

/** An agent whose every text holds secrets. */
function message(all: readonly string[]): object {
  const id = { traceId: "0af7651916cd43dd8448eb211c80319c" };
  const times = { startTimeUnixNano: "1700000000000000000", endTimeUnixNano: "1700000001000000000" };
  const attributes = all.map((canary, i) => ({ key: `k${i}`, value: text(canary) }));
  const messages = (role: string) =>
    text(JSON.stringify([{ role, parts: [{ type: "text", content: `${role}: ${all.join("\n")}` }] }]));
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
    status: { code: 2, message: all.join("\n") },
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
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: scopeOf(all), spans: [root, tool] }] }] };
}

/** Log records with secrets in body and attributes. */
function logRecords(all: readonly string[]): object {
  const record = {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    timeUnixNano: "1700000000500000000",
    body: text(all.join("\n")),
    attributes: all.map((canary, i) => ({ key: `k${i}`, value: text(canary) })),
  };
  return { resourceLogs: [{ scopeLogs: [{ scope: scopeOf(all), logRecords: [record] }] }] };
}

/** A scope with a text in every field. */
function scopeOf(all: readonly string[]): object {
  return { name: all[0], version: all[1], attributes: [{ key: "k", value: text(all[2] ?? "") }] };
}

function specOf({ wanted, forbidden }: Asked): string {
  const correctness = { expected_in_answer: [wanted, "not there"], not_in_answer: [forbidden] };
  const query = { query: "*", correctness, path: { expected_tools: ["refund"] } };
  return JSON.stringify({ version: 1, agent: "shop", queries: [query] });
}

/** Serves one agent run whose every text is one of these, and gathers what is stored, answered, exported and logged. */
export async function servedOutputs(all: readonly string[], asked: Asked): Promise<ServedOutputs> {
  const folder = temporaryFolder();
  const [hook, backend] = [await startWebhookSink(), await startOtlpSink()];
  try {
    return await outputsIn(folder, all, asked, hook, backend);
  } finally {
    await hook.close();
    await backend.close();
  }
}

async function outputsIn(
  folder: string,
  all: readonly string[],
  asked: Asked,
  hook: Awaited<ReturnType<typeof startWebhookSink>>,
  backend: Awaited<ReturnType<typeof startOtlpSink>>,
): Promise<ServedOutputs> {
  const loaded = loadSpec(
    { file: "shop.yaml", text: specOf(asked), realPath: "shop.yaml" },
    { checks, reader: { read: () => ({ ok: false, reason: "none" }) } },
  );
  const said: string[] = [];
  const clock = new StoppedClock();
  const live = await serve({
    specs: loaded.ok ? [loaded.spec] : [],
    log: createLog({ level: "trace", format: "json", stream: { write: (line) => said.push(line) } }),
    timeouts: { rootQuietMs: 300, rootOpenMs: 300 },
    now: clock.now,
    export: {
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
    redact,
    store: {
      mode: "sqlite",
      path: join(folder, "store.db"),
      telemetry: true,
      retention: { maxAgeMs: 1e12, maxBytes: 1e12 },
      perSecond: 100,
    },
  });
  const headers = { "content-type": "application/json" };
  const send = (path: string, body: object): Promise<Response> =>
    fetch(`http://${live.listening.http}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  await send("v1/traces", message(all));
  await send("v1/logs", logRecords(all));
  clock.start();
  const api = async (path: string) => (await fetch(`http://${live.listening.admin}/${path}`)).text();
  await until(async () => (await api("api/v1/verdicts")).includes("verdict_id"));
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
      "api/v1/problems",
      "api/v1/unjudged",
      "api/v1/decisions",
      "api/v1/status",
      "api/v1/doctor",
      "metrics",
      "",
    ].map(api),
  );
  await live.stop(LONGEST_WAIT_MS);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  const sent = [hook.requests, backend.logs, backend.spans, backend.metrics].map((one) =>
    inspect(one, { depth: null, maxStringLength: null, maxArrayLength: null }),
  );
  return {
    everywhere: [...answers, ...files, ...said, ...sent].join("\n"),
    verdicts: verdicts.length,
    files: files.length,
    sent: sent.map((one) => one.length),
  };
}

/** What `test` prints and writes about such a run, in every format. */
export async function reportedOutputs(all: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const dump = file("dump.jsonl", `${JSON.stringify(message(all))}\n${JSON.stringify(logRecords(all))}\n`);
  const outputs = formats.flatMap((format) => ["--output", `${format}=${join(folder, `report.${format}`)}`]);
  const config = file("config.yaml", JSON.stringify({ redact }));
  const specFile = file("shop.yaml", specOf({ wanted: "nothing", forbidden: "nowhere" }));
  const words = ["test", dump, "--spec", specFile, "--config", config, "--judge", "off", ...outputs];
  const ran = await runCli(...words);
  const reports = formats.map((format) => readFileSync(join(folder, `report.${format}`), "utf8"));
  return [ran.stdout, ran.stderr, ...reports].join("\n");
}
