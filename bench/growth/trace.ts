import { createAdapt } from "../../src/adapt/adapt.ts";
import { adapters } from "../../adapters/index.ts";
import { Assembler } from "../../src/assemble/assembler.ts";
import { endlessPatience } from "../../src/assemble/patience.ts";
import { Joiner } from "../../src/join/joiner.ts";
import { readTraces } from "../../src/otlp/read-protobuf.ts";
import { agentSpans, requestOf } from "../data/agent-spans.ts";
import { encode } from "../data/protobuf.ts";
import { judgeAll } from "../engine.ts";
import { measure } from "../harness/paired.ts";
import type { Result } from "../harness/result.ts";
import { against, at, stepsOf } from "./growth.ts";
import { shapes } from "./shapes.ts";

const SIZES = [10, 100, 1_000, 10_000, 100_000] as const;
const A_REQUEST = 512;

/** One trace of more and more spans, from bytes to its verdict. */
export async function trace(rounds: number): Promise<Result[]> {
  const bodies = SIZES.map((size) => requestsOf(size));
  const all = await measure(
    bodies.map((some) => () => judge(some)),
    { rounds, sampleMs: 50 },
  );
  const steps = SIZES.map((size, index) => ({
    size,
    costs: all.map((costs) => (costs[index] ?? Number.NaN) / size),
  }));
  const ratio = (large: number, small: number, atMost: number): Result =>
    against(
      `growth.trace.${small}-${large}`,
      { atMost },
      `time a span, a trace of ${large} spans against one of ${small}`,
      at(steps, large),
      at(steps, small),
    );
  return [
    ...stepsOf({ name: "growth.trace", what: "bytes to verdict, a span of one trace", unit: "µs", steps }),
    ratio(1_000, 10, 1.25),
    ratio(100_000, 1_000, 1.25),
  ];
}

const [SMALL, LARGE] = [1_000, 20_000];

/** The same for runs of other shapes. */
export async function shaped(rounds: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const [shape, spansOf] of Object.entries(shapes)) {
    const bodies = [SMALL, LARGE].map((size) => requestsOf(size, spansOf(size)));
    for (let warm = 0; warm < 30; warm++) judge(bodies[0] ?? []);
    const all = await measure(
      bodies.map((some) => () => judge(some)),
      { rounds, sampleMs: 50 },
    );
    const [small, large] = [SMALL, LARGE].map((size, index) => ({
      size,
      costs: all.map((costs) => (costs[index] ?? Number.NaN) / size),
    }));
    if (small === undefined || large === undefined) continue;
    const name = `growth.shapes.${shape.replaceAll(" ", "-")}`;
    const what = `bytes to verdicts, a span of one trace: ${shape}`;
    results.push(...stepsOf({ name, what, unit: "µs", steps: [small, large] }));
    const against1k = `time a span of ${LARGE} spans against ${SMALL}: ${shape}`;
    results.push(against(name, { atMost: 1.25 }, against1k, large, small));
  }
  return results;
}

function requestsOf(size: number, spans = agentSpans(size, size)): Uint8Array[] {
  const requests: Uint8Array[] = [];
  for (let from = 0; from < size; from += A_REQUEST)
    requests.push(encode(requestOf(spans.slice(from, from + A_REQUEST))));
  return requests;
}

const adapt = createAdapt(adapters);
const judgeRun = judgeAll();

function judge(bodies: readonly Uint8Array[]): void {
  const assembler = new Assembler(endlessPatience, 1);
  for (const body of bodies) {
    const read = readTraces(body);
    if (read.ok) assembler.add(read.batch, 0);
  }
  const joiner = new Joiner({ quietMs: 0 });
  for (const one of assembler.drain("eof", 0)) joiner.add(adapt(one), 0);
  const verdicts = joiner.drain().flatMap((run) => judgeRun(run).verdicts);
  if (verdicts.length === 0) throw new Error("no verdict of a trace");
}
