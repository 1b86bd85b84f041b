import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { adapters } from "../../adapters/index.ts";
import { Assembler } from "../../src/assemble/assembler.ts";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { type Bodies, bodiesOf } from "../data/bodies.ts";
import { judgeAll } from "../engine.ts";
import type { Case, Figure, Settings } from "../harness/case.ts";
import { measure } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";

const parts = ["decode", "assemble", "adapt", "judge", "structural"] as const;

/** Where the CPU goes between a body and its verdicts, each stage by itself: microseconds a span, or a run. */
export const stages: Case = { name: "stages", figures: [figure("genai"), figure("lean")] };

function figure(profile: "genai" | "lean"): Figure {
  return {
    names: parts.map((part) => `stages.${part}.${profile}`),
    rows: ["G12"],
    measure: (settings) => measured(profile, settings),
  };
}

async function measured(profile: "genai" | "lean", settings: Settings): Promise<Result[]> {
  const bodies = bodiesOf(profile, 16);
  let runs = 0;
  const sides = [
    () => void rowsOf(bodies),
    () => void tracesOf(bodies),
    () => void runsOf(bodies),
    () => {
      runs = judged(bodies);
    },
  ];
  const rounds = await measure(sides, settings);
  // Each side does what the one before does and one stage more.
  const told = (part: number, what: string, per: number): Result =>
    conclude(
      { name: `stages.${parts[part]}.${profile}`, what, unit: "µs" },
      rounds.map((costs) => ((costs[part] ?? 0) - (costs[part - 1] ?? 0)) / per),
    );
  const share = rounds.map(
    (costs) => ((costs[1] ?? 0) - (costs[0] ?? 0) + judgingAgain(bodies)) / (costs[3] ?? 0),
  );
  const what = "assembly and the checks of runs that have been read, of all from body to verdict";
  return [
    told(0, "bytes to rows, a span", bodies.spans),
    told(1, "rows to traces, a span", bodies.spans),
    told(2, "traces to runs (read when asked), a span", bodies.spans),
    told(3, "reading, matching and evaluating, a run", runs),
    conclude(
      { name: `stages.structural.${profile}`, row: "G12", what, unit: "", goal: { atMost: 0.15 } },
      share,
    ),
  ];
}

function rowsOf({ protobuf }: Bodies): Assembler {
  const assembler = new Assembler(unlimitedTraceTimeouts, 1);
  for (const body of protobuf) readTraces(body);
  return assembler;
}

function tracesOf({ protobuf }: Bodies): ReturnType<Assembler["closeAll"]> {
  const assembler = new Assembler(unlimitedTraceTimeouts, 1);
  for (const body of protobuf) {
    const read = readTraces(body);
    if (read.ok) assembler.add(read.batch, 0);
  }
  return assembler.closeAll("eof", 0);
}

const fragments = new FragmentReader(adapters);

function runsOf(bodies: Bodies): AgentRun[] {
  const joiner = new RunStitcher({ quietMs: 0 });
  const runs: AgentRun[] = [];
  for (const trace of tracesOf(bodies)) {
    joiner.add(fragments.read(trace), 0);
    runs.push(...joiner.emit(Infinity));
  }
  return [...runs, ...joiner.drain()];
}

const judgeRun = judgeAll();

/** Microseconds that the checks of all runs take, once everything they ask for has been read. */
function judgingAgain(bodies: Bodies): number {
  const runs = runsOf(bodies);
  for (const run of runs) judgeRun(run);
  const from = process.cpuUsage();
  for (const run of runs) judgeRun(run);
  const { user, system } = process.cpuUsage(from);
  return user + system;
}

function judged(bodies: Bodies): number {
  const runs = runsOf(bodies);
  for (const run of runs) judgeRun(run);
  return runs.length;
}
