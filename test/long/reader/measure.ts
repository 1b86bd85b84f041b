import { readFileSync } from "node:fs";
import { CallCounter, type Calls, callsOf, functionsOf, isInOtlp, isInReader } from "./calls.ts";
import { cpuOf, judgeBodies } from "./pass.ts";
import { asProtobuf, type Body } from "../runs/records.ts";

/*
 * A process that measures what reading recorded runs costs, for `npm run reader:cost`: `node measure.js calls|times|run json|protobuf FILE...`. The first file is read
 * cold, the last is measured, those between make V8 optimise. Prints JSON: `CallFigures`, `TimeFigures`, or nothing.
 */

export interface CallFigures {
  readonly runs: number;
  /** Calls a run. */
  readonly otlp: number;
  readonly others: number;
  readonly reader: number;
  /** Functions outside `src/otlp`: in all, in every second run, and in one run on its own. */
  readonly functions: number;
  readonly inEverySecondRun: number;
  readonly inOneRun: number;
  /** Calls a run by folder, the most first. */
  readonly folders: readonly (readonly [folder: string, calls: number])[];
}

/** CPU of all threads as a multiple of `JSON.parse` of the same lines in the same process. */
export interface TimeFigures {
  readonly cold: number;
  readonly warm: number;
  /** Microseconds of `JSON.parse` of the measured lines, a line. */
  readonly parseUs: number;
}

/** A run on its own is taken from each so many lines. */
const ONE_OF = 40;
/** V8 optimises for so long. */
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

/** Judges one after the other until V8 has had its time. */
function optimise(all: readonly Input[]): void {
  for (let us = 0, at = 0; us < WARM_US && all.length > 0; at++)
    us += cpuOf(() => judgeBodies(all[at % all.length]?.bodies ?? []));
}

/** From bytes, as a reader has them. */
function parse(lines: readonly Buffer[]): void {
  for (const line of lines) JSON.parse(line.toString("utf8"));
}
