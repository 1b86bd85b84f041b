import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import {
  type ExportRequest,
  type Json,
  type Recording,
  requestsOf,
} from "../../../bench/data/real/recordings.ts";
import { runJson } from "../../../src/report/json/run-json.ts";
import { switchRules } from "../../../src/runs/rules.ts";
import { type RecordingSet, recordingSets } from "../reader/recording-sets.ts";
import { anyOf, isFalseClaim, type Miss, scorerOf, sumOf, totalsOf } from "../reader/scorer.ts";
import { replayedRuns } from "../runs/assemble.ts";
import { brief } from "../runs/differences.ts";
import { asJson } from "../runs/records.ts";
import { mutations } from "./mutations.ts";

/*
 * npm run long -- mutations [SET...] [--recording REGEX] [--one-of N] [--mutation REGEX] [--off RULE,RULE] [--unknown] [--misses] [--scorer
 * FILE]: measures how well recorded runs are read if another application, exporter or machine had sent them: with another service name,
 * with other ids, below a server's span, and so on. Prints for each mutation the share of correct fields, and the fields that are wrong but
 * correct in the original recording. SET is as in `npm run score`; `--one-of 5` takes every fifth recording; `--unknown` reads without
 * adapters.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    recording: { type: "string", default: "" },
    "one-of": { type: "string", default: "1" },
    mutation: { type: "string", default: "" },
    off: { type: "string", default: "" },
    unknown: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    scorer: { type: "string" },
  },
});

const scorer = scorerOf(values.scorer);
switchRules(new Set(values.off.split(",").filter((name) => name !== "")));
const oneOf = Number(values["one-of"]);
const sets = recordingSets(positionals, undefined, new RegExp(values.recording)).map((set) => ({
  ...set,
  recordings: set.recordings.filter((_, at) => at % oneOf === 0),
}));
const wanted = mutations.filter(({ name }, at) => at === 0 || new RegExp(values.mutation).test(name));

const folder = mkdtempSync(join(tmpdir(), "mutations-"));
try {
  let before: ReadonlySet<string> | null = null;
  for (const { name, requests, restore } of wanted) {
    const scores = sets.map((set) => ({ set, score: score(set, requests, restore) }));
    const misses = scores.flatMap(({ set, score: one }) =>
      one.misses.map((miss) => ({ miss, key: `${set.name} ${miss.recording} ${miss.field}` })),
    );
    before ??= new Set(misses.map(({ key }) => key));
    report(
      name,
      sumOf(scores.map(({ score: one }) => totalsOf(one))),
      misses.flatMap(({ miss, key }) => (before?.has(key) === true ? [] : [miss])),
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

function score(
  { name, root, recordings }: RecordingSet,
  mutate: (requests: readonly ExportRequest[], truth: Json) => ExportRequest[],
  restore: ((line: string, truth: Json) => string) | undefined,
) {
  const lines = recordings.flatMap((recording) => {
    const truth = truthOf(recording);
    return replayedRuns(
      mutate(requestsOf(recording), truth).map(asJson),
      values.unknown ? [] : undefined,
    ).map((run) => {
      const line = JSON.stringify(runJson(run));
      const fields = JSON.parse(restore?.(line, truth) ?? line) as Json;
      return `${JSON.stringify({ recording: recording.name, ...fields })}\n`;
    });
  });
  const file = join(folder, `${name.replaceAll(/\W/g, "-")}.jsonl`);
  writeFileSync(file, lines.join(""));
  return scorer(root, file, anyOf(recordings.map((recording) => recording.name)));
}

function truthOf({ files }: Recording): Json {
  return JSON.parse(readFileSync(join(dirname(files[0] ?? ""), "expected.json"), "utf8")) as Json;
}

function report(name: string, totals: ReturnType<typeof totalsOf>, news: readonly Miss[]): void {
  const percent = ((100 * totals.right) / Math.max(1, totals.scored)).toFixed(2);
  const byField = new Map<string, number>();
  for (const { field } of news) byField.set(field, (byField.get(field) ?? 0) + 1);
  const fields = [...byField].sort((a, b) => b[1] - a[1]).map(([field, many]) => `${field} ${many}`);
  console.log(
    `${name.padEnd(24)} ${percent} %, ${totals.falseClaims} false claims, ${news.length} fields newly wrong: ${fields.join(", ")}`,
  );
  if (!values.misses) return;
  for (const miss of news)
    console.log(
      `    ${miss.recording}  ${miss.field}${isFalseClaim(miss) ? " [false claim]" : ""}\n        true ${brief(miss.want)}\n        read ${brief(miss.got)}`,
    );
}
