import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Json, ownRecordings } from "../../../bench/data/real/recordings.ts";
import { systemClock } from "../../../src/judge/limits/clock.ts";
import { PullError } from "../../../src/pull/pull-error.ts";
import { PullProgress } from "../../../src/pull/pull-progress.ts";
import { type PulledToFolder, pullToFolder } from "../../../src/pull/targets/pull-to-folder.ts";
import { Spool } from "../../../src/receive/dump/files/spool.ts";
import { unpackParquet } from "../../../src/receive/dump/stored/unpack-parquet.ts";
import { brief, type Difference, differencesOf } from "../runs/differences.ts";
import { recordsOf } from "../runs/records.ts";
import { recordedTraces, requestsByRecording, runsOf } from "./recorded.ts";
import {
  type RunningStore,
  startClickhouse,
  startJaeger,
  startMlflow,
  startMoto,
  startPhoenix,
} from "./stores.ts";

/*
 * npm run long -- pull [--phoenix PROGRAM] [--mlflow PROGRAM] [--jaeger PROGRAM] [--chdb PYTHON] [--moto PROGRAM] [--recordings DIR] [--field REGEX] [--list 10]: starts each store whose
 * program is given, sends it all recordings, pulls them, and compares the runs with those of the original telemetry, field by field. Exits with 1
 * when fewer recordings give the same runs than docs/pull.md says of the store, which names what differs in the others; with --recordings or --field, when any
 * field differs that the store is not known to lose.
 *
 * The programs: `pip install arize-phoenix mlflow 'moto[server]'` into virtual environments of their own (`moto_server`); Jaeger is `go build ./cmd/jaeger` in its sources.
 * For ClickHouse, a Python with `chdb`, which is its engine; the Collector that writes to it is built with Go.
 */

const { values } = parseArgs({
  options: {
    phoenix: { type: "string" },
    mlflow: { type: "string" },
    jaeger: { type: "string" },
    chdb: { type: "string" },
    moto: { type: "string" },
    recordings: { type: "string", multiple: true },
    field: { type: "string", default: "" },
    list: { type: "string", default: "10" },
  },
});

interface StoreUnderTest {
  readonly name: string;
  readonly program: string | undefined;
  readonly start: (program: string, folder: string) => Promise<RunningStore>;
  /** Fields of a run that the store does not keep, as docs/pull.md says. */
  readonly lost: RegExp;
}

const times = "start_unix_ms|end_unix_ms|duration_ms|time_to_first_token_ms|offset_ms";
const page = readFileSync("docs/pull.md", "utf8");
/** Matches no field, not even the empty name that a recording has whose runs are not equally many. */
const nothing = /(?!)/;
const stores: readonly StoreUnderTest[] = [
  { name: "Jaeger", program: values.jaeger, start: startJaeger, lost: nothing },
  {
    name: "Phoenix",
    program: values.phoenix,
    start: startPhoenix,
    lost: new RegExp(`(?:^|\\.)(?:${times})$|^(?:dialects|attributes|tool_definitions)(?:\\W|$)`),
  },
  { name: "ClickHouse", program: values.chdb, start: startClickhouse, lost: nothing },
  { name: "MLflow", program: values.mlflow, start: startMlflow, lost: nothing },
  { name: "S3", program: values.moto, start: startMoto, lost: nothing },
];

