import { parseArgs } from "node:util";
import {
  ownRecordings,
  type Recording,
  recordingsBelow,
  requestsOf,
} from "../../bench/data/real/recordings.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { type Arrival, liveRuns, replayedRuns } from "./runs/assemble.ts";
import { brief, differencesOf } from "./runs/differences.ts";
import { asJson, asProtobuf, type Body, type LooseRecord, recordsOf, requestOf } from "./runs/records.ts";

/*
 * npm run identity [-- --recordings DIR] [--only REGEX] [--list 20]: checks that the runs of a recording (`inspect --format json --full`)
 * do not depend on how the telemetry arrives. It arrives as JSON and protobuf, span by span, shuffled, doubled, log records first; and in
 * the live assembler, with some spans after their trace is closed. Prints the number of different values, and the first of them. Exit code
 * 1: there are differences. `close_reason` is ignored, because it depends on the arrival.
 */

const { values } = parseArgs({
  options: {
    recordings: { type: "string", multiple: true },
    only: { type: "string", default: "" },
    list: { type: "string", default: "20" },
  },
});

type Way = (records: readonly LooseRecord[], ids: ReadonlySet<string>) => AgentRun[];

const ways: Readonly<Record<string, Way>> = {
  protobuf: (records) => replayedRuns(records.map((one) => asProtobuf(requestOf(one)))),
  split: (records) => replayedRuns(oneByOne(records)),
  shuffled: (records) => replayedRuns(shuffled(oneByOne(records))),
  doubled: (records) => replayedRuns(shuffled(twice(oneByOne(records)))),
  "logs first": (records) => replayedRuns(oneByOne([...records].sort(logsFirst))),
  live: (records) => liveRuns(arriving(shuffled(twice(oneByOne(records))))),
  // A span whose parent is late may first become its own run. The complete trace does not have this run.
  late: (records, ids) => liveRuns(arrivingLate(records)).filter(({ runId }) => ids.has(runId)),
};

const found = recordingsBelow(values.recordings ?? ownRecordings).filter(({ name }) =>
  new RegExp(values.only).test(name),
);
const countByWay = new Map(Object.keys(ways).map((way) => [way, 0]));
let toList = Number(values.list);
let runs = 0;
for (const recording of found) compare(recording);

for (const [way, count] of countByWay) console.log(`${way.padEnd(10)} ${count} differences`);
const total = [...countByWay.values()].reduce((sum, count) => sum + count, 0);
console.log(`${total} differences over ${found.length} recordings with ${runs} runs`);
process.exitCode = total === 0 ? 0 : 1;

function compare(recording: Recording): void {
  const requests = requestsOf(recording);
  const records = requests.flatMap(recordsOf);
  const whole = replayedRuns(requests.map(asJson));
  const ids = new Set(whole.map(({ runId }) => runId));
  const expected = whole.map(comparable);
  runs += expected.length;
  for (const [name, way] of Object.entries(ways)) {
    const differences = differencesOf(expected, way(records, ids).map(comparable));
    countByWay.set(name, (countByWay.get(name) ?? 0) + differences.length);
    for (const { field, before, after } of differences.slice(0, Math.max(0, toList)))
      console.log(
        `${recording.name}  ${name}  ${field}\n    as a file ${brief(before)}\n    ${name} ${brief(after)}`,
      );
    toList -= differences.length;
  }
}

function comparable(run: AgentRun): unknown {
  const { close_reason: _, ...rest } = runJson(run, true);
  return JSON.parse(JSON.stringify(rest));
}

/** Each record in its own request, alternately in JSON and protobuf. */
function oneByOne(records: readonly LooseRecord[]): Body[] {
  return records.map((one, at) => (at % 2 === 0 ? asJson : asProtobuf)(requestOf(one)));
}

/**
 * A fixed, mixed order of the spans, with the log records between them. Log records keep their order: many producers write several of them
 * with the same time, so that only the order in the request tells their sequence.
 */
function shuffled(bodies: readonly Body[]): Body[] {
  const mixed = bodies
    .map((body, index) => ({ body, rank: (index * 2_654_435_761) % 4_294_967_296 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ body }) => body);
  const logs = bodies.filter(({ signal }) => signal === "logs").values();
  return mixed.map((body) => (body.signal === "logs" ? (logs.next().value ?? body) : body));
}

/** As if each request had been acknowledged and sent again. */
function twice(bodies: readonly Body[]): Body[] {
  return [...bodies, ...bodies];
}

function logsFirst(a: LooseRecord, b: LooseRecord): number {
  return Number(a.signal === "traces") - Number(b.signal === "traces");
}

/** All bodies arrive while the collector waits for the rest of the trace. */
function arriving(bodies: readonly Body[]): Arrival[] {
  const lastMs = 4_000;
  return bodies.map((body, at) => ({ body, atMs: Math.floor((lastMs * at) / bodies.length) }));
}

/** One third of the spans with a parent arrive a minute after the others, when their trace is closed. */
function arrivingLate(records: readonly LooseRecord[]): Arrival[] {
  const lateMs = 60_000;
  const isLate = (at: number): boolean => at % 3 === 0 && (records[at]?.record["parentSpanId"] ?? "") !== "";
  return oneByOne(records).map((body, at) => ({ body, atMs: isLate(at) ? lateMs : 0 }));
}
