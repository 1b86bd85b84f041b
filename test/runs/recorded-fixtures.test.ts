import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { replay } from "../../src/replay/replay.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { exchangesOf } from "../../src/runs/results/exchanges.ts";
import { wronglyAllowed } from "../support/forbidden-tools.ts";
import { differencesOfRuns, type TrueRun, trueRunsOf } from "../support/recorded-truth.ts";
import { unexplainedIn } from "./unknown-values.ts";

const root = "test/fixtures/recordings";

/** Folders of a folder. */
const foldersIn = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

/** By recording and field, why a run differs from the truth: `not in the telemetry`, or `open` where it could be read one day. */
type Known = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

function knownDifferencesIn(folder: string): Known {
  const path = join(root, folder, "differences.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Known) : {};
}

function truthsOf(folder: string, scenario: string): readonly TrueRun[] {
  return trueRunsOf(readFileSync(join(root, folder, scenario, "expected.json"), "utf8"));
}

async function runsOf(recording: string): Promise<AgentRun[]> {
  const files = ["traces.jsonl", "logs.jsonl"]
    .map((name) => join(root, recording, name))
    .filter((path) => existsSync(path));
  const runs: AgentRun[] = [];
  const config = { attributes: [], prices: {} };
  await replay(files, { config, stdin: process.stdin, onRun: (run) => runs.push(run) });
  return runs.sort((a, b) => a.startUnixMs - b.startUnixMs);
}

describe.each(foldersIn(root))("recordings of %s", (folder) => {
  const known = knownDifferencesIn(folder);
  const scenarios = foldersIn(join(root, folder));
  // Each recording is read once: reading takes longer than all that is asked of its runs.
  const read = new Map<string, Promise<readonly AgentRun[]>>();
  afterAll(() => read.clear());

  function recordedRuns(scenario: string): Promise<readonly AgentRun[]> {
    const runs = read.get(scenario) ?? runsOf(join(folder, scenario));
    read.set(scenario, runs);
    return runs;
  }

  it.each(scenarios)("%s gives the runs that took place", async (scenario) => {
    const wrong = differencesOfRuns(truthsOf(folder, scenario), await recordedRuns(scenario));
    const expectedToDiffer = new Set(Object.keys(known[scenario] ?? {}));
    expect(wrong.filter(({ field }) => !expectedToDiffer.has(field))).toEqual([]);
    const found = new Set(wrong.map(({ field }) => field));
    expect(
      [...expectedToDiffer].filter((field) => !found.has(field)),
      "in differences.json, and right",
    ).toEqual([]);
  });

  it.each(scenarios)("%s has an entry in missing for each unknown value, and no other", async (scenario) => {
    expect(unexplainedIn(await recordedRuns(scenario))).toEqual([]);
  });

  it.each(scenarios)("%s has no answer that asks for tools and claims to be the last", async (scenario) => {
    const answers = (await recordedRuns(scenario)).flatMap(exchangesOf).flatMap(({ answer }) => answer ?? []);
    expect(answers.filter(({ calls, finish }) => calls.length > 0 && finish === "stop")).toEqual([]);
  });

  it("pass no spec that forbids a tool that ran, whatever the telemetry shows of it", async () => {
    const passing = await Promise.all(
      scenarios.map(async (scenario) =>
        wronglyAllowed(truthsOf(folder, scenario), await recordedRuns(scenario)).map(
          (tool) => `${scenario}: ${tool}`,
        ),
      ),
    );
    expect(passing.flat()).toEqual([]);
  });
});
