import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type HistoryForm, historyForms } from "../data/conversation.ts";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { createEngine } from "../../src/replay/engine.ts";
import { DumpStream, replicasOf } from "../data/real/bodies.ts";
import { specText } from "../engine.ts";
import type { Case, Figure, Settings } from "../harness/case.ts";
import { pinnedNode } from "../harness/measured.ts";
import { ratios } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";
import { median } from "../../src/report/statistics/samples/quantiles.ts";
import { parsedUs, runWhole, testing as testCommand } from "../harness/whole-process.ts";

/**
 * CPU from dumps of recorded runs to verdicts: in a warm process, in a new process, for a single run, and for conversations in which each
 * model call repeats all earlier messages. Copies of a recording have different ids, times and texts.
 */
export const real: Case = {
  name: "real",
  figures: [
    { names: ["real.replay"], rows: ["R1"], measure: warm },
    {
      names: ["real.cold"],
      rows: ["R2"],
      measure: (settings) => inFolder((folder) => cold(settings, folder)),
    },
    ...historyForms.map((form): Figure => ({
      names: [`real.history.${form}`, `real.history.${form}.power`],
      rows: ["R3"],
      measure: (settings) => history(form, settings),
    })),
    { names: ["real.missing"], rows: ["R6"], measure: missing },
    {
      names: ["real.start"],
      rows: ["R4"],
      measure: (settings) => inFolder((folder) => start(settings, folder)),
    },
  ],
};

const child = promisify(execFile);
const testing = fileURLToPath(new URL("../servers/testing.js", import.meta.url));

/** CPU in microseconds, and bytes; all per span. */
interface Round {
  readonly test: number;
  readonly parse: number;
  /** CPU of `JSON.parse` of recorded runs. */
  readonly recorded: number;
  readonly bytes: number;
}

async function measuredIn(
  { rounds, replicated }: Settings,
  spans: number,
  form: HistoryForm | "real",
): Promise<readonly Round[]> {
  const given = replicated === undefined ? [] : [replicated];
  const command = pinnedNode([testing, String(rounds), String(spans), form, ...given]);
  return JSON.parse((await child(...command)).stdout) as readonly Round[];
}

async function warm(settings: Settings): Promise<Result[]> {
  const rounds = await measuredIn(settings, 4_000, "real");
  const middle = (key: keyof Round): string =>
    (median(rounds.map((one) => one[key])) ?? Number.NaN).toFixed(1);
  const what = `test --format json, warm / JSON.parse of the lines: ${middle("test")} and ${middle("parse")} µs per span`;
  return [
    conclude(
      { name: "real.replay", row: "R1", what, goal: { atMost: 3.5 } },
      rounds.map(({ test, parse }) => test / parse),
    ),
  ];
}

/** With this many spans, starting the process takes less CPU than judging. */
const COLD_SPANS = 14_000;

async function cold(settings: Settings, home: string): Promise<Result[]> {
  const dump = join(home, "dump.jsonl");
  const spec = join(home, "spec.yaml");
  const { lines, spans, runs } = new DumpStream(replicasOf(settings.replicated)).take(COLD_SPANS);
  writeFileSync(dump, lines.join(""));
  writeFileSync(spec, specText("*"));
  const ratios: number[] = [];
  for (let round = 0; round < settings.rounds; round++) {
    const { cpuUs } = await runWhole(testCommand(spec, dump), { home });
    ratios.push(cpuUs / parsedUs(dump, 0));
  }
  const what = `tracejury test of ${spans} spans in ${runs} recorded runs, whole process / JSON.parse of the lines in another process`;
  return [conclude({ name: "real.cold", row: "R2", what, goal: { atMost: 10 } }, ratios)];
}

/** Each sample reads runs with this number of spans. */
const MISSING_SPANS = 2_000;

