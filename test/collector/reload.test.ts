import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openJudgedBy } from "../../src/collector/evaluation/judged-by.ts";
import type { ConfigReload } from "../../src/collector/settings/options.ts";
import { EvaluationRules } from "../../src/collector/evaluation/rules.ts";
import { Revisions } from "../../src/pipeline/revisions.ts";
import { collectorSettings } from "../../src/collector/settings/settings.ts";
import { startCollectorProcess } from "../../src/collector/collector.ts";
import { type Loaded, ConfigReloader } from "../../src/collector/settings/config-reloader.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { readSpec } from "../../src/config/command-settings.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { until } from "../support/eventually.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import type { Config } from "../../src/config/config.ts";
import { securityDefaults, type SecuritySettings } from "../../src/support/security/settings.ts";
import { agentTrace } from "../chaos/agent-trace.ts";
import { postSpans, serve, type ServeOptions } from "../support/serve.ts";
import { webhookDefaults } from "../support/settings-defaults.ts";
import { chaosSpec } from "../support/spec-of.ts";
import { startWebhookSink } from "../support/webhook-sink.ts";

const specOf = (round: number) => `version: 1
agent: "*"
queries:
  - query: "*"
    correctness: { not_in_answer: ["round-${round}"] }
`;

test("forty changes under load, some of them broken: no request fails, no verdict mixes two specs", async () => {
  const folder = temporaryFolder();
  const file = (name: string, text?: string) => {
    if (text !== undefined) writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const certify = (name: string) => {
    for (const kind of ["pem", "key"]) copyFileSync(`test/fixtures/tls/${name}.${kind}`, file(`tls.${kind}`));
  };
  const configFile = file(
    "c.yaml",
    `data_dir: ${folder}
receive: { http: "127.0.0.1:0", grpc: off }
admin: off
watch: false
assemble: { root_quiet: 0s, root_open: 0s }
journal: { durability: memory }
store: { mode: memory }
security:
  receive_tls: { cert_file: "${file("tls.pem")}", key_file: "${file("tls.key")}" }
  tokens: [{ file: "${file("tokens", "first-token\n")}", scopes: [ingest] }]
`,
  );
  const specFile = file("s.yaml", specOf(0));
  certify("server");
  const load = (): Promise<Loaded> => {
    const loaded = loadConfig({ files: [configFile], set: [], env: {}, reader: fileReader });
    const spec = readSpec(specFile);
    if (!loaded.ok || !spec.ok) return Promise.reject(new Error("invalid"));
    return Promise.resolve({
      config: loaded.config,
      secrets: loaded.secrets,
      specs: [spec.spec],
      files: [configFile, specFile],
      specFolders: [],
    });
  };
  const begun = await load();
  const opened = await openJudgedBy(begun.config, begun.specs, {});
  const log = createLog({ level: "silent", format: "json" });
  const verdicts: Verdict[] = [];
  const live = await startCollectorProcess({
    ...opened.by,
    settings: collectorSettings(begun.config, begun.specs),
    log,
    onJudged: (judged) => verdicts.push(...judged.verdicts),
  });
  const reloader = new ConfigReloader({
    live,
    begun,
    opened,
    load,
    log,
    env: {},
    onSecrets: () => undefined,
  });
  const [hostname, port] = live.listening.http?.split(":") ?? [];
  const statuses: number[] = [];
  const agent = new Agent({ keepAlive: false, ca: readFileSync("test/fixtures/tls/authority.pem") });
  const send = (id: number, token: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const options = { hostname, port, path: "/v1/traces", method: "POST", headers, agent };
      const sent = request(options, (answer) => {
        statuses.push(answer.statusCode ?? 0);
        answer.resume();
        answer.on("end", resolve);
      });
      sent.on("error", reject);
      sent.end(JSON.stringify(trace(id)));
    });

  const hashes = new Map([[begun.specs[0]?.hash, 0]]);
  let token = "first-token";
  for (let round = 1; round <= 40; round++) {
    const broken = round % 7 === 0;
    file("s.yaml", broken ? "version: 1\nqueries: [" : specOf(round));
    certify(round % 2 === 0 ? "server" : "renewed");
    if (round % 10 === 0) file("tokens", `${token}\ntoken-${round}\n`);
    const before = send(2 * round, token);
    const reloaded = reloader.now("test");
    await Promise.all([before, send(2 * round + 1, token), reloaded]);
    if (!broken) hashes.set((await load()).specs[0]?.hash, round);
    if (round % 10 === 0) token = `token-${round}`;
    // However fast the rounds are, those of each token are judged by specs of their own.
    if (round % 10 === 0) await until(() => verdicts.length === statuses.length);
  }
  await live.stop(60_000);
  await reloader.close();

  expect(statuses).toEqual(Array.from({ length: 80 }, () => 200));
  expect(verdicts).toHaveLength(80);
  const mixed = verdicts.filter((verdict) => {
    const round = hashes.get(verdict.provenance.specHash);
    const [, check] = verdict.layers.correctness.checks;
    return round === undefined || !JSON.stringify(check?.limit).includes(`"round-${round}"`);
  });
  expect(mixed).toEqual([]);
  expect(new Set(verdicts.map(({ provenance }) => provenance.specHash)).size).toBeGreaterThan(3);
});

