import { agentSpans, requestOf } from "../data/agent-spans.ts";
import type { Span } from "../data/otlp-json.ts";
import { encode } from "../data/protobuf.ts";
import { measure } from "../harness/paired.ts";
import type { Result } from "../harness/result.ts";
import { against, at, figuresOf, stepsOf } from "./growth.ts";
import { judge, WARM_MS } from "./judging.ts";
import { shapes } from "./shapes.ts";

const SIZES = [10, 100, 1_000, 10_000, 100_000] as const;
const A_REQUEST = 512;
/** At least so many are judged at once, in as many traces as that takes: what is paid once would hide what a small trace costs. */
const SPANS = 10_000;

/** Traces of more and more spans, from bytes to verdicts. */
export async function trace(rounds: number): Promise<Result[]> {
  const bodies = SIZES.map((size) => {
    const traces = Math.max(1, SPANS / size);
    return requestsOf(Array.from({ length: traces }, (_, at) => agentSpans(at, size)).flat());
  });
  const all = await measure(
    bodies.map((some) => () => judge(some)),
    { rounds, sampleMs: 50, warmMs: WARM_MS },
  );
  const steps = stepsOf(SIZES, all, (size) => Math.max(SPANS, size));
  const ratio = (large: number, small: number, atMost: number): Result =>
    against(
      `growth.trace.${small}-${large}`,
      { atMost },
      `time a span, a trace of ${large} spans against one of ${small}`,
      at(steps, large),
      at(steps, small),
    );
  return [
    ...figuresOf({
      name: "growth.trace",
      what: "bytes to verdict, a span",
      unit: "µs",
      steps,
      of: "spans in a trace",
      costs: "of each",
    }),
    ratio(1_000, 10, 1.25),
    ratio(100_000, 1_000, 1.25),
  ];
}

const [SMALL, LARGE] = [1_000, 20_000];

/** The same for runs of other shapes. */
export async function shaped(rounds: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const [shape, spansOf] of Object.entries(shapes)) {
    const bodies = [SMALL, LARGE].map((size) => requestsOf(spansOf(size)));
    for (let warm = 0; warm < 30; warm++) judge(bodies[0] ?? []);
    const all = await measure(
      bodies.map((some) => () => judge(some)),
      { rounds, sampleMs: 50 },
    );
    const steps = stepsOf([SMALL, LARGE], all, (size) => size);
    const name = `growth.shapes.${shape.replaceAll(" ", "-")}`;
    const what = `bytes to verdicts, a span of one trace: ${shape}`;
    results.push(...figuresOf({ name, what, unit: "µs", steps, of: "spans in a trace", costs: "of each" }));
    const against1k = `time a span of ${LARGE} spans against ${SMALL}: ${shape}`;
    results.push(against(name, { atMost: 1.25 }, against1k, at(steps, LARGE), at(steps, SMALL)));
  }
  return results;
}

function requestsOf(spans: readonly Span[]): Uint8Array[] {
  const requests: Uint8Array[] = [];
  for (let from = 0; from < spans.length; from += A_REQUEST)
    requests.push(encode(requestOf(spans.slice(from, from + A_REQUEST))));
  return requests;
}
