import { agentSpans } from "../data/agent-spans.ts";
import { prose } from "../data/prose.ts";
import { encode } from "../data/protobuf.ts";
import { Random } from "../data/random.ts";
import { attributeList, type Attributes, messages, requestOf, type Span } from "../data/span.ts";
import { judgeAll } from "../engine.ts";
import { run } from "../harness/command.ts";
import { measure } from "../harness/paired.ts";
import { conclude, failed, type Result } from "../harness/result.ts";
import { isWanted } from "../harness/table.ts";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { createEngine } from "../../src/replay/engine.ts";

/** One curve: the cost per span at several sizes. */
interface Growing {
  readonly of: string;
  readonly sizes: readonly number[];
  /** The exponent is fitted from this size on; at smaller sizes, fixed costs dominate. */
  readonly from: number;
  /** Makes the spans for one size; the measured cost is divided by their number. */
  readonly make: (size: number) => readonly Span[];
  /** Whether the size is the number of spans. */
  readonly isEach?: true;
}

const written = prose(new Random(1), 1_000_000);
const lengths = [100, 1_000, 10_000, 100_000, 1_000_000];

const curves: Readonly<Record<string, Growing>> = {
  trace: {
    of: "spans in a trace",
    sizes: [10, 100, 1_000, 10_000, 100_000],
    from: 1_000,
    isEach: true,
    make: (size) => traces(10_000 / size, size, {}),
  },
  attribute: {
    of: "size of an attribute that no check reads",
    sizes: lengths,
    from: 10_000,
    make: (size) => traces(2 ** 20 / size, 4, { "app.document": written.slice(0, size) }),
  },
  message: {
    of: "size of a message",
    sizes: lengths,
    from: 10_000,
    make: (size) => {
      const said = messages("assistant", written.slice(0, size));
      return traces(2 ** 20 / size, 4, { "gen_ai.output.messages": said });
    },
  },
  attributes: {
    of: "number of attributes",
    sizes: [10, 100, 300, 1_000, 3_000],
    // Spans with more than 256 attributes share no layout. Each attribute then costs about twice as much.
    from: 300,
    make: (size) => {
      const names = Array.from({ length: size }, (_, at) => [`app.field.${at}`, `value ${at}`] as const);
      return traces(2 ** 15 / size, 4, Object.fromEntries(names));
    },
  },
};

/**
 * Makes about `count` traces (at most 1,000) of `spans` spans each. Each span also gets the attributes `more`, which replace attributes of
 * the same name.
 */
function traces(count: number, spans: number, more: Attributes): Span[] {
  const extra = attributeList(more) as { key: string }[];
  return Array.from({ length: Math.ceil(Math.min(1_000, Math.max(count, 1))) }, (_, trace) =>
    agentSpans(trace, spans).map((span) => {
      const own = (span["attributes"] as { key: string }[]).filter(({ key }) => more[key] === undefined);
      return { ...span, attributes: [...own, ...extra] };
    }),
  ).flat();
}

const judgeRun = judgeAll();

/** Judges the runs in encoded requests. */
function judge(bodies: readonly Uint8Array[]): void {
  let verdicts = 0;
  const { pipeline } = createEngine({
    timeouts: unlimitedTraceTimeouts,
    quietMs: Infinity,
    attributes: [],
    prices: {},
    seed: 0,
    onRun: (one) => void (verdicts += judgeRun(one).verdicts.length),
  });
  for (const body of bodies) {
    const read = readTraces(body);
    if (read.ok) pipeline.accept(read.batch, 0);
  }
  pipeline.drain("eof", 0);
  if (verdicts === 0) throw new Error("no verdict");
}

/**
 * Results: the cost at each size, and the exponent of cost by size. The exponent is the slope of the logarithms, fitted by least squares.
 */
async function grown(name: string, curve: Growing, rounds: number): Promise<Result[]> {
  const { of, sizes, from, make, isEach } = curve;
  const made = sizes.map(make);
  const sides = made.map((spans) => {
    const bodies = Array.from({ length: Math.ceil(spans.length / 512) }, (_, at) =>
      encode(requestOf(spans.slice(at * 512, (at + 1) * 512))),
    );
    return () => judge(bodies);
  });
  const all = await measure(sides, { rounds, sampleMs: 100, warmMs: 1_500 });
  const costs = all.map((round) => round.map((cost, at) => cost / (made[at]?.length ?? 1)));
  const places = sizes.flatMap((size, at) => (size >= from ? [{ at, log: Math.log(size) }] : []));
  const middle = places.reduce((sum, { log }) => sum + log, 0) / places.length;
  const spread = places.reduce((sum, { log }) => sum + (log - middle) ** 2, 0);
  const powers = costs.map((round) => {
    const slope = places.reduce((sum, { at, log }) => sum + (log - middle) * Math.log(round[at] ?? 1), 0);
    return slope / spread + (isEach ? 1 : 0);
  });
  const what = "from bytes to verdicts, per span";
  const power = `exponent of cost by ${of}, from ${from} on (1 is linear): ${what}`;
  const told = { row: "growth", what: power, unit: "power", goal: { atMost: 1.1 } } as const;
  return [
    ...sizes.map((size, at) =>
      conclude(
        { name: `growth.${name}.${size}`, what, unit: "µs" },
        costs.map((round) => round[at] ?? Number.NaN),
      ),
    ),
    conclude({ name: `growth.${name}.power`, ...told }, powers),
  ];
}

await run({
  script: "long -- bench/growth",
  what: "How CPU grows with the spans in a trace, the number of attributes and their size: the cost at each size, and the fitted exponent.",
  only: `a curve: ${Object.keys(curves).join(", ")}`,
  prefix: "growth.",
  isKnown: (name) => Object.keys(curves).some((one) => isWanted(name, [`growth.${one}`])),
  async measure({ only, rounds }, report) {
    for (const [name, curve] of Object.entries(curves)) {
      if (only.length > 0 && !only.some((one) => isWanted(one, [`growth.${name}`]))) continue;
      const results = grown(name, curve, rounds);
      report.add(await results.catch((error: unknown) => [failed(`growth.${name}`, "growth", error)]));
    }
  },
});
