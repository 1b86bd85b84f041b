import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replay } from "../../src/replay/replay.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { exchangesOf } from "../../src/runs/results/exchanges.ts";
import { wronglyAllowed } from "../support/forbidden-tools.ts";
import { differencesOfRuns, type TrueRun, trueRunsOf } from "../support/recorded-truth.ts";
import { contradictedChecks } from "../support/true-statements.ts";
import { hasOwnText, wrongIfEmptied } from "./emptied-answer.ts";
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

function filesOf(recording: string): readonly string[] {
  return ["traces.jsonl", "logs.jsonl"]
    .map((name) => join(root, recording, name))
    .filter((path) => existsSync(path));
}

async function runsOf(files: readonly string[]): Promise<AgentRun[]> {
  const runs: AgentRun[] = [];
  const config = { attributes: [], prices: {} };
  await replay(files, { config, stdin: process.stdin, onRun: (run) => runs.push(run) });
  return runs.sort((a, b) => a.startUnixMs - b.startUnixMs);
}

/** What is wrong with the runs that were read of a recording, by rule. */
function wrongIn(
  runs: readonly AgentRun[],
  truths: readonly TrueRun[],
  known: Readonly<Record<string, string>> = {},
): Readonly<Record<string, readonly unknown[]>> {
  const differences = differencesOfRuns(truths, runs);
  const found = new Set(differences.map(({ field }) => field));
  const answers = runs.flatMap(exchangesOf).flatMap(({ answer }) => answer ?? []);
  return {
    "not as they took place": differences.filter(({ field }) => !(field in known)),
    "in differences.json, and right": Object.keys(known).filter((field) => !found.has(field)),
    "unknown values without an entry in missing, or entries of known ones": unexplainedIn(runs),
    "answers that ask for tools and claim to be the last": answers.filter(
      ({ calls, finish }) => calls.length > 0 && finish === "stop",
    ),
    "tools that ran and pass a spec that forbids them": wronglyAllowed(truths, runs),
    "verdicts that contradict the truth": contradictedChecks(truths, runs, [...found]),
  };
}

/** By producer with an answer as a text of its own, whether a recording was read again without the text. */
const isEmptied = new Map<string, boolean>();

// One test for the recordings of a producer, each of which is read once: thousands of tests take longer than what they look at.
test.each(foldersIn(root))("recordings of %s", async (folder) => {
  const known = knownDifferencesIn(folder);
  const wrong: Record<string, unknown> = {};
  for (const scenario of foldersIn(join(root, folder))) {
    const files = filesOf(join(folder, scenario));
    const runs = await runsOf(files);
    const found = Object.entries(wrongIn(runs, truthsOf(folder, scenario), known[scenario]));
    for (const [rule, values] of found) if (values.length > 0) wrong[`${scenario}: ${rule}`] = values;
    const isTraced = files[0]?.endsWith("traces.jsonl") === true;
    if (!isTraced || !hasOwnText(folder) || isEmptied.get(folder) === true) continue;
    const wrongEmptied = await wrongIfEmptied(files, runs);
    isEmptied.set(folder, wrongEmptied !== null);
    if (wrongEmptied !== null && wrongEmptied.length > 0) wrong[`${scenario}: emptied`] = wrongEmptied;
  }
  expect(wrong).toEqual({});
});

test("recordings of nearly all producers are read again with an empty answer", () => {
  const emptied = [...isEmptied.values()].filter(Boolean);
  expect(emptied.length).toBeGreaterThan(isEmptied.size * 0.8);
  expect(isEmptied.size).toBeGreaterThan(300);
});