/** Extra CPU for reading the reasons of unknown values (`run.missing`), which each verdict in JSON contains. */
async function missing(settings: Settings): Promise<Result[]> {
  const { lines, spans, runs } = new DumpStream(replicasOf(settings.replicated)).take(MISSING_SPANS);
  const batches = lines.map((line) => {
    const signal = Object.hasOwn(JSON.parse(line) as object, "resourceLogs") ? "logs" : "traces";
    return { bytes: Buffer.from(line), signal } as const;
  });
  const reading = (read: (run: AgentRun) => unknown) => (): void => {
    const { pipeline } = createEngine({
      timeouts: unlimitedTraceTimeouts,
      quietMs: Infinity,
      attributes: [],
      prices: {},
      seed: 0,
      onRun: (run) => void read(run),
    });
    for (const { bytes, signal } of batches) {
      const decoded = decodeRequest(bytes, signal, "json");
      if (decoded.ok && decoded.batch !== null) pipeline.accept(decoded.batch, 0);
    }
    pipeline.drain("eof", 0);
  };
  const all = await ratios(
    reading((run) => [factsOf(run), run.missing]),
    reading(factsOf),
    settings,
  );
  const what = `${spans} spans of ${runs} recorded runs, with the reasons of unknown values / without them`;
  return [conclude({ name: "real.missing", row: "R6", what, unit: "", goal: { atMost: 1.05 } }, all)];
}

/** Reads the fields that are computed on first access. */
function factsOf(run: AgentRun): unknown {
  const { conversationId, handoffsAvailable, retrievals, guardrails, stepOrder, attributes } = run;
  return [conversationId, handoffsAvailable, retrievals, guardrails, stepOrder, attributes];
}

async function start(settings: Settings, home: string): Promise<Result[]> {
  const dump = join(home, "one.jsonl");
  const spec = join(home, "spec.yaml");
  writeFileSync(dump, new DumpStream(replicasOf(settings.replicated)).take(1).lines.join(""));
  writeFileSync(spec, specText("*"));
  const ratios: number[] = [];
  // The first run fills the compile cache, which later runs use.
  await runWhole(testCommand(spec, dump), { home });
  for (let round = 0; round < settings.rounds; round++) {
    const nothing = await runWhole(tenTimes([process.execPath, "-e", "0"]), { home });
    const one = await runWhole(tenTimes(testCommand(spec, dump)), { home });
    ratios.push(one.cpuUs / nothing.cpuUs);
  }
  const what = "tracejury test of one recorded run with a filled compile cache / node -e 0, whole processes";
  return [conclude({ name: "real.start", row: "R4", what, goal: { atMost: 9 } }, ratios)];
}

/** The system counts CPU in 10 ms; an empty Node process takes only two or three of these units. */
function tenTimes(command: readonly string[]): string[] {
  return ["sh", "-c", 'for at in 1 2 3 4 5 6 7 8 9 10; do "$@"; done', "sh", ...command];
}

async function history(form: HistoryForm, settings: Settings): Promise<Result[]> {
  const short = await measuredIn(settings, 100, form);
  const long = await measuredIn(settings, 1_000, form);
  const name = `real.history.${form}`;
  const what = "a conversation of 100 calls, without its JSON.parse / JSON.parse of recorded runs, per span";
  const grows = "exponent of CPU by bytes of a conversation, between 100 and 1,000 calls";
  return [
    conclude(
      { name, row: "R3", what, goal: { atMost: 3 } },
      short.map(({ test, parse, recorded }) => (test - parse) / recorded),
    ),
    conclude(
      { name: `${name}.power`, row: "R3", what: grows, unit: "power", goal: { atMost: 1.1 } },
      short.map(({ test, bytes }, round) => {
        const many = long[round];
        return many === undefined ? Number.NaN : Math.log(many.test / test) / Math.log(many.bytes / bytes);
      }),
    ),
  ];
}

async function inFolder(measured: (folder: string) => Promise<Result[]>): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
  try {
    return await measured(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
