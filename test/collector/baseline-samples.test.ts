import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BaselineSamples } from "../../src/collector/evaluation/baseline-samples.ts";
import { runCli } from "../support/run-cli.ts";
import { exampleSpec, specOf } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const runs = "test/fixtures/runs";
const rag = "specs/rag-agent.yaml";

/** A folder of baselines with runs of the example specs saved under a version. */
async function saved(version: string, ...recordings: readonly string[]): Promise<string> {
  const dir = temporaryFolder();
  for (const recording of recordings) await save(dir, version, recording);
  return dir;
}

async function save(dir: string, version: string, recording: string): Promise<void> {
  const place = ["--baseline-dir", dir, "--version", version];
  const ran = await runCli("save", `${runs}/${recording}.jsonl`, "--spec", rag, ...place, "--judge", "off");
  expect(ran.code).toBe(0);
}

test("saved runs of the served specs are samples, with the outcome they were saved with", async () => {
  const dir = await saved("1.0", "rag-weather-fixed.langgraph", "rag-install.langgraph");
  const specs = [exampleSpec("dev-agent"), exampleSpec("rag-agent")];
  const baselines = new BaselineSamples(() => ({ specs, baselineDir: dir }));

  expect(await baselines.versions()).toEqual([
    { version: "1.0", runs: 2, captured_at: expect.stringMatching(/^\d{4}-/) },
  ]);
  const samples = await baselines.samples("1.0", {});
  expect(samples.map(({ queryId, outcome }) => [queryId, outcome])).toEqual([
    ["install", "pass"],
    ["weather", "pass"],
  ]);
  expect(samples[0]).toMatchObject({ spec: "rag-agent", tokens: 668, tools: ["retriever_tool"] });
  expect(await baselines.samples("1.0", { query: "weather" })).toHaveLength(1);
  expect(await baselines.samples("1.0", { agent: "dev-agent" })).toEqual([]);
  expect(await baselines.samples("2.0", {})).toEqual([]);
});

test("under a changed spec a saved run is evaluated again", async () => {
  const dir = await saved("1.0", "rag-install.langgraph");
  const strict = specOf(
    'version: 1\nagent: rag-agent\nqueries:\n  - id: install\n    query: "How do I install AgentCI?"\n    path: { forbidden_tools: [retriever_tool] }\n',
    rag,
  );
  const [sample] = await new BaselineSamples(() => ({ specs: [strict], baselineDir: dir })).samples(
    "1.0",
    {},
  );

  expect(sample?.outcome).toBe("fail");
});

test("files that come, change and cannot be read", async () => {
  const dir = await saved("1.0", "rag-install.langgraph");
  const baselines = new BaselineSamples(() => ({ specs: [exampleSpec("rag-agent")], baselineDir: dir }));
  expect(await baselines.samples("1.0", {})).toHaveLength(1);

  await save(dir, "1.1", "rag-install.langgraph");
  expect((await baselines.versions()).map(({ version }) => version)).toEqual(["1.1", "1.0"]);

  const file = join(dir, "rag-agent", "install", "1.0.json");
  writeFileSync(file, "{");
  utimesSync(file, 1, 1);
  expect((await baselines.versions()).map(({ version }) => version)).toEqual(["1.1"]);
});
