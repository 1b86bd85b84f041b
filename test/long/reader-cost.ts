import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DumpStream, replicasOf } from "../../bench/data/real/bodies.ts";
import { specText } from "../../bench/engine.ts";
import { parsedUs, runWhole, testing } from "../../bench/harness/whole-process.ts";
import type { CallFigures, TimeFigures } from "./reader/measure.ts";

/*
 * npm run reader:cost [-- --recordings DIR] [--spans 4000] [--only calls,code,times,process]: measures the cost of reading recorded runs,
 * judging them by 14 checks and writing their verdicts. `calls` (function calls per run) and `code` (machine code that V8 optimised) do not
 * depend on the load of the machine. `times` is the CPU as a multiple of `JSON.parse` of the same lines; `process` is the same for `test
 * --format json`, per additional span.
 */

const parts = ["calls", "code", "times", "process"] as const;

/** Matches a line of V8's log with the size and place of an optimised function. */
const creation = /^code-creation,[^,]*,\d+,\d+,0x[0-9a-f]+,(\d+),(.*),0x[0-9a-f]+,\*/;
/** The second dump is this number of times as large as the first. The difference of their costs does not include the start. */
const MORE = 3;

const { values } = parseArgs({
  options: {
    recordings: { type: "string", default: "test/fixtures/recordings" },
    spans: { type: "string", default: "4000" },
    only: { type: "string", default: parts.join(",") },
  },
});
const spans = Number(values.spans);
const wanted = new Set(values.only.split(","));
const measure = fileURLToPath(new URL("reader/measure.js", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "reader-cost-"));
try {
  if (!existsSync(values.recordings)) throw new Error(`--recordings ${values.recordings}: no such folder`);
  const dumps = written();
  if (wanted.has("calls")) calls(dumps);
  if (wanted.has("code")) code(dumps);
  if (wanted.has("times")) for (const encoding of ["json", "protobuf"] as const) times(encoding, dumps);
  if (wanted.has("process")) await wholeProcess();
} finally {
  rmSync(folder, { recursive: true });
}

/** Dumps in which no run occurs twice. */
function written(): readonly string[] {
  const stream = new DumpStream(replicasOf(values.recordings));
  return Array.from({ length: 5 }, (_, at) => writtenDump(`dump-${at}`, stream, spans).file);
}

function writtenDump(name: string, stream: DumpStream, least: number): { file: string; spans: number } {
  const file = join(folder, `${name}.jsonl`);
  const dump = stream.take(least);
  writeFileSync(file, dump.lines.join(""));
  return { file, spans: dump.spans };
}

function print(what: string, ...figures: readonly string[]): void {
  console.log(`${what.padEnd(14)} ${figures.join(", ")}`);
}

function calls(dumps: readonly string[]): void {
  const output = execFileSync(process.execPath, [measure, "calls", "json", ...dumps], { encoding: "utf8" });
  const { runs, otlp, others, reader, functions, inEverySecondRun, inOneRun, folders } = JSON.parse(
    output,
  ) as CallFigures;
  print(
    "calls a run",
    `${otlp.toFixed(0)} in src/otlp`,
    `${others.toFixed(0)} outside it`,
    `${reader.toFixed(0)} of these in src/runs and adapters (${runs} runs)`,
  );
  print(
    "functions",
    `${functions} outside src/otlp`,
    `${inEverySecondRun} called by at least every second run`,
    `${inOneRun.toFixed(0)} by a single run`,
  );
  for (const [name, count] of folders.slice(0, 14))
    console.log(`    ${count.toFixed(0).padStart(6)}  ${name}`);
}

function code(dumps: readonly string[]): void {
  const log = join(folder, "code.log");
  const flags = ["--log-code", "--no-logfile-per-isolate", `--logfile=${log}`];
  execFileSync(process.execPath, [...flags, measure, "run", "json", ...dumps]);
  const bytesByFunction = new Map<string, number>();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const [, bytes, name] = creation.exec(line) ?? [];
    if (bytes !== undefined && name !== undefined) bytesByFunction.set(name, Number(bytes));
  }
  const total = [...bytesByFunction.values()].reduce((sum, bytes) => sum + bytes, 0);
  print("machine code", `${(total / 2 ** 20).toFixed(2)} MB optimised`, `${bytesByFunction.size} functions`);
}

function times(encoding: "json" | "protobuf", dumps: readonly string[]): void {
  const output = execFileSync(process.execPath, [measure, "times", encoding, ...dumps], { encoding: "utf8" });
  const { cold, warm } = JSON.parse(output) as TimeFigures;
  print(`times ${encoding}`, `${warm.toFixed(1)} x JSON.parse warm`, `${cold.toFixed(1)} x cold`);
}

async function wholeProcess(): Promise<void> {
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, specText("*"));
  const stream = new DumpStream(replicasOf(values.recordings));
  const small = writtenDump("small", stream, spans);
  const large = writtenDump("large", stream, MORE * spans);
  const cpuUs = async (file: string): Promise<number> =>
    (await runWhole(testing(spec, file), { home: folder })).cpuUs;
  await cpuUs(small.file);
  const further = (await cpuUs(large.file)) - (await cpuUs(small.file));
  const parse = parsedUs(large.file) / large.spans;
  const ratio = further / (large.spans - small.spans) / parse;
  print(
    "test, process",
    `${ratio.toFixed(1)} x JSON.parse for each span from ${small.spans} to ${large.spans}`,
  );
}
