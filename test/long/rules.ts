import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ruleNames } from "../../src/runs/rules.ts";
import { type RecordingSet, recordingSets } from "./reader/recording-sets.ts";
import { anyOf, isFalseClaim, type Miss, type Scorer, scorerOf } from "./reader/scorer.ts";

/*
 * npm run rules [-- SET...] [--only seen|checked] [--rule NAME] [--scorer FILE]: measures the effect of each rule of the reader
 * (`src/runs/rules.ts`). Reads all recordings with all rules, and once without each rule. Prints, for each rule, the recordings whose runs
 * change without it; the increase in wrong fields and in false claims; and the calls per run outside `src/otlp` that it costs. SET is as in
 * `npm run score`.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    rule: { type: "string", multiple: true, default: [...ruleNames] },
    scorer: { type: "string" },
  },
});

interface Reading {
  /** The runs of each recording as one text; the key is the set and the recording. */
  readonly linesByRecording: ReadonlyMap<string, string>;
  readonly callsPerRun: number;
}

const child = fileURLToPath(new URL("reader/read.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "rules-"));
try {
  const sets = recordingSets(positionals, values.only);
  const scorer = scorerOf(values.scorer);
  const whole = read([]);
  console.log(
    `all rules on: ${sets.reduce((sum, set) => sum + set.recordings.length, 0)} recordings, ${whole.callsPerRun.toFixed(0)} calls per run outside src/otlp`,
  );
  const before = new Map(sets.map((set) => [set.name, missesOf(set, whole, scorer)]));
  if (values.rule.length === 0) console.log("no rules: src/runs/rules.ts is empty");
  else
    console.log(
      "without the rule: changed recordings, additional wrong fields, additional false claims, fewer calls per run",
    );
  for (const rule of values.rule) report(rule, sets, scorer, whole, before);
} finally {
  rmSync(folder, { recursive: true });
}

function read(off: readonly string[]): Reading {
  const file = join(folder, "read.jsonl");
  const args = [child, file, off.join(","), values.only ?? "", ...positionals];
  const { runs, calls } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as {
    readonly runs: number;
    readonly calls: number;
  };
  const linesByRecording = new Map<string, string>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "") continue;
    const { set, recording } = JSON.parse(line) as { readonly set: string; readonly recording: string };
    const key = keyOf(set, recording);
    linesByRecording.set(key, `${linesByRecording.get(key) ?? ""}${line}\n`);
  }
  return { linesByRecording, callsPerRun: calls / runs };
}

function keyOf(set: string, recording: string): string {
  return JSON.stringify([set, recording]);
}

/** Wrong fields in the recordings of a set. */
function missesOf(set: RecordingSet, reading: Reading, scorer: Scorer): readonly Miss[] {
  const names = set.recordings.map(({ name }) => name);
  if (names.length === 0) return [];
  const file = join(folder, "score.jsonl");
  writeFileSync(
    file,
    names.map((name) => reading.linesByRecording.get(keyOf(set.name, name)) ?? "").join(""),
  );
  return scorer(set.root, file, anyOf(names)).misses;
}

function report(
  rule: string,
  sets: readonly RecordingSet[],
  scorer: Scorer,
  whole: Reading,
  before: ReadonlyMap<string, readonly Miss[]>,
): void {
  const without = read([rule]);
  let changed = 0;
  let lost = 0;
  let claims = 0;
  for (const set of sets) {
    const recordings = set.recordings.filter(({ name }) => {
      const key = keyOf(set.name, name);
      return without.linesByRecording.get(key) !== whole.linesByRecording.get(key);
    });
    changed += recordings.length;
    const names = new Set(recordings.map(({ name }) => name));
    const now = missesOf({ ...set, recordings }, without, scorer);
    const then = (before.get(set.name) ?? []).filter(({ recording }) => names.has(recording));
    lost += now.length - then.length;
    claims += now.filter(isFalseClaim).length - then.filter(isFalseClaim).length;
  }
  const cells = [changed, lost, claims, Math.round(whole.callsPerRun - without.callsPerRun)];
  console.log(`${rule.padEnd(32)}${cells.map((cell) => String(cell).padStart(8)).join("")}`);
}
