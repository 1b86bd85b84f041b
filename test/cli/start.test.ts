import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Writes the names of all modules that were loaded, and of Node's own, when the process ends. */
const listing = `
const { writeFileSync } = require("node:fs");
process.on("exit", () => {
  const builtIn = process.moduleLoadList.flatMap((line) => /^NativeModule (?!internal\\/)(.*)/.exec(line)?.[1] ?? []);
  const names = [...Object.keys(require.cache), ...builtIn.map((name) => "node:" + name)];
  writeFileSync(process.env.LOADED, names.join("\\n"));
});`;

describe("a replay of a dump", () => {
  const folder = temporaryFolder();
  const list = join(folder, "loaded.txt");
  const loadedBy = (...words: readonly string[]): readonly string[] => {
    execFileSync(process.execPath, ["--require", join(folder, "listing.cjs"), "bin/tracejury.js", ...words], {
      // So that Node loads all, and knows it.
      env: { ...process.env, LOADED: list, NODE_DISABLE_COMPILE_CACHE: "1" },
    });
    return readFileSync(list, "utf8").split("\n");
  };
  let replaying: readonly string[] = [];

  beforeAll(() => {
    writeFileSync(join(folder, "listing.cjs"), listing);
    writeFileSync(
      join(folder, "spec.yaml"),
      'version: 1\nagent: "*"\nqueries: [{ query: "*", path: { max_tool_calls: 90 } }]\n',
    );
    const dump = "test/fixtures/runs/rag-aws.langgraph.jsonl";
    replaying = loadedBy("test", dump, "--spec", join(folder, "spec.yaml"), "--judge", "off");
  });

  // As the files of the bundle are named.
  it.each([
    ["OpenTelemetry's SDK", /opentelemetry/],
    ["the web server", /hono/],
    ["the model context protocol", /modelcontextprotocol|\/mcp/],
    ["the store", /libsql|\/pg\/|node:sqlite|\/store|\/reading-/],
    ["the log writer", /pino|\/log\./],
    ["the file watcher", /chokidar|readdirp/],
    ["Kafka's client", /kafkajs/],
    ["a judge's client", /anthropic|\/openai/],
    ["HTTP and TLS", /^node:(?:http2?|https|tls)$/],
    ["threads", /^node:worker_threads$/],
    ["the live collector and its receiver", /\/(?:live|receiver)[-.]/],
    ["the schema of verdicts", /verdict-schema/],
    ["a generator of schemas", /json-schema\.|generate/],
    ["globs, which no name here is", /tinyglobby|picomatch|fdir/],
    ["decompression, which no file here needs", /fzstd/],
    ["patterns, which no spec here has", /re2js/],
    ["schemas of answers, which no spec here has", /ajv|json-schema/],
    ["other commands", /\/(?:serve|save|diff|init|promote|doctor|inspect|merge)\./],
  ])("loads nothing of %s", (_, pattern) => {
    expect(replaying.filter((name) => pattern.test(name))).toEqual([]);
    expect(replaying.some((name) => name.endsWith("/dist/lib/replay.cjs"))).toBe(true);
    expect(replaying).toContain("node:fs");
  });
});

describe("compiled code", () => {
  // A command with little to do: each test starts it several times.
  const command = ["schema"];
  const caches: string[] = [];
  const folder = (): string => {
    const made = temporaryFolder();
    caches.push(made);
    return made;
  };
  const run = (cache: string, env: NodeJS.ProcessEnv = {}, words = command): string => {
    const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...own } = process.env;
    const { stdout, stderr, status } = spawnSync(process.execPath, ["bin/tracejury.js", ...words], {
      env: { ...own, XDG_CACHE_HOME: cache, ...env },
      encoding: "utf8",
    });
    return `${status}\n${stderr}\n${stdout}`;
  };
  const files = (cache: string): readonly string[] => readdirSync(join(cache, "tracejury"));
  const without = run(folder(), { NODE_DISABLE_COMPILE_CACHE: "1" });

  afterAll(() => {
    for (const cache of caches) rmSync(cache, { recursive: true });
  });

  it("is kept in the user's folder, and used by the next run, whose output is the same; damaged, it is not run, and is replaced", () => {
    const cache = folder();
    expect(run(cache)).toBe(without);
    const [file = "", ...others] = files(cache);
    expect(others).toEqual([]);
    expect(file).toMatch(new RegExp(`^schema-${process.version}-`));
    const path = join(cache, "tracejury", file);
    const written = statSync(path);
    expect([written.mode & 0o777, written.size > 50_000]).toEqual([0o600, true]);

    expect(run(cache)).toBe(without);
    expect(statSync(path).mtimeMs).toBe(written.mtimeMs);

    const bytes = readFileSync(path);
    for (let at = 4_000; at < bytes.length; at += 1_000) bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(run(cache)).toBe(without);
    expect(readFileSync(path).equals(bytes)).toBe(false);
  });

  it("is not kept with NODE_DISABLE_COMPILE_CACHE, nor for a command that is none", () => {
    const cache = folder();
    run(cache, { NODE_DISABLE_COMPILE_CACHE: "1" });
    expect(existsSync(join(cache, "tracejury"))).toBe(false);
    expect(run(cache, {}, ["tset"])).toContain("unknown command");
    expect(files(cache)).toEqual([]);
  });

  it("costs no run its work where it cannot be kept", () => {
    const cache = folder();
    writeFileSync(join(cache, "tracejury"), "");

    expect(run(cache)).toBe(without);
    expect(run("/dev/null")).toBe(without);
  });
});
