import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { openJudgedBy } from "../../src/collector/evaluation/judged-by.ts";
import { startCollectorProcess } from "../../src/collector/collector.ts";
import { collectorSettings } from "../../src/collector/settings/settings.ts";
import { loadSpecs, readConfig } from "../../src/config/command-settings.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { ConfigDocument } from "../../src/config/schema.ts";
import { configKeys, pathText, renderConfigReference } from "../../src/config/reference/reference.ts";
import { capturedIo } from "../../src/support/process/captured-io.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const keys = configKeys();
const byPath = keys.map((key) => [pathText(key.path), key] as const);

/** A document that holds only this path. */
function documentWith(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => (step === "[]" ? [inner] : { [step]: inner }), value);
}

/** Typing mistakes: two letters swapped, one left out, one typed twice, one wrong. */
function typos(word: string): string[] {
  const at = Math.floor(word.length / 2);
  const swapped = word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1);
  const short = word.slice(0, at) + word.slice(at + 1);
  const doubled = word.slice(0, at) + word.charAt(at) + word.slice(at);
  return [
    swapped,
    doubled,
    ...(word.length > 4 ? [short, `${word.slice(0, at)}q${word.slice(at + 1)}`] : []),
  ];
}

function hintsOf(document: unknown): string[] {
  const reader = { read: () => ({ ok: true as const, text: stringify(document), realPath: "c.yaml" }) };
  const loaded = loadConfig({ files: ["c.yaml"], set: [], env: {}, reader });
  return loaded.problems.map(({ message, hint }) => `${message} ${hint ?? ""}`);
}

describe("every key", () => {
  test("has a description, and there are as many as one would think", () => {
    expect(keys.filter(({ description }) => description === "").map(({ path }) => pathText(path))).toEqual(
      [],
    );
    expect(keys.length).toBeGreaterThan(100);
  });

  test.each(byPath)("%s, misspelt, is found and the right one suggested", (_, { path }) => {
    const name = path.at(-1) ?? "";
    const siblings = keys.filter((key) => pathText(key.path.slice(0, -1)) === pathText(path.slice(0, -1)));
    for (const typo of typos(name)) {
      if (typo === name || siblings.some((key) => key.path.at(-1) === typo)) continue;
      const steps = path.map((step) => (step === "NAME" ? "some" : step));
      const hints = hintsOf(documentWith([...steps.slice(0, -1), typo], 1));
      expect(hints.join("\n")).toMatch(new RegExp(`\`${typo}\`[^]*\`?${name}\`?`));
    }
  });

  test("with a default is in config print", async () => {
    const { stdout, code } = await runCliWith({}, "config", "print", "--format", "json");
    const { config } = JSON.parse(stdout) as { config: Record<string, unknown> };
    const at = (path: readonly string[]) =>
      path.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], config);
    const missing = keys.filter(
      ({ path, fallback }) =>
        fallback !== null &&
        // Entries of lists, and sections that have no default themselves, are there when they are written.
        !path.some((step) => ["[]", "NAME", "kafka"].includes(step) || step.endsWith("_tls")) &&
        !/^(?:telemetry\.traces|receivers\.models)\./.test(pathText(path)) &&
        at(path) === undefined,
    );
    expect(code).toBe(0);
    expect(missing.map(({ path }) => pathText(path))).toEqual([]);
  });
});

test("docs/configuration.md is what the code says (npm run generate)", () => {
  expect(readFileSync("docs/configuration.md", "utf8")).toBe(renderConfigReference());
});

describe("config print", () => {
  const secret = "canary-s3cret";
  const set = [
    `export.otlp=[{ endpoint: 'http://u:${secret}@b', headers: { authorization: 'Bearer ${secret}' } }]`,
    `security.tokens=[{ token: '\${env:T}', scopes: [ingest] }]`,
    "assemble.idle=3m",
  ].flatMap((argument) => ["--set", argument]);

  test.each(["yaml", "json"])("shows the source of each value, and no secret: %s", async (format) => {
    const ran = await runCliWith({ env: { T: secret } }, "config", "print", ...set, "--format", format);
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain(secret);
    expect(ran.stdout).toContain("[redacted]");
    expect(ran.stdout).toMatch(format === "yaml" ? /idle: 3m # --set/ : /"assemble.idle": "--set"/);
    expect(ran.stdout).toMatch(
      format === "yaml" ? /max_age: 60m # default/ : /"assemble.max_age": "default"/,
    );
  });
});

describe("examples", () => {
  const env = {
    METRICS_TOKEN: "m",
    INGEST_TOKEN: "i",
    READ_TOKEN: "r",
    ADMIN_TOKEN: "a",
    TLS_CERT: "test/fixtures/tls/server.pem",
    TLS_KEY: "test/fixtures/tls/server.key",
  };
  test.each(readdirSync("config/examples"))("%s is valid", (file) => {
    const files = [`config/examples/${file}`];
    expect(loadConfig({ files, set: [], env, reader: fileReader }).problems).toEqual([]);
  });

  // In this process: that `serve` listens where its configuration says is shown by processes of their own.
  test.each(readdirSync("config/examples"))(
    "%s starts, with its own addresses as far as they can be had",
    async (file) => {
      const config = [`config/examples/${file}`];
      const read = loadConfig({ files: config, set: [], env, reader: fileReader });
      const { receive, admin } = (read as { document: ConfigDocument }).document;
      const free = (address: string) => address.replace(/:\d+$/, ":0");
      const set = [
        `data_dir=${temporaryFolder()}`,
        `receive={ http: "${free(receive.http)}", grpc: "${free(receive.grpc)}" }`,
        `admin="${free(admin)}"`,
      ];
      const { io } = capturedIo(env, process.cwd());
      const { config: settings } = await readConfig({ config, set }, io);
      const specs = await loadSpecs(["specs/rag-agent.yaml"], io, settings);
      const live = await startCollectorProcess({
        settings: collectorSettings(settings, specs),
        ...(await openJudgedBy(settings, specs, env)).by,
        log: createLog({ level: "silent", format: "json" }),
      });
      await live.stop(1_000);
      expect(live.listening.http).toMatch(/^[\d.]+:\d+$/);
    },
  );
});
