import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultTraceTimeouts, unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { type Recording, recordingsBelow, requestsOf } from "../../bench/data/real/recordings.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { TraceLifecycle } from "../../src/pipeline/lifecycle/trace-lifecycle.ts";
import { createEngine } from "../../src/replay/engine.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import { asProtobuf, type Body, type LooseRecord, recordsOf, requestOf } from "../long/runs/records.ts";
import { specOf } from "../support/spec-of.ts";

const specs = [
  specOf(
    'version: 1\nagent: "*"\nqueries:\n  - query: "*"\n    path: { max_tool_calls: 3 }\n    cost: { max_total_tokens: 500 }',
  ),
];

interface Judged {
  readonly verdictId: string;
  readonly revision: number;
  readonly runId: string;
  readonly rootSpanId: string;
  /** Everything but ids, revision and close reason. */
  readonly content: string;
}

/** The engine of the collector: `pass` moves its time on. */
class Serving {
  /** By run id, as a store keeps them. */
  readonly judged = new Map<string, Judged>();
  readonly lifecycle = new TraceLifecycle();
  readonly #judge = createJudgeRun({ specs, judgeSkipPolicy: { judge: "off" }, engine: "test" });
  readonly #pipeline;
  #nowMs = 0;

  constructor(isLive: boolean) {
    const { pipeline } = createEngine({
      timeouts: isLive ? { ...defaultTraceTimeouts, lateWindowMs: 600_000 } : unlimitedTraceTimeouts,
      quietMs: isLive ? 15_000 : Infinity,
      attributes: [],
      prices: {},
      seed: 1,
      onTrace: (trace) => this.lifecycle.closed(trace, this.#nowMs),
      identify: (run) => this.lifecycle.identify(run),
      onRun: (run) => {
        for (const id of run.replaces ?? []) this.judged.delete(id);
        for (const verdict of this.#judge(run).verdicts) {
          const { verdict_id, run_id, revision, close_reason: _, ...content } = verdictJson(verdict);
          this.judged.set(run_id, {
            verdictId: verdict_id,
            revision,
            runId: run_id,
            rootSpanId: run.rootSpanId,
            content: JSON.stringify(content),
          });
        }
      },
    });
    this.#pipeline = pipeline;
  }

  accept({ bytes, signal, encoding }: Body): void {
    const decoded = decodeRequest(bytes, signal, encoding);
    if (!decoded.ok || decoded.batch === null) throw new Error(decoded.ok ? "no batch" : decoded.message);
    this.#pipeline.accept(decoded.batch, this.#nowMs);
  }

  pass(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (; this.#nowMs <= endMs; this.#nowMs += 1_000) this.#pipeline.tick(this.#nowMs);
  }

  end(): Judged[] {
    this.#pipeline.drain("eof", this.#nowMs);
    return this.verdicts;
  }

  get verdicts(): Judged[] {
    return [...this.judged.values()].sort((a, b) => (a.content < b.content ? -1 : 1));
  }
}

const replayed = (records: readonly LooseRecord[]): Judged[] => {
  const replay = new Serving(false);
  for (const record of records) replay.accept(asProtobuf(requestOf(record)));
  return replay.end();
};

/** Past the timeouts of a trace without a root, and of a run that may go on in another trace. */
const JUDGED_MS = defaultTraceTimeouts.idleMs + 60_000;

/** Producers whose records name the span that comes late, or whose runs are several traces. */
const kinds = ["google-genai-otel", "openai-js-openlit", "langchain-openllmetry", "gemini-cli"];
const folders = readdirSync("test/fixtures/recordings", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name, at) => at % 6 === 0 || kinds.includes(name));

/** Late roots that join runs which were judged apart, or are a run of their own: how many verdicts are new with it. */
const joined: ReadonlyMap<string, number> = new Map([
  ["rig-without-span/two-tools", 1],
  ["pydantic-ai-temporal/failing", 1],
]);

/** Recordings in which all model answers have one response id, so that their calls count as copies: how many verdicts stay old. */
const unrevised: ReadonlyMap<string, number> = new Map([["google-generativeai-js-openlit/prefix", 2]]);

/**
 * Spans of a second instrumentation or of a workflow engine that were judged as a run before the root came: how many verdicts stay beside
 * those of the run.
 */
const apart: ReadonlyMap<string, number> = new Map([
  ["google-adk-langsmith/refused", 1],
  ["pydantic-ai-temporal/failing", 1],
  ["strands-monocle/delegate", 1],
]);

/** One recording of each of these folders. */
const recordings: readonly Recording[] = folders.flatMap((folder) =>
  recordingsBelow([`test/fixtures/recordings/${folder}`])
    .slice(0, 1)
    .map((one) => ({ ...one, name: `${folder}/${one.name}` })),
);

describe("the root of a run, alone and after the run was judged without it", () => {
  const revised: string[] = [];
  test.each(recordings.map((one) => [one.name, one] as const))(
    "%s: revises the verdict",
    (name, recording) => {
      const records = requestsOf(recording).flatMap(recordsOf);
      const whole = replayed(records);
      const rootIds = new Set(whole.map(({ rootSpanId }) => rootSpanId));
      const isRoot = ({ signal, record }: LooseRecord): boolean =>
        signal === "traces" && rootIds.has(record["spanId"] as string);
      const live = new Serving(true);
      for (const record of records) if (!isRoot(record)) live.accept(asProtobuf(requestOf(record)));
      live.pass(JUDGED_MS);
      const before = live.verdicts;
      for (const record of records) if (isRoot(record)) live.accept(asProtobuf(requestOf(record)));
      live.pass(JUDGED_MS);
      const after = live.verdicts;

      const expected = whole.map(({ content }) => content);
      const contents = after.map(({ content }) => content);
      const same = contents.filter((content) => expected.includes(content));
      const old = unrevised.get(name);
      expect(old === undefined ? same : same.length + old).toEqual(
        old === undefined ? expected : expected.length,
      );
      expect(after).toHaveLength(whole.length + (apart.get(name) ?? 0));
      const ids = new Set(before.map(({ verdictId }) => verdictId));
      const fresh = after.filter(({ verdictId }) => !ids.has(verdictId));
      expect(fresh.length).toBe(Math.max(0, whole.length - before.length) + (joined.get(name) ?? 0));
      if (after.some(({ revision }) => revision > 1)) revised.push(name);
    },
  );
  test("is what most recordings have", () => {
    expect(revised.length).toBeGreaterThan(recordings.length / 2);
  });
});
