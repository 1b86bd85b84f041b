import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processIo } from "../../src/cli/io.ts";
import { createProgram } from "../../src/cli/main.ts";

const io = processIo();
const namesIn = (only?: string): string[] =>
  createProgram(io, () => undefined, only).commands.map((command) => command.name());

describe("the commands that are declared", () => {
  const all = namesIn();

  it.each(all)("%s alone where it was asked for", (name) => {
    expect(namesIn(name)).toEqual([name]);
  });

  it.each(["--help", "help", "tset"])("all of them for %s", (only) => {
    expect(namesIn(only)).toEqual(all);
    expect(all.length).toBeGreaterThan(15);
  });
});

/** Appends the address of every module that is loaded to a file. */
const hooks = `
import { appendFileSync } from "node:fs";
export async function load(url, context, next) {
  appendFileSync(process.env.LOADED, url + "\\n");
  return next(url, context);
}`;

describe("a replay of a dump", () => {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-start-"));
  const list = join(folder, "loaded.txt");
  const loadedBy = (...words: readonly string[]): readonly string[] => {
    writeFileSync(list, "");
    const registering = pathToFileURL(join(folder, "register.mjs")).href;
    execFileSync(process.execPath, ["--import", registering, "bin/tracejury.js", ...words], {
      env: { ...process.env, LOADED: list },
    });
    return readFileSync(list, "utf8").trim().split("\n");
  };
  let replaying: readonly string[] = [];

  beforeAll(() => {
    const hooksUrl = pathToFileURL(join(folder, "hooks.mjs")).href;
    writeFileSync(join(folder, "hooks.mjs"), hooks);
    writeFileSync(
      join(folder, "register.mjs"),
      `import { register } from "node:module"; register("${hooksUrl}");`,
    );
    writeFileSync(
      join(folder, "spec.yaml"),
      'version: 1\nagent: "*"\nqueries: [{ query: "*", path: { max_tool_calls: 90 } }]\n',
    );
    const dump = "test/fixtures/runs/rag-aws.langgraph.jsonl";
    replaying = loadedBy("test", dump, "--spec", join(folder, "spec.yaml"), "--judge", "off");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  // As the files of the bundle are named, and as where they come from.
  it.each([
    ["OpenTelemetry's SDK", /opentelemetry/],
    ["the web server", /hono/],
    ["the model context protocol", /modelcontextprotocol|\/mcp/],
    ["the store", /libsql|\/pg\/|node:sqlite|\/store\//],
    ["the log writer", /pino/],
    ["the file watcher", /chokidar/],
    ["Kafka's client", /kafkajs/],
    ["a judge's client", /anthropic-ai|\/openai/],
    ["gRPC and HTTP servers", /node:(?:http2?|https|tls)$/],
    ["threads and processes", /node:(?:worker_threads|child_process)$/],
    ["the live collector and its receiver", /\/(?:live|receiver)[-.]/],
    ["the schema of verdicts", /verdict-schema/],
    ["a generator of schemas", /(?:config|spec|cli)\/(?:json-schema|generate)/],
  ])("loads nothing of %s", (_, pattern) => {
    expect(replaying.filter((url) => pattern.test(url))).toEqual([]);
    expect(replaying.some((url) => /engine/.test(url))).toBe(true);
  });
});
