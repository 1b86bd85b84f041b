import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openJudgedBy } from "../../src/collector/evaluation/judged-by.ts";
import type { ConfigReload } from "../../src/collector/settings/options.ts";
import { EvaluationRules } from "../../src/collector/evaluation/rules.ts";
import { Revisions } from "../../src/pipeline/revisions.ts";
import { collectorSettings } from "../../src/collector/settings/settings.ts";
import { type Loaded, ConfigReloader } from "../../src/collector/settings/config-reloader.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { loadConfig } from "../../src/config/load.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { until } from "../support/eventually.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import type { Config } from "../../src/config/config.ts";
import { securityDefaults, type SecuritySettings } from "../../src/support/security/settings.ts";
import { agentTrace, requestAsJson } from "../chaos/agent-trace.ts";
import { metricsOf, postSpans, serveInTest, type ServeOptions } from "../support/serve.ts";
import { webhookDefaults } from "../support/settings-defaults.ts";
import { chaosSpec } from "../support/spec-of.ts";
import { startWebhookSink } from "../support/webhook-sink.ts";

test("a reload applies the sampling, names what needs a restart, and changes nothing if the file is invalid", async () => {
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
  writeFileSync(configFile, "sampling: { rate: 7 }\n");
  expect(await reloader.now("test")).toMatchObject({ ok: false });
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
    return serveInTest({
      specs: [chaosSpec()],
      timeouts: { rootQuietMs: 10, rootOpenMs: 10, lateWindowMs: 10 },
      security: { ...securityDefaults, ...security },
      ...more,
    });
  };
  const post = async (live: Collector, headers: Record<string, string> = {}): Promise<number> => {
    const body = Buffer.from(requestAsJson([agentTrace(1, 7, 0).root]));
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

  test("the files with secrets and certificates are known, to be watched", async () => {
    const [certFile, keyFile] = ["test/fixtures/tls/server.pem", "test/fixtures/tls/server.key"];
    const file = join(temporaryFolder(), "tokens");
    writeFileSync(file, "a-token\n");
    const live = await start({
      tokens: [{ name: null, token: null, file, scopes: ["ingest"] }],
      receiveTls: { certFile, keyFile, clientCaFile: null, minVersion: "TLSv1.2" },
    });
    expect(new Set(live.securityFiles)).toEqual(new Set([certFile, keyFile, file]));
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
      const metrics = await metricsOf(live);
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
