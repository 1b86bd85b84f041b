import { agentSpans, requestOf } from "../data/agent-spans.ts";
import { type KeyValue, type Span, text } from "../data/otlp-json.ts";
import { prose } from "../data/prose.ts";
import { encode } from "../data/protobuf.ts";
import { Random } from "../data/random.ts";
import { heldBytes } from "../harness/held.ts";
import { measure } from "../harness/paired.ts";
import type { Result } from "../harness/result.ts";
import { figuresOf, stepsOf } from "./growth.ts";
import { judge, WARM_MS } from "./judging.ts";

const SPANS = 4;
/** Characters of one value. */
const LENGTHS = [100, 1_000, 10_000, 100_000, 1_000_000] as const;
/** Attributes of one span. */
const COUNTS = [10, 100, 300, 1_000, 3_000] as const;
/** Sets of more than 256 share no layout and cost about twice as much each: the power is that of what comes after this step. */
const UNSHARED = 300;

interface Growing {
  readonly name: string;
  readonly of: string;
  readonly sizes: readonly number[];
  /** About how many bytes a span has more for each of a size. */
  readonly bytes: number;
  /** What every span has more at a size. */
  readonly more: (size: number) => KeyValue[];
  /** The size from which the power is computed. */
  readonly from?: number;
}

const written = prose(new Random(1), LENGTHS[LENGTHS.length - 1] ?? 0);
const sized = { sizes: LENGTHS, bytes: 1 };

/** The names are the same on every span: those of attributes that are new each time are known to cost more. */
const curves: readonly Growing[] = [
  {
    ...sized,
    name: "growth.attributes.size",
    of: "size of an attribute that nobody reads",
    more: (size) => [text("app.document", written.slice(0, size))],
  },
  {
    ...sized,
    name: "growth.attributes.message",
    of: "size of a message",
    more: (size) => [
      text(
        "gen_ai.output.messages",
        JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: written.slice(0, size) }] }]),
      ),
    ],
  },
  {
    name: "growth.attributes.count",
    of: "number of attributes",
    sizes: COUNTS,
    from: UNSHARED,
    bytes: 30,
    more: (size) => Array.from({ length: size }, (_, at) => text(`app.field.${at}`, `value ${at}`)),
  },
];

/** Spans whose attributes are larger and larger, or more and more: CPU from bytes to verdicts, and what is held of an open trace. */
export async function attributes(rounds: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const curve of curves) results.push(...(await grown(curve, rounds)));
  return results;
}

async function grown(curve: Growing, rounds: number): Promise<Result[]> {
  const { name, of, sizes, bytes, more, from } = curve;
  const spansAt = (size: number): number => SPANS * within(2, 2 ** 18 / (bytes * size), 64);
  const bodies = sizes.map((size) => bodiesOf(spansAt(size), more(size)));
  const all = await measure(
    bodies.map((some) => () => judge(some)),
    { rounds, sampleMs: 100, warmMs: WARM_MS },
  );
  const held = sizes.map((size, at) =>
    heldBytes("rows", bodies[at] ?? [], within(64, 2 ** 26 / (bytes * size), 50_000), Math.ceil(rounds / 3)),
  );
  return [
    ...figuresOf({
      name,
      what: "bytes to verdicts, a span",
      unit: "µs",
      steps: stepsOf(sizes, all, spansAt),
      of,
      costs: "of all",
      ...(from === undefined ? {} : { from }),
    }),
    ...figuresOf({
      name: `${name}.memory`,
      what: "resident bytes of a buffered span",
      unit: "B",
      steps: sizes.map((size, at) => ({ size, costs: held[at] ?? [] })),
      of,
      costs: "of all",
      ...(from === undefined ? {} : { from }),
    }),
  ];
}

/** A request for each trace. An attribute that spans have already is replaced. */
function bodiesOf(spans: number, more: readonly KeyValue[]): Uint8Array[] {
  const keys = new Set(more.map(({ key }) => key));
  const larger = (span: Span): Span => ({
    ...span,
    attributes: [...span.attributes.filter(({ key }) => !keys.has(key)), ...more],
  });
  return Array.from({ length: spans / SPANS }, (_, trace) =>
    encode(requestOf(agentSpans(trace, SPANS).map(larger))),
  );
}

function within(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, Math.ceil(value)));
}
