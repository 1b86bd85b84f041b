import { readFileSync } from "node:fs";
import { groupBy } from "../../src/support/structures/group-by.ts";
import { brief, type Difference, differencesOf } from "./runs/differences.ts";

/*
 * npm run long -- compare-runs BEFORE AFTER [REGEX]: compares two files of `npm run long -- write-runs`, or only the fields whose names
 * match. Prints how often each field differs, in how many recordings, and the first twenty differences. Exit code 1: there are
 * differences.
 */

/** Number of differences that are printed. */
const LISTED = 20;

interface Run {
  readonly recording: string;
  readonly run_id: string;
}

interface Found extends Difference {
  readonly recording: string;
}

const [beforeFile, afterFile, fields = ""] = process.argv.slice(2);
if (beforeFile === undefined || afterFile === undefined) {
  console.error("usage: npm run long -- compare-runs BEFORE AFTER [REGEX]");
  process.exit(2);
}
const wantedField = new RegExp(fields);
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

const groups = [...groupBy(found, ({ field }) => field)].sort(([, a], [, b]) => b.length - a.length);
for (const [field, those] of groups)
  console.log(
    `${String(those.length).padStart(6)}  ${field}  (${new Set(those.map(({ recording }) => recording)).size} recordings)`,
  );
for (const { recording, field, ...sides } of found.slice(0, LISTED))
  console.log(`${recording}  ${field}\n    before ${brief(sides.before)}\n    after  ${brief(sides.after)}`);
const differing = new Set(found.map(({ recording }) => recording)).size;
console.log(`${found.length} differences in ${differing} of ${before.size} recordings`);
process.exitCode = found.length === 0 ? 0 : 1;

function runsByRecording(file: string): Map<string, Run[]> {
  const lines = readFileSync(file, "utf8").split("\n");
  const runs = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Run);
  return groupBy(runs, ({ recording }) => recording);
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
