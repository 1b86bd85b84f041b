import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replay } from "../../src/replay/replay.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { differencesOfRuns, trueRunsOf } from "../support/recorded-truth.ts";

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

async function runsOf(recording: string): Promise<AgentRun[]> {
  const files = ["traces.jsonl", "logs.jsonl"]
    .map((name) => join(root, recording, name))
    .filter((path) => existsSync(path));
  const runs: AgentRun[] = [];
  const config = { attributes: [], prices: {} };
  await replay(files, { config, stdin: process.stdin, onRun: (run) => runs.push(run) });
  return runs.sort((a, b) => a.startUnixMs - b.startUnixMs);
}

for (const folder of foldersIn(root)) {
  const known = knownDifferencesIn(folder);
  describe(`recordings of ${folder}`, () => {
    it.each(foldersIn(join(root, folder)))("%s gives the runs that took place", async (scenario) => {
      const truths = trueRunsOf(readFileSync(join(root, folder, scenario, "expected.json"), "utf8"));
      const wrong = differencesOfRuns(truths, await runsOf(join(folder, scenario)));
      const expectedToDiffer = new Set(Object.keys(known[scenario] ?? {}));
      expect(wrong.filter(({ field }) => !expectedToDiffer.has(field))).toEqual([]);
      const found = new Set(wrong.map(({ field }) => field));
      expect(
        [...expectedToDiffer].filter((field) => !found.has(field)),
        "in differences.json, and right",
      ).toEqual([]);
    });
  });
}
