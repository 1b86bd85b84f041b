import fc from "fast-check";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { replayJudged } from "../../src/replay/judging/replay-judged.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import type { VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { agentTrace, type PlainSpan, requestAsJson } from "../chaos/agent-trace.ts";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";
import { type OtlpSink, startOtlpSink } from "../support/otlp-sink.ts";
import { inMemory, postSpans, serve, type ServeOptions } from "../support/serve.ts";
import { specOf } from "../support/spec-of.ts";
import {
  type FaultPlace,
  PassingUserChecks,
  readingPlaces,
  reportingPlaces,
  stagePlaces,
} from "../support/trace-faults.ts";

const TRACES = 200;
const SERIES = 39;
const specs = [
  'queries: [{ query: "*", path: { max_tool_calls: 2 }, correctness: { run_status: ok } }]',
  'queries: [{ id: talk, query: "*", scope: conversation, path: { max_tool_calls: 9 } }]',
].map((queries, at) => specOf(`version: 1\nagent: chaos\n${queries}`, `spec-${at}.yaml`));

const withOwnCheck = specOf(
  'version: 1\nagent: chaos\nqueries: [{ query: "*", checks: "./own.mjs#looks" }]',
  "own.yaml",
);
/** Places that a fault was thrown in. */
const reached = new Set<string>();

interface Recorded {
  readonly traceId: string;
  readonly spans: readonly PlainSpan[];
  readonly conversation: string | null;
}

/** Runs with tools, conversations of two traces, and model calls without an agent, which wait for others. */
const recorded: readonly Recorded[] = Array.from({ length: TRACES }, (_, n) => {
  const { traceId, root, tools } = agentTrace(SERIES, n, n % 4);
  if (n % 10 === 7) {
    const call = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o" };
    return { traceId, spans: [{ ...root, attributes: { ...root.attributes, ...call } }], conversation: null };
  }
  if (n % 5 !== 0) return { traceId, spans: [...tools, root], conversation: null };
  const conversation = `talk ${Math.floor(n / 10)}`;
  const attributes = { ...root.attributes, "gen_ai.conversation.id": conversation };
  return { traceId, spans: [...tools, { ...root, attributes }], conversation };
});

