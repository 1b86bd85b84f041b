import { adapters } from "../../adapters/index.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { Assembler } from "../../src/assemble/assembler.ts";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { judgeAll } from "../engine.ts";

const fragments = new FragmentReader(adapters);
const judgeRun = judgeAll();

/** CPU that each step gets before it is measured, some 50,000 spans: what is compared is growth, and not how much of a step goes into compiling. */
export const WARM_MS = 1_500;

/** Bodies of requests that hold whole traces, from their bytes to verdicts. @throws Error when there is no verdict */
export function judge(bodies: readonly Uint8Array[]): void {
  const assembler = new Assembler(unlimitedTraceTimeouts, 1);
  for (const body of bodies) {
    const read = readTraces(body);
    if (read.ok) assembler.add(read.batch, 0);
  }
  const joiner = new RunStitcher({ quietMs: 0 });
  for (const one of assembler.closeAll("eof", 0)) joiner.add(fragments.read(one), 0);
  const verdicts = joiner.drain().flatMap((run) => judgeRun(run).verdicts);
  if (verdicts.length === 0) throw new Error("no verdict of a trace");
}