/** A finished agent of its own trace. */
function trace(id: number): object {
  const text = (value: string) => ({ stringValue: value });
  const messages = (role: string, content: string) =>
    text(JSON.stringify([{ role, parts: [{ type: "text", content }] }]));
  const span = {
    traceId: (id + 1).toString(16).padStart(32, "0"),
    spanId: (id + 1).toString(16).padStart(16, "0"),
    name: "invoke_agent a",
    startTimeUnixNano: "1700000000000000000",
    endTimeUnixNano: "1700000001000000000",
    attributes: [
      { key: "gen_ai.operation.name", value: text("invoke_agent") },
      { key: "gen_ai.agent.name", value: text("a") },
      { key: "gen_ai.input.messages", value: messages("user", "what?") },
      { key: "gen_ai.output.messages", value: messages("assistant", "that") },
    ],
  };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}

test("a reload applies the sampling, and names what needs a restart as the configuration does", async () => {
  const folder = temporaryFolder();
  const configFile = join(folder, "c.yaml");
  const load = (): Promise<Loaded> => {
    const loaded = loadConfig({ files: [configFile], set: [], env: {}, reader: fileReader });
    if (!loaded.ok) return Promise.reject(new Error("invalid"));
    const { config, secrets } = loaded;
    return Promise.resolve({ config, secrets, specs: [], files: [configFile], specFolders: [] });
  };
  writeFileSync(configFile, "watch: false\n");
  const begun = await load();
  const opened = await openJudgedBy(begun.config, begun.specs, {});
  const lines: string[] = [];
  const log = createLog({ level: "warn", format: "json", stream: { write: (line) => lines.push(line) } });
  const settings = collectorSettings(begun.config, begun.specs);
  const rules = new EvaluationRules({ ...opened.by, settings, log }, new Revisions(), () => undefined);
  const live = {
    prepare: (to: ConfigReload) => rules.prepare(to),
    whenJudged: () => Promise.resolve(),
    noteReload: () => undefined,
    securityFiles: [],
  };
  const reloader = new ConfigReloader({
    live,
    begun,
    opened,
    load,
    log,
    env: {},
    onSecrets: () => undefined,
  });
  const sections = async (config: string): Promise<unknown> => {
    lines.length = 0;
    writeFileSync(configFile, `watch: false\n${config}`);
    expect(await reloader.now("test")).toMatchObject({ ok: true });
    return lines.flatMap((line) => (JSON.parse(line) as { sections?: unknown }).sections ?? []);
  };
  expect(rules.sampling.rate).toBe(1);
  expect(await sections("sampling: { rate: 0.25 }")).toEqual([]);
  expect(rules.sampling.rate).toBe(0.25);
  expect(
    await sections(
      "stop_timeout: 1s\nchanges: { every: 1h }\nassemble: { conversation_idle: 1m }\nreceivers: { models: {} }",
    ),
  ).toEqual(["receivers.models", "stop_timeout", "assemble.conversation_idle", "changes"]);
  expect(rules.sampling.rate).toBe(1);
  await reloader.close();
});

