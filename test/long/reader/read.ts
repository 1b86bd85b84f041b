import { writeFileSync } from "node:fs";
import { requestsOf } from "../../../bench/data/real/recordings.ts";
import { runJson } from "../../../src/report/json/run-json.ts";
import { switchRules } from "../../../src/runs/rules.ts";
import { replayedRuns } from "../runs/assemble.ts";
import { asJson } from "../runs/records.ts";
import { CallCounter, callsOf, isInOtlp } from "./calls.ts";
import { recordingSets } from "./recording-sets.ts";

/*
 * Reads recordings with some rules disabled, for `npm run rules`: `node read.js FILE RULES ONLY SET...`. Writes the runs to FILE as JSON
 * lines with `set` and `recording`. Prints `{ runs, calls }`, where `calls` are the calls outside `src/otlp`. Each combination of rules
 * needs a new process, because derived values are cached.
 */

const [file = "", off = "", only = "", ...names] = process.argv.slice(2);
switchRules(new Set(off.split(",").filter((name) => name !== "")));
const bodiesByRecording = recordingSets(names, only === "" ? undefined : only).flatMap(
  ({ name, recordings }) =>
    recordings.map((recording) => ({
      set: name,
      recording: recording.name,
      bodies: requestsOf(recording).map(asJson),
    })),
);
const counter = new CallCounter();
await counter.start();
const runs = bodiesByRecording.flatMap(({ bodies, ...where }) =>
  replayedRuns(bodies).map((run) => ({ where, run })),
);
const calls = callsOf(await counter.take(), (name) => !isInOtlp(name));
counter.stop();
writeFileSync(
  file,
  runs.map(({ where, run }) => `${JSON.stringify({ ...where, ...runJson(run, true) })}\n`).join(""),
);
process.stdout.write(JSON.stringify({ runs: runs.length, calls }));
