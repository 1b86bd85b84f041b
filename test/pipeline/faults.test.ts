import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { replayJudged } from "../../src/replay/judging/replay-judged.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import type { VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { agentTrace, type PlainSpan, requestAsJson } from "../chaos/agent-trace.ts";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { inMemory, postSpans, serve, type ServeOptions } from "../support/serve.ts";
import { specOf } from "../support/spec-of.ts";
import {
  type FaultPlace,
  PassingUserChecks,
  readingPlaces,
  reportingPlaces,
  stagePlaces,
} from "../support/trace-faults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A multiple of 20, after which the kinds of `recorded` repeat, and more than there are places. */
const TRACES = 100;
const SERIES = 39;
const specs = [
  'queries: [{ query: "*", path: { max_tool_calls: 2 }, correctness: { run_status: ok } }]',
  'queries: [{ id: talk, query: "*", scope: conversation, path: { max_tool_calls: 9 } }]',
].map((queries, at) => specOf(`version: 1\nagent: chaos\n${queries}`, `spec-${at}.yaml`));

const withOwnCheck = specOf(
  'version: 1\nagent: chaos\nqueries: [{ query: "*", checks: "./own.mjs#looks" }]',
  "own.yaml",
);
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

const folder = temporaryFolder();

/** A place where work throws, and the trace that it throws for. */
type Fault = readonly [FaultPlace, Recorded];

/** Gives each place a trace of its own; another `shift` gives it a trace of another kind. */
function spread(places: readonly FaultPlace[], shift: number): readonly Fault[] {
  return places.map((place, at) => {
    const one = recorded[(at * 37 + shift) % TRACES];
    if (one === undefined) throw new RangeError(`no trace for ${place.name}`);
    return [place, one];
  });
}

/** Several faults are thrown in one run of the pipeline, each for a trace of its own; other traces have none. */
function groupsOf(places: readonly FaultPlace[]): readonly (readonly Fault[])[] {
  const size = 25;
  const groups = Array.from({ length: Math.ceil(places.length / size) }, (_, at) =>
    places.slice(at * size, (at + 1) * size),
  );
  return groups.map((group, at) => spread(group, 3 * at + 1));
}

/** The traces with a fault, and those in a conversation with one. */
function related(faults: readonly Fault[]): ReadonlySet<string> {
  const talks = new Set(faults.map(([, { conversation }]) => conversation));
  const ids = faults.map(([, { traceId }]) => traceId);
  const ofTalks = recorded.filter(({ conversation }) => conversation !== null && talks.has(conversation));
  return new Set([...ids, ...ofTalks.map(({ traceId }) => traceId)]);
}

/** The verdicts, as bytes, that have nothing to do with a fault. */
function besides(verdicts: readonly VerdictJson[], faults: readonly Fault[]): readonly string[] {
  const ids = new Set(faults.map(([, { traceId }]) => traceId));
  const talks = related(faults);
  return verdicts
    .filter(({ trace_id: id, turn_run_ids: turns }) => !(turns === undefined ? ids : talks).has(id))
    .map((verdict) => JSON.stringify(verdict));
}

/** The same without conversations: live, the clock decides which runs are in one. */
function runsBesides(verdicts: readonly VerdictJson[], faults: readonly Fault[]): readonly string[] {
  return besides(
    verdicts.filter(({ turn_run_ids: turns }) => turns === undefined),
    faults,
  );
}

/** Verdicts that are only among one of them. */
function differing(some: readonly string[], others: readonly string[]): readonly string[] {
  const [left, right] = [new Set(some), new Set(others)];
  return [...some.filter((one) => !right.has(one)), ...others.filter((one) => !left.has(one))].slice(0, 2);
}

/** Makes places throw; the function given ends that, and names the faults that were thrown. */
function inject(faults: readonly Fault[]): () => readonly Fault[] {
  const ends = faults.map(([place, { traceId }]) => place.inject(traceId));
  // What was replaced last is put back first.
  return () => {
    const counts = ends
      .toReversed()
      .map((end) => end())
      .toReversed();
    return faults.filter((_, at) => (counts[at] ?? 0) > 0);
  };
}

