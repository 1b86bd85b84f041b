import { adapters } from "../../adapters/index.ts";
import { openinference } from "../../adapters/openinference/adapter.ts";
import { otelGenai } from "../../adapters/otel-genai/adapter.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import type { Adapter } from "../../adapters/adapter-type.ts";
import { Assembler } from "../../src/assemble/assembler.ts";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { bodiesOf } from "../data/bodies.ts";
import { judgeAll } from "../engine.ts";
import type { Case, Settings } from "../harness/case.ts";
import { ratios } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";

/** The conventions', and the one that claims `session.id`: an attribute that nobody claims is guessed at, which takes longer. */
const speakers = [otelGenai, openinference];

/** What it costs spans of the conventions that other dialects are known as well. */
export const adapt: Case = {
  name: "adapt",
  figures: [{ names: ["adapt.adapters"], rows: ["G15"], measure }],
};

async function measure(settings: Settings): Promise<Result[]> {
  const { protobuf } = bodiesOf("genai", 16);
  const all = judgedWith(adapters);
  const few = judgedWith(speakers);
  const what = `bodies to verdicts: with all ${adapters.length} adapters / with the two that these spans speak`;
  const values = await ratios(
    () => all(protobuf),
    () => few(protobuf),
    settings,
  );
  return [conclude({ name: "adapt.adapters", row: "G15", what, goal: { atMost: 1.1 } }, values)];
}

function judgedWith(known: readonly Adapter[]): (bodies: readonly Uint8Array[]) => void {
  const fragments = new FragmentReader(known);
  const judge = judgeAll();
  return (bodies) => {
    const assembler = new Assembler(unlimitedTraceTimeouts, 1);
    for (const body of bodies) {
      const rows = readTraces(body);
      if (rows.ok) assembler.add(rows.batch, 0);
    }
    const joiner = new RunStitcher({ quietMs: 0 });
    for (const trace of assembler.closeAll("eof", 0)) {
      joiner.add(fragments.read(trace), 0);
      for (const run of joiner.emit(Infinity)) judge(run);
    }
    for (const run of joiner.drain()) judge(run);
  };
}