const folder = mkdtempSync(join(tmpdir(), "tracejury-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The verdicts, as bytes, that have nothing to do with a trace. */
function besides(verdicts: readonly VerdictJson[], { traceId, conversation }: Recorded): readonly string[] {
  const related = recorded.filter((one) => one.conversation !== null && one.conversation === conversation);
  const ids = new Set(related.map((one) => one.traceId));
  return verdicts
    .filter(
      ({ trace_id: id, turn_run_ids: turns }) => id !== traceId && (turns === undefined || !ids.has(id)),
    )
    .map((verdict) => JSON.stringify(verdict));
}

/** The same without conversations: live, the clock decides which runs are in one. */
function runsBesides(verdicts: readonly VerdictJson[], one: Recorded): readonly string[] {
  const ofRuns = verdicts.filter(({ turn_run_ids: turns }) => turns === undefined);
  return besides(ofRuns, one);
}

/** Verdicts that are only among one of them. */
function differing(some: readonly string[], others: readonly string[]): readonly string[] {
  const [left, right] = [new Set(some), new Set(others)];
  return [...some.filter((one) => !right.has(one)), ...others.filter((one) => !left.has(one))].slice(0, 2);
}

function under<Result>(place: FaultPlace, traceId: string, work: () => Promise<Result>) {
  const end = place.inject(traceId);
  return work().then(
    (result) => ({ result, thrown: end() }),
    (error: unknown) => {
      end();
      throw error;
    },
  );
}

/** The number of a trace, and the name of a place where it fails. */
const faults = (places: readonly FaultPlace[]) =>
  fc.tuple(fc.nat({ max: TRACES - 1 }), fc.constantFrom(...places.map(({ name }) => name)));

function chosen([at, name]: readonly [number, string]): readonly [Recorded, FaultPlace] {
  const place = [...readingPlaces, ...reportingPlaces].find((one) => one.name === name);
  const one = recorded[at];
  if (place === undefined || one === undefined) throw new RangeError(`no trace ${at}, or no place ${name}`);
  return [one, place];
}

describe("a trace that fails leaves the verdicts of the others as they were", () => {
  describe("in replay", () => {
    const dump = join(folder, "dump.jsonl");
    const lineOf = new Map(recorded.map(({ traceId }, at) => [traceId, at + 1]));

    async function judgeDump() {
      const verdicts: VerdictJson[] = [];
      const { invalid } = await replayJudged([dump], {
        config: { attributes: [], prices: {}, redact: { keys: ["password"], patterns: [], detectors: [] } },
        stdin: process.stdin,
        conversationIdleMs: 60_000,
        judge: createJudgeRun({ specs, judgeSkipPolicy: { judge: "off" }, engine: "test" }),
        onJudged: (judged) => verdicts.push(...judged.verdicts.map(verdictJson)),
      });
      return { verdicts, invalid };
    }
    let sound: Awaited<ReturnType<typeof judgeDump>>;
    beforeAll(async () => {
      const lines = recorded.map(({ spans }) => `${Buffer.from(requestAsJson(spans)).toString()}\n`);
      writeFileSync(dump, lines.join(""));
      sound = await judgeDump();
    });

    test("all are judged where nothing fails", () => {
      expect(sound.invalid).toEqual([]);
      expect(new Set(sound.verdicts.map(({ trace_id: id }) => id)).size).toBe(TRACES);
    });

    test("wherever it fails; the file and its line are named, and its verdict is an error", async () => {
      await fc.assert(
        fc.asyncProperty(faults(readingPlaces), async (fault) => {
          const [one, place] = chosen(fault);
          const { result, thrown } = await under(place, one.traceId, judgeDump);
          expect(differing(besides(result.verdicts, one), besides(sound.verdicts, one))).toEqual([]);
          if (thrown === 0) return;
          expect(result.invalid.length).toBeGreaterThan(0);
          for (const { file, line, reason } of result.invalid) {
            expect(reason).toContain("made by the test in");
            // Where the span itself, or its place in the file, is what cannot be read, the trace is named.
            const isNamed = ["buildTrace", "AssembledRun.source"].includes(place.name);
            // A conversation goes by its first run.
            const own = recorded.filter(
              ({ traceId, conversation }) =>
                traceId === one.traceId || (conversation !== null && conversation === one.conversation),
            );
            const places = own.map(({ traceId }) => `${dump} ${lineOf.get(traceId)}`);
            expect(isNamed ? places : [`${file} ${line}`]).toSatisfy((found: readonly string[]) =>
              found.every((at) => places.includes(at)),
            );
          }
          const verdicts = result.verdicts.filter(({ trace_id: id }) => id === one.traceId);
          for (const { outcome } of verdicts) expect(["error", "pass", "fail", "warn"]).toContain(outcome);
        }),
        { numRuns: 30 },
      );
    });
  });

  describe("live", () => {
    let starts = 0;

    let collected: readonly VerdictJson[] = [];

    /** Everything that a verdict can go through: a store, redaction, checks of one's own, a backend that waits for it. */
    const everything = (endpoint: string): ServeOptions => ({
      specs: [...specs, withOwnCheck],
      userChecks: new PassingUserChecks(),
      store: inMemory,
      redact: { keys: ["password"], patterns: [], detectors: ["keys"] },
      forwardTo: [{ endpoint, hold: { maxWaitMs: 2_000, keep: null, events: true } }],
    });

    function start(dataDir: string, isSlow: boolean, more: ServeOptions): Promise<Collector> {
      return serve({
        specs,
        ...more,
        dataDir,
        timeouts: isSlow
          ? { idleMs: 60_000, rootQuietMs: 60_000, rootOpenMs: 60_000 }
          : { idleMs: 300, rootQuietMs: 50, rootOpenMs: 100, lateWindowMs: 200 },
        conversationIdleMs: 1_000,
        export: { file: join(dataDir, "verdicts.jsonl") },
      });
    }

    async function metrics({ listening }: Collector): Promise<string> {
      return (await fetch(`http://${listening.admin}/metrics`)).text();
    }

    /** How many faults were counted. Sends all, by a process of its own first where a restart is wanted; ends once nothing is left in the journal. */
    async function served(isRestarted: boolean, more: ServeOptions = {}): Promise<number> {
      const dataDir = join(folder, `served-${++starts}`);
      let live = await start(dataDir, isRestarted, more);
      const spans = recorded.flatMap((one) => one.spans);
      expect(await postSpans(live, spans)).toBe(200);
      if (isRestarted) {
        await live.stop(LONGEST_WAIT_MS);
        live = await start(dataDir, false, more);
      }
      try {
        const left = async (): Promise<string | undefined> =>
          /^tracejury_journal_live_bytes(?:\{[^}]*\})? (\d+)/m.exec(await metrics(live))?.[1];
        await expect.poll(left).toBe("0");
        const counted = [...(await metrics(live)).matchAll(/^tracejury_faults_total\{[^}]*\} (\d+)/gm)];
        return counted.reduce((sum, [, count]) => sum + Number(count), 0);
      } finally {
        await live.stop(LONGEST_WAIT_MS);
        const lines = readFileSync(join(dataDir, "verdicts.jsonl"), "utf8").trim().split("\n");
        collected = lines.map((line) => JSON.parse(line) as VerdictJson);
      }
    }

    test.each([
      ["", false, 6],
      [", after a restart,", true, 4],
    ])(
      "wherever it fails%s it is counted, and the journal is done with it",
      async (_, isRestarted, numRuns) => {
        await served(isRestarted);
        const sound = collected;
        expect(new Set(sound.map(({ trace_id: id }) => id)).size).toBe(TRACES);
        const places = [...readingPlaces, ...reportingPlaces];
        await fc.assert(
          fc.asyncProperty(faults(places), async (fault) => {
            const [one, place] = chosen(fault);
            const { result, thrown } = await under(place, one.traceId, () => served(isRestarted));
            expect(differing(runsBesides(collected, one), runsBesides(sound, one))).toEqual([]);
            expect(result > 0).toBe(thrown > 0);
          }),
          { numRuns, seed: 39 },
        );
      },
    );

    describe.each([
      ["at once", false, stagePlaces],
      [
        "after a restart",
        true,
        stagePlaces.filter(({ name }) => /^(?:HeldTrace|Resumption|SqliteStore)/.test(name)),
      ],
    ])("in what comes behind the verdict, %s", (_, isRestarted, places) => {
      let sink: OtlpSink;
      let sound: readonly VerdictJson[] = [];
      beforeAll(async () => {
        sink = await startOtlpSink();
      });
      afterAll(() => sink.close());

      test("all are judged, and sent on, where nothing fails", async () => {
        await served(isRestarted, everything(sink.endpoint));
        sound = collected;
        expect(new Set(sound.map(({ trace_id: id }) => id)).size).toBe(TRACES);
        expect(new Set(sink.spans.map(({ traceId }) => traceId)).size).toBe(TRACES);
      });

      test.each(places.map((place, at) => [place.name, place, (at * 37 + 2) % TRACES] as const))(
        "%s",
        async (_name, place, at) => {
          const one = recorded[at];
          if (one === undefined) throw new RangeError(`no trace ${at}`);
          const before = sink.spans.length;
          const { result, thrown } = await under(place, one.traceId, () =>
            served(isRestarted, everything(sink.endpoint)),
          );
          expect(differing(runsBesides(collected, one), runsBesides(sound, one))).toEqual([]);
          const sentOn = new Set(sink.spans.slice(before).map(({ traceId }) => traceId));
          expect(recorded.filter(({ traceId }) => traceId !== one.traceId && !sentOn.has(traceId))).toEqual(
            [],
          );
          expect(result > 0).toBe(thrown > 0);
          // Some are reached in one of the two ways only.
          reached.add(thrown > 0 ? place.name : "");
        },
      );
    });

    test("each of these places was reached", () => {
      expect(stagePlaces.filter(({ name }) => !reached.has(name)).map(({ name }) => name)).toEqual([]);
    });
  });
});
