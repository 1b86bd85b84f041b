import { describe, expect, test } from "vitest";
import { adapters } from "../../adapters/index.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import type { AgentRun } from "../../src/model/run.ts";
import type { Trace } from "../../src/assemble/trace.ts";
import { chatSpan, inputMessages, outputMessages, words } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { tracesOf } from "../support/runs.ts";
import { spanIdOf, traceIdOf } from "../support/spans.ts";

const fragments = new FragmentReader(adapters);
const QUIET = 10_000;
const LATE = 120_000;

interface Lone {
  readonly id: number;
  readonly atMs: number;
  readonly scope?: string;
  readonly output?: number;
  readonly input?: readonly object[];
  readonly answer?: object;
  readonly finish?: string;
}

const numbered = (id: number) => ({ traceId: traceIdOf(id), spanId: spanIdOf(id) });

/** A trace that is a single model call, as a client library without a framework writes it. */
function lone({ id, atMs, scope = "client", output = id, input, answer, finish = "stop" }: Lone): object {
  const attributes = {
    ...inputMessages(...(input ?? [words("user", `question ${id}`)])),
    ...outputMessages(answer ?? words("assistant", `answer ${id}`)),
    "gen_ai.usage.output_tokens": output,
    "gen_ai.response.finish_reasons": [finish],
  };
  return document([chatSpan("x", undefined, atMs, attributes, numbered(id))], { scope });
}

function addTo(joiner: RunStitcher, call: Lone, nowMs: number): void {
  addAll(joiner, [lone(call)], nowMs);
}

function addAll(stitcher: RunStitcher, documents: readonly object[], nowMs = 0): void {
  for (const trace of tracesOf(documents)) stitcher.add(fragments.read(trace), nowMs);
}

/** A trace that is a single execution of a tool without arguments or result: any two of one service may be of one run. */
function tool(id: number, service = "shop"): object {
  const execution = { "gen_ai.operation.name": "execute_tool" };
  const one = span("x", "lost", "execute_tool look_up", id, id + 1, execution, numbered(id));
  return document([one], { scope: "client", resource: { "service.name": service } });
}

function addTools(stitcher: RunStitcher, from: number, to: number, about: Partial<Trace> = {}): void {
  const documents = Array.from({ length: to - from }, (_, at) => tool(from + at));
  for (const trace of tracesOf(documents)) stitcher.add(fragments.read({ ...trace, ...about }), 0);
}

/** How many of the first traces are open. */
function openOf(stitcher: RunStitcher, count: number): number {
  const traceIds = Array.from({ length: count }, (_, at) => traceIdOf(at + 1));
  return traceIds.filter((id) => stitcher.isOpen(id)).length;
}

function ids(runs: readonly AgentRun[]): number[] {
  return runs.map(({ traceId }) => Number.parseInt(traceId, 16)).sort((a, b) => a - b);
}

describe("calls in traces of their own", () => {
  test("are one where two libraries show the same call, however alike", () => {
    const joiner = new RunStitcher({ quietMs: QUIET, lateMs: LATE });
    addTo(joiner, { id: 1, atMs: 0, scope: "framework", output: 5 }, 0);
    addTo(joiner, { id: 2, atMs: 0, scope: "client", output: 5 }, 0);
    expect(ids(joiner.emit(QUIET))).toHaveLength(1);
    expect(joiner.drain()).toHaveLength(0);
  });

  test("are forgotten after the late window, copies as well", () => {
    const joiner = new RunStitcher({ quietMs: QUIET, lateMs: LATE });
    for (let id = 1; id <= 50; id++) {
      addTo(joiner, { id, atMs: id * 10_000, scope: "framework", output: id }, 0);
      addTo(joiner, { id: id + 100, atMs: id * 10_000, scope: "client", output: id }, 0);
    }
    expect(joiner.emit(QUIET)).toHaveLength(50);
    expect(openOf(joiner, 300)).toBe(100);
    joiner.emit(QUIET + LATE);
    expect(openOf(joiner, 300)).toBe(0);
  });
});

describe("many runs that are due at once", () => {
  test("are released in portions, each once", () => {
    const stitcher = new RunStitcher({ quietMs: QUIET, lateMs: LATE });
    const all = Array.from({ length: 500 }, (_, at) => at + 1);
    addAll(
      stitcher,
      all.map((id) => lone({ id, atMs: id * 1_000, finish: "tool_calls" })),
    );

    const released: number[] = [];
    let portions = 0;
    do {
      const runs = stitcher.emit(QUIET, 32);
      expect(runs.length).toBeLessThanOrEqual(64);
      released.push(...ids(runs));
      portions++;
    } while (stitcher.isBehind);

    expect(portions).toBeGreaterThan(5);
    expect(released.sort((a, b) => a - b)).toEqual(all);
    expect(stitcher.emit(QUIET + 1, 32)).toEqual([]);
  });

  test("are evicted in portions where too many wait", () => {
    const stitcher = new RunStitcher({ quietMs: Infinity, lateMs: LATE, maxFragments: 100 });
    addAll(
      stitcher,
      Array.from({ length: 300 }, (_, at) => lone({ id: at + 1, atMs: at * 1_000, finish: "tool_calls" })),
    );

    expect(stitcher.emit(0, 10).length).toBeLessThanOrEqual(40);
    expect(stitcher.isBehind).toBe(true);
    while (stitcher.isBehind) stitcher.emit(0, 10);
    expect(openOf(stitcher, 300)).toBeLessThanOrEqual(100);
  });
});

describe("what a sender can make a run of", () => {
  test("a run of very many traces is released in parts, none of which is reported as complete", () => {
    const stitcher = new RunStitcher({ quietMs: QUIET, lateMs: LATE });
    addTools(stitcher, 1, 2_501);

    const runs = stitcher.emit(QUIET);

    expect(runs.map(({ traceIds }) => traceIds.length)).toEqual([1_000, 1_000, 500]);
    for (const { complete, missing } of runs) {
      expect(complete).toBe(false);
      expect(missing.map(({ why }) => why)).toContainEqual(
        expect.stringContaining("consists of several traces"),
      );
    }
  });

  test("a trace that was closed for want of memory does not wait for others", () => {
    const stitcher = new RunStitcher({ quietMs: QUIET, lateMs: LATE });
    addTools(stitcher, 1, 4, { closeReason: "memory", truncated: true });

    expect(stitcher.heldBytes).toBe(0);
    expect(stitcher.emit(0).map(({ complete }) => complete)).toEqual([false, false, false]);
    expect(openOf(stitcher, 300)).toBe(0);
  });

  test("fragments are in the account of memory until they are forgotten", () => {
    const stitcher = new RunStitcher({ quietMs: QUIET, lateMs: LATE, memoryOfSpan: () => 200_000 });
    addTools(stitcher, 1, 11);
    expect(stitcher.heldBytes).toBeGreaterThan(10 * 100_000);
    stitcher.emit(QUIET);
    expect(stitcher.heldBytes).toBeGreaterThan(10 * 100_000);
    stitcher.forgetReleased();
    expect(stitcher.heldBytes).toBe(0);
  });

  test("memory is released from the service with the most fragments", () => {
    const stitcher = new RunStitcher({ quietMs: QUIET, lateMs: LATE });
    addAll(stitcher, [tool(1, "modest"), tool(2, "modest")]);
    addTools(stitcher, 10, 110);

    const evicted = stitcher.evict(50);

    expect(evicted.flatMap(({ traceIds }) => traceIds)).toHaveLength(50);
    expect(new Set(evicted.map(({ service }) => service))).toEqual(new Set(["shop"]));
  });
});
