import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentTrace, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { ServeProcess } from "../chaos/serve-process.ts";
import { httpBackend } from "../forward/backends.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { serveConfig } from "../chaos/serve-config.ts";

/** A shell that runs a program with a umask that takes nothing away. */
const OPEN = ["sh", "-c", 'umask 000; exec "$0" "$@"'] as const;
const dump = "test/fixtures/runs/rag-weather-broken.langgraph.jsonl";

/** Paths below a folder that others than their owner may read, write or enter, with their modes. */
function open(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => `${name} ${(statSync(join(path, name)).mode & 0o777).toString(8)}`)
    .filter((line) => !line.endsWith("00"));
}

/** Runs a command in this process, with a umask that takes nothing away. */
async function run(...words: readonly string[]): Promise<number> {
  const umask = process.umask(0);
  try {
    return (await runCliWith({ env: process.env }, ...words)).code;
  } finally {
    process.umask(umask);
  }
}

describe("whatever the umask, only its owner reads", () => {
  test("files that serve stores: journal, queues, store, verdicts; they contain no credential of an endpoint", async () => {
    const dir = temporaryFolder();
    const data = join(dir, "data");
    const silent = await httpBackend(() => undefined);
    const password = ["s3same", "open"].join("-");
    const endpoint = silent.endpoint.replace("://", `://app:${password}@`);
    const { config, http } = await serveConfig(dir, {
      admin: "off",
      store: { mode: "sqlite", path: join(data, "store", "store.db"), telemetry: true },
      export: { file: join(data, "verdicts", "verdicts.jsonl"), otlp: [{ endpoint: `${endpoint}/dead` }] },
      forward: [{ endpoint }],
      assemble: { root_quiet: "100ms", root_open: "200ms" },
    });
    const serving = await ServeProcess.start({ config, under: OPEN });
    try {
      const { tools, root } = agentTrace(3, 1, 2);
      const answer = await fetch(`http://127.0.0.1:${http}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/x-protobuf" },
        body: Buffer.from(requestAsProtobuf([...tools, root])),
      });
      expect(answer.status).toBe(200);
      const verdicts = (): number => (readdirSync(data).includes("verdicts") ? 1 : 0);
      await expect.poll(verdicts).toBe(1);
      expect(open(dir).filter((line) => line.startsWith("data"))).toEqual([]);
      expect(readdirSync(join(data, "store")).length).toBeGreaterThan(1);
      const written = readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
      expect(written.join("")).toContain(new URL(silent.endpoint).host);
      expect(written.join("")).not.toContain(password);
    } finally {
      await serving.end("SIGKILL");
      await silent.stop();
    }
  });

  test("a fixture of promote, and what test --exec keeps", async () => {
    const dir = temporaryFolder();
    const spec = join(dir, "spec.yaml");
    writeFileSync(
      spec,
      "agent: rag-agent\nqueries:\n  - query: '*'\n    path: { forbidden_tools: [tavily_search] }\n",
    );
    chmodSync(spec, 0o600);
    await run("promote", dump, "--spec", spec, "--to", join(dir, "fixtures"));
    expect(readdirSync(join(dir, "fixtures"))).toHaveLength(1);
    expect(open(join(dir, "fixtures"))).toEqual([]);

    const keep = join(dir, "kept");
    const asking = join(dir, "asking.yaml");
    writeFileSync(asking, "agent: none\nqueries: [{ query: anything }]\n");
    expect(await run("test", "--exec", "echo {query}", "--spec", asking, "--keep", keep)).not.toBe(0);
    expect(readdirSync(keep, { recursive: true })).toContain(join("anything-1", "output.log"));
    expect(open(keep)).toEqual([]);
    expect(statSync(keep).mode & 0o777).toBe(0o700);
  });
});

test("the database of an earlier version is taken from other readers; a file of verdicts stays with the readers it has", async () => {
  const { openDatabase } = await import("../../src/store/sqlite/open-database.ts");
  const { LineFile } = await import("../../src/export/file/file-exporter.ts");
  const dir = temporaryFolder();
  const [store, verdicts] = [join(dir, "store.db"), join(dir, "verdicts.jsonl")];
  for (const path of [store, verdicts]) {
    writeFileSync(path, "");
    chmodSync(path, 0o644);
  }
  openDatabase(store, 0).database.close();
  const lines = new LineFile(verdicts, { maxBytes: 5, maxAgeMs: null, keep: 3 }, () => 0);
  await lines.append([Buffer.from("first")]);
  await lines.append([Buffer.from("second")]);
  await lines.close();
  expect(statSync(store).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir).filter((name) => name.startsWith("verdicts")).length).toBe(2);
  expect(statSync(verdicts).mode & 0o777).toBe(0o644);
});