describe("a trace that fails does not change the verdicts of other traces", () => {
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

    test.each(groupsOf(readingPlaces).map((faults) => [faults[0]?.[0].name, faults] as const))(
      "wherever it fails, from %s on; the file and its line are named, and its verdict is an error",
      async (_, faults) => {
        const end = inject(faults);
        const result = await judgeDump();
        const thrown = end();
        expect(differing(besides(result.verdicts, faults), besides(sound.verdicts, faults))).toEqual([]);
        for (const [place, one] of thrown) {
          const own = result.invalid.filter(({ reason }) => reason.includes(`by the test in ${place.name})`));
          expect({ place: place.name, isNamed: own.length > 0 }).toEqual({
            place: place.name,
            isNamed: true,
          });
          // Where the span itself, or its place in the file, is what cannot be read, the trace is named.
          if (["buildTrace", "AssembledRun.source"].includes(place.name)) continue;
          // A conversation goes by its first run.
          const places = [...related([[place, one]])].map((id) => `${dump}:${lineOf.get(id)}`);
          for (const { file, line } of own) expect(places).toContain(`${file}:${line}`);
        }
        const failed = new Set(thrown.map(([, { traceId }]) => traceId));
        const outcomes = result.verdicts.filter(({ trace_id: id }) => failed.has(id));
        for (const { outcome } of outcomes) expect(["error", "pass", "fail", "warn"]).toContain(outcome);
      },
    );
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
          ? { idleMs: 3_600_000, rootQuietMs: 3_600_000, rootOpenMs: 3_600_000, rootCapMs: 3_600_000 }
          : { idleMs: 300, rootQuietMs: 50, rootOpenMs: 100, lateWindowMs: 200 },
        conversationIdleMs: 1_000,
        export: { file: join(dataDir, "verdicts.jsonl") },
      });
    }

    async function metrics({ listening }: Collector): Promise<string> {
      return (await fetch(`http://${listening.admin}/metrics`)).text();
    }

    /**
     * How many faults were counted, and which were thrown. Sends all, by a process of its own first where a restart is wanted; ends once nothing is
     * left in the journal.
     */
    async function served(isRestarted: boolean, faults: readonly Fault[], more: ServeOptions = {}) {
      const dataDir = join(folder, `served-${++starts}`);
      const end = inject(faults);
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
        const thrown = end();
        const counts = [...(await metrics(live)).matchAll(/^tracejury_faults_total\{[^}]*\} (\d+)/gm)];
        return { thrown, counted: counts.reduce((sum, [, count]) => sum + Number(count), 0) };
      } finally {
        await live.stop(LONGEST_WAIT_MS);
        const lines = readFileSync(join(dataDir, "verdicts.jsonl"), "utf8").trim().split("\n");
        collected = lines.map((line) => JSON.parse(line) as VerdictJson);
      }
    }

    /** What the pipeline says of all traces where nothing fails. */
    async function soundVerdicts(more: ServeOptions = {}): Promise<readonly VerdictJson[]> {
      expect(await served(false, [], more)).toEqual({ thrown: [], counted: 0 });
      expect(new Set(collected.map(({ trace_id: id }) => id)).size).toBe(TRACES);
      return collected;
    }

    const ways = [
      [false, 1],
      [true, 2],
    ] as const;

    test("wherever a trace fails, at once or after a restart, it is counted and its journal records are released", async () => {
      const sound = await soundVerdicts();
      for (const [isRestarted, shift] of ways) {
        const faults = spread([...readingPlaces, ...reportingPlaces], shift);
        const { thrown, counted } = await served(isRestarted, faults);
        expect(differing(runsBesides(collected, faults), runsBesides(sound, faults))).toEqual([]);
        expect(thrown.length).toBeGreaterThan(faults.length / 2);
        expect(counted).toBeGreaterThanOrEqual(thrown.length);
      }
    });

    test("after a fault in a stage behind the verdict, others are complete, at once and after a restart", async () => {
      const sink = await startOtlpSink();
      const more = everything(sink.endpoint);
      const reached = new Set<FaultPlace>();
      const sound = await soundVerdicts(more);
      expect(new Set(sink.spans.map(({ traceId }) => traceId)).size).toBe(TRACES);
      for (const [isRestarted, shift] of ways) {
        const before = sink.spans.length;
        const faults = spread(stagePlaces, shift);
        const { thrown, counted } = await served(isRestarted, faults, more);
        expect(differing(runsBesides(collected, faults), runsBesides(sound, faults))).toEqual([]);
        const sentOn = new Set(sink.spans.slice(before).map(({ traceId }) => traceId));
        const failing = new Set(faults.map(([, { traceId }]) => traceId));
        const lost = recorded.filter(({ traceId }) => !failing.has(traceId) && !sentOn.has(traceId));
        expect(lost).toEqual([]);
        expect(counted).toBeGreaterThanOrEqual(thrown.length);
        for (const [place] of thrown) reached.add(place);
      }
      await sink.close();
      // Some are reached in one of the two ways only.
      expect(stagePlaces.filter((place) => !reached.has(place)).map(({ name }) => name)).toEqual([]);
    });
  });
});
