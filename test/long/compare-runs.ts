import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { brief, type Difference, differencesOf } from "./runs/differences.ts";

/*
 * npm run long -- compare-runs BEFORE AFTER [--list 20] [--field REGEX] [--recording REGEX]: compares two files of `npm run long --
 * write-runs`. Prints how often each field differs, in how many recordings, and the first differences. Exit code 1: there are differences.
 */

interface Run {
  readonly recording: string;
  readonly run_id: string;
}

interface Found extends Difference {
  readonly recording: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "string", default: "20" },
    field: { type: "string", default: "" },
    recording: { type: "string", default: "" },
  },
});
const [beforeFile, afterFile] = positionals;
if (beforeFile === undefined || afterFile === undefined) {
  console.error(
    "usage: npm run long -- compare-runs BEFORE AFTER [--list 20] [--field REGEX] [--recording REGEX]",
  );
  process.exit(2);
}
const wantedField = new RegExp(values.field);
const before = runsByRecording(beforeFile);
const after = runsByRecording(afterFile);
const found = [...new Set([...before.keys(), ...after.keys()])]
  .flatMap((recording) =>
    differencesBetween(before.get(recording) ?? [], after.get(recording) ?? []).map((one): Found => ({
      recording,
      ...one,
    })),
  )
  .filter(({ field }) => wantedField.test(field));

for (const [field, those] of byField(found))
  console.log(
    `${String(those.length).padStart(6)}  ${field}  (${new Set(those.map(({ recording }) => recording)).size} recordings)`,
  );
for (const { recording, field, ...sides } of found.slice(0, Number(values.list)))
  console.log(`${recording}  ${field}\n    before ${brief(sides.before)}\n    after  ${brief(sides.after)}`);
const differing = new Set(found.map(({ recording }) => recording)).size;
console.log(`${found.length} differences in ${differing} of ${before.size} recordings`);
process.exitCode = found.length === 0 ? 0 : 1;

function runsByRecording(file: string): Map<string, Run[]> {
  const wanted = new RegExp(values.recording);
  const runs = new Map<string, Run[]>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "") continue;
    const run = JSON.parse(line) as Run;
    if (!wanted.test(run.recording)) continue;
    const those = runs.get(run.recording) ?? [];
    runs.set(run.recording, [...those, run]);
  }
  return runs;
}

/** Pairs runs by id, and the remaining runs by their order. */
function differencesBetween(older: readonly Run[], newer: readonly Run[]): Difference[] {
  const newerById = new Map(newer.map((run) => [run.run_id, run]));
  const olderIds = new Set(older.map(({ run_id }) => run_id));
  const left = newer.filter(({ run_id }) => !olderIds.has(run_id));
  const counted = older.length === newer.length ? [] : differencesOf(older.length, newer.length, "(runs)");
  const paired = older.flatMap((run) => {
    const other = newerById.get(run.run_id) ?? left.shift();
    return other === undefined ? [] : differencesOf(run, other);
  });
  return [...counted, ...paired];
}

function byField(differences: readonly Found[]): [string, Found[]][] {
  const map = new Map<string, Found[]>();
  for (const one of differences) map.set(one.field, [...(map.get(one.field) ?? []), one]);
  return [...map].sort(([, a], [, b]) => b.length - a.length);
}
