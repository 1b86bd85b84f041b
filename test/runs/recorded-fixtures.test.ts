import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replay } from "../../src/replay/replay.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { differences, type TrueRun } from "../support/recorded-truth.ts";

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

/** The runs in the order of the truths: by query, else by time. */
function inOrderOf(truths: readonly TrueRun[], runs: readonly AgentRun[]): (AgentRun | undefined)[] {
  const left = [...runs];
  const byQuery = truths.map(({ query }) => {
    const at = left.findIndex((run) => run.query === query);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  return byQuery.map((run) => run ?? left.shift());
}

for (const folder of foldersIn(root)) {
  const known = knownDifferencesIn(folder);
  describe(`recordings of ${folder}`, () => {
    it.each(foldersIn(join(root, folder)))("%s gives the runs that took place", async (scenario) => {
      const expected = JSON.parse(readFileSync(join(root, folder, scenario, "expected.json"), "utf8")) as
        TrueRun | { readonly runs: readonly TrueRun[] };
      const truths = "runs" in expected ? expected.runs : [expected];
      const runs = await runsOf(join(folder, scenario));
      const expectedToDiffer = new Set(Object.keys(known[scenario] ?? {}));
      const wrong = inOrderOf(truths, runs).flatMap((run, at) => {
        const truth = truths[at];
        return run === undefined || truth === undefined ? [] : differences(truth, run);
      });
      if (runs.length !== truths.length)
        wrong.push({ field: "runs", truth: truths.length, assembled: runs.length });
      expect(wrong.filter(({ field }) => !expectedToDiffer.has(field))).toEqual([]);
      const found = new Set(wrong.map(({ field }) => field));
      expect(
        [...expectedToDiffer].filter((field) => !found.has(field)),
        "in differences.json, and right",
      ).toEqual([]);
    });
  });
}