describe("a reload applies the keys of security:", () => {
  const reloadedTo = async (live: Collector, to: Partial<SecuritySettings>): Promise<void> => {
    const settings = { ...collectorSettings(begunConfig(), []), security: { ...securityDefaults, ...to } };
    const opened = await openJudgedBy(begunConfig(), [chaosSpec()], {});
    onTestFinished(() => opened.close());
    live.prepare({ by: opened.by, settings })();
  };
  const begunConfig = (): Config => {
    const loaded = loadConfig({ files: [], set: ["judge.mode=off"], env: {}, reader: fileReader });
    if (!loaded.ok) throw new Error("invalid");
    return loaded.config;
  };
  const start = async (security: Partial<SecuritySettings>, more: ServeOptions = {}): Promise<Collector> => {
    const live = await serve({
      specs: [chaosSpec()],
      timeouts: { rootQuietMs: 10, rootOpenMs: 10, lateWindowMs: 10 },
      security: { ...securityDefaults, ...security },
      ...more,
    });
    onTestFinished(() => live.stop(0));
    return live;
  };
  const post = async (live: Collector, headers: Record<string, string> = {}): Promise<number> => {
    const body = JSON.stringify(trace(7));
    const all = { "content-type": "application/json", ...headers };
    return (await fetch(`http://${live.listening.http}/v1/traces`, { method: "POST", headers: all, body }))
      .status;
  };

  test.each([
    [[], ["https://app.example.com"], [403, 200]],
    [["https://app.example.com"], [], [200, 403]],
    [["https://other.example.com"], ["https://app.example.com"], [403, 200]],
  ])("allowed_origins %j, then %j: %j", async (before, after, statuses) => {
    const live = await start({ allowedOrigins: before });
    const origin = { origin: "https://app.example.com" };
    const first = await post(live, origin);
    await reloadedTo(live, { allowedOrigins: after });
    expect([first, await post(live, origin)]).toEqual(statuses);
  });

  test("allowed_networks: a webhook by its name is sent only to allowed networks", async () => {
    const hook = await startWebhookSink();
    onTestFinished(() => hook.close());
    const url = hook.url.replace("127.0.0.1", "localhost");
    const webhook = [{ ...webhookDefaults, url, maxDelayMs: 1, timeoutMs: 60_000 }];
    const live = await start({}, { export: { webhook, revisions: "all" } });
    const send = async (n: number): Promise<void> => {
      const { root, tools } = agentTrace(1, n, 2);
      expect(await postSpans(live, [root, ...tools])).toBe(200);
    };
    const failures = async (): Promise<number> => {
      const metrics = await (await fetch(`http://${live.listening.admin}/metrics`)).text();
      return Number(/exporter_failures\S*exporter="webhook"\S* (\d+)/.exec(metrics)?.[1] ?? 0);
    };
    await send(1);
    await until(async () => (await failures()) > 0);
    expect(hook.requests).toEqual([]);
    await reloadedTo(live, { allowedNetworks: ["127.0.0.1", "::1"] });
    await until(() => hook.verdictIds().length === 1);
    const before = await failures();
    await reloadedTo(live, { allowedNetworks: [] });
    await send(2);
    await until(async () => (await failures()) > before);
    expect(hook.verdictIds()).toHaveLength(1);
    await expect(reloadedTo(live, { allowedNetworks: ["nowhere"] })).rejects.toThrow(
      "security.allowed_networks",
    );
  });

  test("allowed_networks that lack the address of a webhook are refused, as at the start", async () => {
    const hook = await startWebhookSink();
    onTestFinished(() => hook.close());
    const webhook = [{ ...webhookDefaults, url: hook.url, maxDelayMs: 1, timeoutMs: 60_000 }];
    const live = await start({ allowedNetworks: ["127.0.0.0/8"] }, { export: { webhook } });
    await expect(reloadedTo(live, { allowedNetworks: [] })).rejects.toThrow(/export\.webhook\[0\]\.url/);
    await reloadedTo(live, { allowedNetworks: ["127.0.0.1"] });
  });
});
