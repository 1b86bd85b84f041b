import { expect, test } from "vitest";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { createEngine } from "../../src/replay/engine.ts";
import { asJson } from "../long/runs/records.ts";
import { document, span } from "../support/otlp.ts";

const RUNS = 4;
const CALLS = 200;

/** One trace with several runs. It is read in slices. */
function largeTrace(): Uint8Array {
  const spans = Array.from({ length: RUNS }, (_run, run) => {
    const root = `root${run}`;
    const begun = run * 10_000;
    return [
      span(root, undefined, "invoke_agent a", begun, begun + CALLS, {
        "gen_ai.operation.name": "invoke_agent",
      }),
      ...Array.from({ length: CALLS }, (_call, at) =>
        span(`${run}c${at}`, root, "chat", begun + at, begun + at + 1, { "gen_ai.operation.name": "chat" }),
      ),
    ];
  });
  return asJson({ signal: "traces", document: document(spans.flat()) }).bytes;
}

test("runs of a large trace are published one at a time, also while memory is short, so that requests are answered in between", () => {
  const published: unknown[] = [];
  const { pipeline } = createEngine({
    timeouts: defaultTraceTimeouts,
    quietMs: 15_000,
    attributes: [],
    prices: {},
    seed: 1,
    onRun: (run) => published.push(run),
  });
  const decoded = decodeRequest(largeTrace(), "traces", "json");
  if (!decoded.ok || decoded.batch === null) throw new Error("not decoded");
  pipeline.accept(decoded.batch, 0);
  for (let ticks = 0; published.length === 0 && ticks < 20; ticks++) pipeline.tick(600_000);
  expect(published).toHaveLength(1);
  for (let calls = 0; published.length < RUNS && calls < 20; calls++) {
    const before = published.length;
    pipeline.evict(0, 600_000, 8);
    expect(published.length - before).toBeLessThanOrEqual(1);
  }
  expect(published).toHaveLength(RUNS);
});
