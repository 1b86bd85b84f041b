import { readFileSync } from "node:fs";
import { CallCounter, type Calls, callsOf, functionsOf, isInOtlp, isInReader } from "./calls.ts";
import { cpuOf, judgeBodies } from "./pass.ts";
import { asProtobuf, type Body } from "../runs/records.ts";

/*
 * Measures the cost of reading recorded runs, for `npm run reader:cost`: `node measure.js calls|times|run json|protobuf FILE...`. The first
 * file is read cold, the last one is measured, and the others warm up V8. Prints `CallFigures` or `TimeFigures` as JSON, or nothing.
 */

export interface CallFigures {
  readonly runs: number;
  /** Calls per run. */
  readonly otlp: number;
  readonly others: number;
  readonly reader: number;
  /** Numbers of called functions outside `src/otlp`: in all runs, at least in every second run, and in a single run. */
  readonly functions: number;
  readonly inEverySecondRun: number;
  readonly inOneRun: number;
  /** Calls per run by folder, the most calls first. */
  readonly folders: readonly (readonly [folder: string, calls: number])[];
}

/** CPU of all threads, divided by the CPU of `JSON.parse` of the same lines in the same process. */
export interface TimeFigures {
  readonly cold: number;
  readonly warm: number;
  /** Microseconds of `JSON.parse` per measured line. */
  readonly parseUs: number;
}

/** For single runs, one of this number of lines is used. */
const ONE_OF = 40;
/** CPU for warming up V8. */
const WARM_US = 20_000_000;

const [mode, encoding, ...files] = process.argv.slice(2);
const inputs = files.map((file) => {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return { lines: lines.map((line) => Buffer.from(line)), bodies: lines.map(bodyOf) };
});
const [first, last] = [inputs[0], inputs.at(-1)];
if (first === undefined || last === undefined)
  throw new Error("usage: measure.js calls|times|run json|protobuf FILE...");

if (mode === "calls") process.stdout.write(JSON.stringify(await calls(last.bodies)));
else if (mode === "times") process.stdout.write(JSON.stringify(times(first, last)));
else optimise(inputs);

function bodyOf(line: string): Body {
  const signal = line.startsWith('{"resourceLogs"') ? "logs" : "traces";
  if (encoding === "json") return { signal, encoding, bytes: Buffer.from(line) };
  return asProtobuf({ signal, document: JSON.parse(line) as Readonly<Record<string, unknown>> });
}

async function calls(bodies: readonly Body[]): Promise<CallFigures> {
  const counter = new CallCounter();
  await counter.start();
  for (const one of inputs.slice(0, -1)) judgeBodies(one.bodies);
  await counter.take();
  const runs = judgeBodies(bodies);
  const all = await counter.take();
  const alone: number[] = [];
  for (let at = 0; at < bodies.length; at += ONE_OF) {
    const some = bodies.slice(at, at + 1);
    if (judgeBodies(some) === 1) alone.push(functionsOf(await counter.take(), outsideOtlp));
    else await counter.take();
  }
  counter.stop();
  return {
    runs,
    otlp: callsOf(all, isInOtlp) / runs,
    others: callsOf(all, outsideOtlp) / runs,
    reader: callsOf(all, isInReader) / runs,
    functions: functionsOf(all, outsideOtlp),
    inEverySecondRun: functionsOf(all, outsideOtlp, runs / 2),
    inOneRun: alone.reduce((sum, count) => sum + count, 0) / Math.max(1, alone.length),
    folders: byFolder(all, runs),
  };
}

function outsideOtlp(name: string): boolean {
  return !isInOtlp(name);
}

function byFolder({ countByFunction }: Calls, runs: number): [string, number][] {
  const countByFolder = new Map<string, number>();
  for (const [name, count] of countByFunction) {
    const folder = name
      .split("/")
      .slice(0, name.startsWith("src/runs/") ? 3 : 2)
      .join("/");
    countByFolder.set(folder, (countByFolder.get(folder) ?? 0) + count);
  }
  return [...countByFolder]
    .map(([folder, count]): [string, number] => [folder, count / runs])
    .sort((a, b) => b[1] - a[1]);
}

interface Input {
  readonly lines: readonly Buffer[];
  readonly bodies: readonly Body[];
}

function times(cold: Input, measured: Input): TimeFigures {
  const coldUs = cpuOf(() => judgeBodies(cold.bodies));
  const coldParseUs = cpuOf(() => parse(cold.lines));
  optimise(inputs.slice(1, -1));
  parse(measured.lines);
  const parseUs = cpuOf(() => parse(measured.lines));
  const warmUs = cpuOf(() => judgeBodies(measured.bodies));
  return { cold: coldUs / coldParseUs, warm: warmUs / parseUs, parseUs: parseUs / measured.lines.length };
}

/** Judges the inputs repeatedly until V8 is warm. */
function optimise(all: readonly Input[]): void {
  for (let us = 0, at = 0; us < WARM_US && all.length > 0; at++)
    us += cpuOf(() => judgeBodies(all[at % all.length]?.bodies ?? []));
}

/** Parses from bytes, because readers get bytes. */
function parse(lines: readonly Buffer[]): void {
  for (const line of lines) JSON.parse(line.toString("utf8"));
}
