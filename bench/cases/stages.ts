import { createAdapt } from "../../src/adapt/adapt.ts";
import { adapters } from "../../adapters/index.ts";
import { Assembler } from "../../src/assemble/assembler.ts";
import { endlessPatience } from "../../src/assemble/patience.ts";
import { Joiner } from "../../src/join/joiner.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { readTraces } from "../../src/otlp/read-protobuf.ts";
import { type Bodies, bodiesOf } from "../data/bodies.ts";
import { judgeAll } from "../engine.ts";
import type { Case } from "../harness/case.ts";
import { measure } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";

/** Where the CPU goes between a body and its verdicts, each stage by itself: microseconds a span, or a run. */
export const stages: Case = {
  name: "stages",
  rows: ["G12"],
  run: async (settings) => {
    const results: Result[] = [];
    for (const profile of ["genai", "lean"] as const) {
      const bodies = bodiesOf(profile, 16);
      const runs = { count: 0 };
      const sides = [
        () => void rowsOf(bodies),
        () => void tracesOf(bodies),
        () => void runsOf(bodies),
        () => {
          runs.count = judged(bodies);
        },
      ];
      const rounds = await measure(sides, settings);
      // Each side does what the one before does and one stage more.
      const stage = (index: number, per: number): number[] =>
        rounds.map((costs) => ((costs[index] ?? 0) - (costs[index - 1] ?? 0)) / per);
      const told = (name: string, what: string, values: number[]): void =>
        void results.push(conclude({ name: `stages.${name}.${profile}`, what, unit: "µs" }, values));
      told("decode", "bytes to rows, a span", stage(0, bodies.spans));
      told("assemble", "rows to traces, a span", stage(1, bodies.spans));
      told("adapt", "traces to runs (read when asked), a span", stage(2, bodies.spans));
      told("judge", "reading, matching and evaluating, a run", stage(3, runs.count));
      const share = rounds.map(
        (costs) => ((costs[1] ?? 0) - (costs[0] ?? 0) + judgingAgain(bodies)) / (costs[3] ?? 0),
      );
      const what = "assembly and the checks of runs that have been read, of all from body to verdict";
      results.push(
        conclude(
          { name: `stages.structural.${profile}`, row: "G12", what, unit: "", goal: { atMost: 0.15 } },
          share,
        ),
      );
    }
    return results;
  },
};

function rowsOf({ protobuf }: Bodies): Assembler {
  const assembler = new Assembler(endlessPatience, 1);
  for (const body of protobuf) readTraces(body);
  return assembler;
}

function tracesOf({ protobuf }: Bodies): ReturnType<Assembler["drain"]> {
  const assembler = new Assembler(endlessPatience, 1);
  for (const body of protobuf) {
    const read = readTraces(body);
    if (read.ok) assembler.add(read.batch, 0);
  }
  return assembler.drain("eof", 0);
}

const adapt = createAdapt(adapters);

function runsOf(bodies: Bodies): AgentRun[] {
  const joiner = new Joiner({ quietMs: 0 });
  const runs: AgentRun[] = [];
  for (const trace of tracesOf(bodies)) {
    joiner.add(adapt(trace), 0);
    runs.push(...joiner.release(Infinity));
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
