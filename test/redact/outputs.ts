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
import { agentSpan, inputMessages, outputMessages, toolSpan, words } from "../support/genai.ts";
import { document, event, log, logDocument, span } from "../support/otlp.ts";
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

const named = (all: readonly string[]): Record<string, string> =>
  Object.fromEntries(all.map((canary, at) => [`k${at}`, canary]));

/** An agent whose every text holds secrets. */
function message(all: readonly string[]): object {
  const [attributes, together] = [named(all), all.join("\n")];
  const asked = inputMessages(words("user", `user: ${together}`));
  const said = outputMessages(words("assistant", `assistant: ${together}`));
  const link = span("t", undefined, "", 0, 0, attributes);
  const root = agentSpan(
    "r",
    undefined,
    "shop",
    0,
    1000,
    { ...asked, ...said, ...attributes },
    {
      events: [event("e", attributes)],
      links: [{ traceId: link["traceId"], spanId: link["spanId"], attributes: link["attributes"] }],
      status: { code: 2, message: together },
    },
  );
  const tool = toolSpan("t", "r", "pay", 0, {
    "gen_ai.tool.call.arguments": JSON.stringify({ password: "hunter22", to: all }),
    "gen_ai.tool.call.result": together,
  });
  return scoped(document([root, tool], { resource: { "service.name": "shop", ...attributes } }), all);
}

/** Log records with secrets in body and attributes. */
function logRecords(all: readonly string[]): object {
  return scoped(logDocument([log("r", undefined, all.join("\n"), named(all), 500)]), all);
}

/** The document with a text in every field of its scopes. */
function scoped(sent: object, all: readonly string[]): object {
  const attributes = [{ key: "k", value: { stringValue: all[2] ?? "" } }];
  const scope = { name: all[0], version: all[1], attributes };
  return JSON.parse(JSON.stringify(sent), (key, value: unknown) =>
    key === "scope" ? scope : value,
  ) as object;
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
