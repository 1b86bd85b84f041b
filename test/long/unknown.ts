import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type ExportRequest,
  type Json,
  recordingsBelow,
  requestsOf,
} from "../../bench/data/real/recordings.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { scoreByProgram, sumOf, totalsOf } from "./reader/scorer.ts";
import { replayedRuns } from "./runs/assemble.ts";
import { asJson } from "./runs/records.ts";

/*
 * npm run long -- unknown --scorer FILE --recordings DIR [--recordings DIR] [--keep DIR]: how much of recorded runs is right where the producer is
 * unknown. The runs are assembled as recorded, without any adapter, and with the first segment of every attribute key replaced by a word that no
 * table knows: spans, events, log records, resources and scopes alike, once with and once without `service.name`, which is no producer's own but set by
 * every SDK. The scorer is a program that compares runs with the truth beside the recordings:
 * `node FILE --recordings DIR --runs RUNS.jsonl --json --misses` prints what `reader/scorer.ts` calls a score, where each line of RUNS.jsonl is a run
 * as `inspect --format json` prints it with the path of its recording as `recording`. Exits with 1 when a share is below its threshold.
 */

interface Variant {
  readonly name: string;
  /** Share of fields that has to be right, in per cent; null: shown for comparison. */
  readonly leastPercent: number | null;
  readonly adapters?: [];
  /** Keys that are replaced; none when absent. */
  readonly isReplaced?: (key: string) => boolean;
}

const variants: readonly Variant[] = [
  { name: "as recorded", leastPercent: null },
  { name: "no adapters", leastPercent: 99, adapters: [] },
  { name: "unknown keys", leastPercent: 96, isReplaced: (key) => key !== "service.name" },
  { name: "and service", leastPercent: 93, isReplaced: () => true },
];

/** In no table, and of no meaning. */
const unknownWord = "qorvex";
/** Some producers write `genkit:name`; a key of one segment has nothing but its meaning, and stays. */
const firstSegment = /^[^.:/]+(?=[.:/])/;

const { values } = parseArgs({
  options: {
    scorer: { type: "string" },
    recordings: { type: "string", multiple: true, default: [] },
    keep: { type: "string" },
  },
});
const { scorer, recordings: folders } = values;
if (scorer === undefined || folders.length === 0) {
  console.error(
    "usage: npm run long -- unknown --scorer FILE --recordings DIR [--recordings DIR] [--keep DIR]",
  );
  process.exit(2);
}
const folder = values.keep ?? mkdtempSync(join(tmpdir(), "unknown-"));
mkdirSync(folder, { recursive: true });
try {
  let isGood = true;
  for (const variant of variants) isGood = measure(variant, scorer, folders) && isGood;
  process.exitCode = isGood ? 0 : 1;
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true });
}

function measure(variant: Variant, scorerFile: string, roots: readonly string[]): boolean {
  const file = join(folder, `${variant.name.replaceAll(" ", "-")}.jsonl`);
  const lines = recordingsBelow(roots).flatMap((recording) => {
    const requests = requestsOf(recording).map((one) =>
      variant.isReplaced === undefined ? one : withUnknownKeys(one, variant.isReplaced),
    );
    const runs = replayedRuns(requests.map(asJson), variant.adapters);
    return runs.map((run) => `${JSON.stringify({ recording: recording.name, ...runJson(run, true) })}\n`);
  });
  writeFileSync(file, lines.join(""));
  const score = sumOf(roots.map((root) => totalsOf(scoreByProgram(scorerFile, root, file))));
  const percent = (100 * score.right) / score.scored;
  const isRight = variant.leastPercent === null || percent >= variant.leastPercent;
  const least = variant.leastPercent === null ? "" : `, at least ${variant.leastPercent} %`;
  console.log(
    `${variant.name.padEnd(13)} ${percent.toFixed(2)} % of the fields right${least}; ${score.perfect} of ${score.recordings} ` +
      `recordings entirely right, ${score.falseClaims} false claims${isRight ? "" : "  FAILED"}`,
  );
  return isRight;
}

/** The request with other attribute keys; contents and names stay. */
function withUnknownKeys(
  { signal, document }: ExportRequest,
  isReplaced: (key: string) => boolean,
): ExportRequest {
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === "attributes" ? (inner as readonly Attribute[]).map(renamed) : rewrite(inner),
      ]),
    );
  };
  const renamed = ({ key, value }: Attribute): Attribute => ({
    key: isReplaced(key) ? key.replace(firstSegment, unknownWord) : key,
    value,
  });
  return { signal, document: rewrite(document) as Json };
}

interface Attribute {
  readonly key: string;
  readonly value: unknown;
}
