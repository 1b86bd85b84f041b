import { agentSpans, requestOf } from "../data/agent-spans.ts";
import { type Bodies, bodiesOf } from "../data/bodies.ts";
import { encode } from "../data/protobuf.ts";
import { Child, idleUsage } from "../harness/child.ts";
import type { Result } from "../harness/result.ts";
import { Sender } from "../harness/sender.ts";
import { against, at, figuresOf } from "./growth.ts";

const SIZES = [10, 1_000, 10_000, 100_000] as const;
const A_REQUEST = 500;
/** Requests of plain spans that are sent while the others are open. */
const REQUESTS = 48;

/** `serve` with more and more traces open: CPU a span of traces that come and go meanwhile. */
export async function open(rounds: number): Promise<Result[]> {
  const bodies = bodiesOf("plain", 16);
  const steps = SIZES.map((size) => ({ size, costs: [] as number[] }));
  for (let round = 0; round < rounds; round++)
    for (const { size, costs } of steps) costs.push(await cost(size, bodies));
  return [
    ...figuresOf({
      name: "growth.open",
      what: "CPU a span while so many traces are open",
      unit: "µs",
      steps,
      of: "open traces",
      costs: "of all",
      atMost: 0.1,
    }),
    against(
      "growth.open.10-100000",
      { atMost: 1.2 },
      "CPU a span, 100,000 open traces against 10",
      at(steps, 100_000),
      at(steps, 10),
    ),
  ];
}

async function cost(size: number, bodies: Bodies): Promise<number> {
  const child = await Child.start({ kind: "live", holdMs: 500, idleMs: 3_600_000 });
  try {
    const opening = new Sender({ ...bodies, protobuf: unfinished(size) });
    await opening.http(child.ports.http, Math.ceil(size / A_REQUEST), 4);
    const sender = new Sender(bodies);
    await sender.http(child.ports.http, REQUESTS / 2, 4);
    const before = await idleUsage(child);
    await sender.http(child.ports.http, REQUESTS, 4);
    const after = await idleUsage(child);
    return (after.cpu - before.cpu) / ((REQUESTS * bodies.spans) / bodies.protobuf.length);
  } finally {
    child.stop();
  }
}

/** Requests of the first span each of so many traces. */
function unfinished(size: number): Uint8Array[] {
  const requests: Uint8Array[] = [];
  for (let from = 0; from < size; from += A_REQUEST) {
    const spans = Array.from({ length: Math.min(A_REQUEST, size - from) }, (_, index) =>
      agentSpans(from + index, 2).slice(0, 1),
    );
    requests.push(encode(requestOf(spans.flat())));
  }
  return requests;
}
