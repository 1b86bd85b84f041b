import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import type { AgentRun } from "../../src/model/run.ts";
import type { Batch } from "../../src/otlp/rows/batch.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { createEngine, type Engine, type EngineOptions } from "../../src/replay/engine.ts";
import type { DialectTable } from "../../src/runs/facts/dialect-table.ts";
import { document, span } from "../support/otlp.ts";

const own = document([
  span("a", undefined, "desk", 0, 100, { "desk.kind": "whole", "desk.first": "one", "desk.second": "two" }),
]);
const fixtures = ["rag-aws.langgraph", "support-reset.agents-sdk"].flatMap((name) =>
  readFileSync(`test/fixtures/runs/${name}.jsonl`, "utf8").split("\n").filter(Boolean),
);
const bodies = [JSON.stringify(own), ...fixtures];

/** The same attributes, which two configurations read the other way round. */
function dialect(query: string, answer: string): DialectTable {
  const known = { name: "desk", markers: ["desk.kind"], roles: { "desk.kind": { whole: "agent" as const } } };
  return { ...known, scopes: [], names: {}, fields: { input: [query], output: [answer] }, apart: [] };
}

const options: readonly Pick<EngineOptions, "dialects" | "prices" | "seed">[] = [
  { dialects: [dialect("desk.first", "desk.second")], prices: {}, seed: 1 },
  {
    dialects: [dialect("desk.second", "desk.first")],
    prices: { "gpt-4o-mini": { input: 1_000, output: 2_000 } },
    seed: 2,
  },
];

interface Reading {
  readonly engine: Engine;
  readonly runs: AgentRun[];
}

function begin(about: Pick<EngineOptions, "dialects" | "prices" | "seed">): Reading {
  const runs: AgentRun[] = [];
  const onRun = (run: AgentRun): void => void runs.push(run);
  const engine = createEngine({
    ...about,
    timeouts: unlimitedTraceTimeouts,
    quietMs: Infinity,
    attributes: [],
    onRun,
  });
  return { engine, runs };
}

function accept({ engine }: Reading, body: string): Batch {
  const signal = body.includes("resourceLogs") ? "logs" : "traces";
  const decoded = decodeRequest(new TextEncoder().encode(body), signal, "json");
  if (!decoded.ok || decoded.batch === null) throw new Error("the body was not decoded");
  engine.pipeline.accept(decoded.batch, 0);
  return decoded.batch;
}

function end({ engine, runs }: Reading): object[] {
  engine.pipeline.drain("eof", 0);
  return runs
    .sort((a, b) => a.startUnixMs - b.startUnixMs || (a.runId < b.runId ? -1 : 1))
    .map((run) => runJson(run));
}

describe("two engines in one process", () => {
  test("each give the runs that they give alone, when they read the same telemetry in turns", () => {
    const inTurns = options.map(begin);
    for (const body of bodies) for (const reading of inTurns) accept(reading, body);
    const together = inTurns.map(end);
    const alone = options.map((about) => {
      const reading = begin(about);
      for (const body of bodies) accept(reading, body);
      return end(reading);
    });

    expect(together).toEqual(alone);
    expect(together[0]).not.toEqual(together[1]);
    const said = together.map((runs) => runs.find((run) => JSON.stringify(run).includes('"query":"one"')));
    expect(said.map((run) => run !== undefined)).toEqual([true, false]);
  });

  test("no body of a request is retained by what remains of the process once its engine is gone", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const retained = (() => {
      const reading = begin({ prices: {}, seed: 3 });
      const batches = bodies.map((body) => new WeakRef(accept(reading, body)));
      end(reading);
      return batches;
    })();
    await expect
      .poll(() => {
        collectGarbage();
        return retained.filter((batch) => batch.deref() !== undefined).length;
      })
      .toBe(0);
  });
});
