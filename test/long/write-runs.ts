import { closeSync, openSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { ownRecordings, recordingsBelow, requestsOf } from "../../bench/data/real/recordings.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { replayedRuns } from "./runs/assemble.ts";
import { asJson } from "./runs/records.ts";

/*
 * npm run long -- write-runs --out FILE [--recordings DIR]: writes the runs of each recording as lines of `inspect --format json --full`
 * with the recording's path as `recording`. `npm run long -- compare-runs` compares two such files.
 */

const { values } = parseArgs({
  options: { out: { type: "string" }, recordings: { type: "string", multiple: true } },
});
const { out, recordings = [...ownRecordings] } = values;
if (out === undefined) {
  console.error("usage: npm run long -- write-runs --out FILE [--recordings DIR]");
  process.exit(2);
}
const file = openSync(out, "w");
let runs = 0;
const found = recordingsBelow(recordings);
for (const recording of found) {
  for (const run of replayedRuns(requestsOf(recording).map(asJson))) {
    writeSync(file, `${JSON.stringify({ recording: recording.name, ...runJson(run, true) })}\n`);
    runs++;
  }
}
closeSync(file);
console.log(`${runs} runs of ${found.length} recordings in ${out}`);
