import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requestsOf } from "../../bench/data/real/recordings.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { switchRules } from "../../src/runs/rules.ts";
import { wronglyAllowed } from "../support/forbidden-tools.ts";
import { trueRunsOf } from "../support/recorded-truth.ts";
import { type RecordingSet, recordingSets } from "./reader/recording-sets.ts";
import { anyOf, isFalseClaim, type Score, scorerOf, sumOf, type Totals, totalsOf } from "./reader/scorer.ts";
import { replayedRuns } from "./runs/assemble.ts";
import { brief } from "./runs/differences.ts";
import { asJson } from "./runs/records.ts";

/*
 * npm run score [-- SET...] [--only seen|checked] [--recording REGEX] [--misses] [--field NAME] [--off RULE,RULE] [--scorer FILE]: measures
 * how well recorded runs are read: the share of correct fields, the recordings without a wrong field, and false claims (wrong values for
 * facts that the telemetry does not contain). It also lists tools that were called although a spec that forbids them passes; exit code 1 if
 * there are any. SET is own, js, py, py-more, cli, lang or a folder; default: all of them.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    recording: { type: "string", default: "" },
    misses: { type: "boolean", default: false },
    field: { type: "string" },
    off: { type: "string", default: "" },
    scorer: { type: "string" },
  },
});

const scorer = scorerOf(values.scorer);
switchRules(new Set(values.off.split(",").filter((name) => name !== "")));

const folder = mkdtempSync(join(tmpdir(), "score-"));
try {
  const sets = recordingSets(positionals, values.only, new RegExp(values.recording));
  const totals = sets.map((set) => report(set, scoreOf(set)));
  if (totals.length > 1) print("all", sumOf(totals));
} finally {
  rmSync(folder, { recursive: true });
}

function scoreOf({ name, root, recordings }: RecordingSet): Score {
  const lines = recordings.flatMap((recording) => {
    const runs = replayedRuns(requestsOf(recording).map(asJson));
    const truth = join(root, recording.name, "expected.json");
    if (existsSync(truth))
      for (const tool of wronglyAllowed(trueRunsOf(readFileSync(truth, "utf8")), runs)) {
        console.log(
          `${name}/${recording.name}: a spec that forbids ${tool} passes, although ${tool} was called`,
        );
        process.exitCode = 1;
      }
    return runs.map((run) => `${JSON.stringify({ recording: recording.name, ...runJson(run) })}\n`);
  });
  const file = join(folder, `${name.replaceAll(/\W/g, "-")}.jsonl`);
  writeFileSync(file, lines.join(""));
  return scorer(root, file, anyOf(recordings.map((recording) => recording.name)));
}

function report({ name }: RecordingSet, score: Score): Totals {
  const totals = totalsOf(score);
  print(name, totals);
  for (const [field, { right, scored }] of Object.entries(score.fields))
    if (right < scored) console.log(`    ${field.padEnd(18)} ${scored - right} of ${scored} wrong`);
  if (!values.misses && values.field === undefined) return totals;
  for (const miss of score.misses) {
    if (values.field !== undefined && miss.field !== values.field) continue;
    const state = isFalseClaim(miss) ? " [false claim]" : miss.state === "held" ? "" : ` [${miss.state}]`;
    console.log(
      `${miss.recording}  ${miss.field}${state}\n    true ${brief(miss.want)}\n    read ${brief(miss.got)}`,
    );
  }
  return totals;
}

function print(name: string, { right, scored, perfect, recordings, falseClaims }: Totals): void {
  const percent = (Math.floor((10_000 * right) / Math.max(1, scored)) / 100).toFixed(2);
  console.log(
    `${name.padEnd(8)} ${percent} % of ${scored} fields right, ${perfect} of ${recordings} recordings without a wrong field, ${falseClaims} false claims`,
  );
}