const recordings = recordedTraces(values.recordings ?? [...ownRecordings, "test/fixtures/recordings"]);
const sinceMs = Math.min(...recordings.map(({ startMs }) => startMs));
const wanted = new RegExp(values.field);
/** For S3, where any are taken. */
const credentials = { AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any" };
/** Of five seconds each, until a project that is not there is one of which the store refused everything. */
const PROJECT_ATTEMPTS = 4;
const folder = mkdtempSync(join(tmpdir(), "tracejury-pull-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

for (const store of stores) {
  if (store.program === undefined) console.log(`${store.name}: not given, see the head of this file`);
  else await examine(store, store.program);
}
process.exit();

async function examine({ name, lost, start }: StoreUnderTest, program: string): Promise<void> {
  const store = await start(program, join(folder, name));
  try {
    const refused: string[] = [];
    for (const { name: recording, requests } of recordings)
      for (const request of requests)
        await store.send(request).catch((error: Error) => refused.push(`${recording}: ${error.message}`));
    const pulled = await pullAll(store, join(folder, name));
    const traces = recordings.reduce((sum, { traceIds }) => sum + traceIds.size, 0);
    console.log(
      `${name}: ${pulled.traces} of ${traces} traces, ${pulled.spans} spans, ${pulled.invalid.length} left out, ` +
        `${refused.length} requests refused by the store`,
    );
    for (const one of [...refused, ...pulled.invalid, ...pulled.gaps].slice(0, 5))
      console.log(`  ${brief(one)}`);
    report(name, differencesIn(pulled.lines), lost);
    if (store.parquet === undefined) return;
    console.log(`Parquet, written by ${name}`);
    report(
      "Parquet",
      differencesIn(await linesOfParquet(await store.parquet(), join(folder, name))),
      nothing,
    );
  } finally {
    store.stop();
  }
}

/** What the runs of these lines have that is not as in the original telemetry. */
function differencesIn(lines: readonly string[]): Found[] {
  const byRecording = requestsByRecording(lines, recordings);
  return recordings.flatMap((recording) =>
    differencesOf(runsOf(recording.requests), runsOf(byRecording.get(recording) ?? [])).map((one) => ({
      recording: recording.name,
      ...one,
      field: one.field.replace(/^\[\]\.?/, ""),
    })),
  );
}

async function linesOfParquet(bytes: Uint8Array, below: string): Promise<string[]> {
  const path = join(below, "traces.parquet");
  writeFileSync(path, bytes);
  const spool = new Spool();
  try {
    const unpacked = await unpackParquet({ name: path, path, named: true, size: bytes.length }, spool);
    return linesOf(unpacked.path);
  } finally {
    spool.remove();
  }
}

interface PulledStore {
  readonly traces: number;
  readonly spans: number;
  readonly lines: readonly string[];
  readonly invalid: readonly string[];
  readonly gaps: readonly string[];
}

/** Stores write after they have answered: pulls until nothing more comes. */
async function pullAll(store: RunningStore, below: string): Promise<PulledStore> {
  let before = -1;
  for (let attempt = 0; ; attempt++) {
    await sleep(5000);
    const all: PulledToFolder[] = [];
    const missing: string[] = [];
    let isMissing = false;
    for (const [index, source] of store.sources().entries()) {
      const pulled = await pullToFolder(source, {
        asked: { since: new Date(sinceMs - 1000).toISOString() },
        folder: join(below, `dumps-${attempt}-${index}`),
        env: credentials,
        clock: systemClock,
        progressFor: (name) => new PullProgress(process.stderr, name),
      }).catch((error: unknown) => {
        // A project is there once its first span is written.
        if (!(error instanceof PullError)) throw error;
        if (attempt < PROJECT_ATTEMPTS) isMissing = true;
        else missing.push(error.message);
      });
      if (pulled !== undefined) all.push(pulled);
    }
    if (isMissing) continue;
    const lines = all.flatMap(({ path }) => (path === undefined ? [] : linesOf(path)));
    const spans = lines.flatMap((line) =>
      recordsOf({ signal: "traces", document: JSON.parse(line) as Json }),
    );
    if (spans.length === before)
      return {
        traces: new Set(spans.map(({ record }) => record["traceId"])).size,
        spans: spans.length,
        lines,
        invalid: all.flatMap(({ invalid }) => invalid),
        gaps: [...missing, ...all.flatMap(({ gaps }) => gaps)],
      };
    before = spans.length;
  }
}

/** Lines of a file, or of all files in a folder. */
function linesOf(path: string): string[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : undefined;
  const paths = files?.map(({ parentPath, name }) => join(parentPath, name)) ?? [path];
  return paths.flatMap((file) => readFileSync(file, "utf8").split("\n").filter(Boolean));
}

interface Found extends Difference {
  readonly recording: string;
}

/** How many of all recordings give the same runs, as docs/pull.md says of a store. */
function documentedSame(store: string): number {
  const row = page
    .split("\n")
    .find((line) => line.startsWith(`| ${store} `) || line.startsWith(`| ${store},`));
  const [, same] = /^\| [^|]+\| (\d+)/.exec(row ?? "") ?? [];
  if (same === undefined) throw new Error(`docs/pull.md has no number of ${store}`);
  return Number(same);
}

function report(store: string, found: readonly Found[], lost: RegExp): void {
  const unexpected = found.filter(({ field }) => !lost.test(field) && wanted.test(field));
  const differing = new Set(unexpected.map(({ recording }) => recording)).size;
  console.log(
    `  ${recordings.length - differing} of ${recordings.length} recordings give the same runs; ` +
      `${found.length - unexpected.length} differences in fields that the store loses, ${unexpected.length} in others`,
  );
  const fields = new Map<string, Found[]>();
  for (const one of unexpected) fields.set(one.field, [...(fields.get(one.field) ?? []), one]);
  for (const [field, those] of [...fields].sort(([, a], [, b]) => b.length - a.length))
    console.log(
      `  ${String(those.length).padStart(6)}  ${field === "" ? "(runs)" : field}  (${new Set(those.map(({ recording }) => recording)).size} recordings)`,
    );
  for (const { recording, field, before, after } of unexpected.slice(0, Number(values.list)))
    console.log(`  ${recording}  ${field}\n      sent   ${brief(before)}\n      pulled ${brief(after)}`);
  const isAll = values.recordings === undefined && values.field === "";
  const same = isAll ? documentedSame(store) : recordings.length;
  if (recordings.length - differing >= same) return;
  if (isAll) console.log(`  docs/pull.md says that ${same} give the same runs`);
  process.exitCode = 1;
}
