import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomes } from "../../src/model/outcome.ts";
import type { Archive } from "../../src/store/archive.ts";
import type { ChangeRecord } from "../../src/store/recorded-changes.ts";
import { newestOf, sumsOf } from "./expected-sums.ts";
import { type OpenedStore, storeKinds } from "./opened-stores.ts";
import { errorsOfRuns, runsWithErrors } from "./runs-with-errors.ts";
import { HOUR, now, record, runIdOf } from "./stored-records.ts";

/*
 * What every store in a database does, over each of them. Where the machine has no PostgreSQL its part is left out.
 */

const dayAround = { since: now - HOUR, until: now + 24 * HOUR };

const listed = async (archive: Archive): Promise<string[]> =>
  ((await archive.verdicts({}, 100, null))?.verdicts ?? []).map(
    ({ verdictId, revision, outcome }) => `${verdictId} ${revision} ${outcome}`,
  );

const runIdsIn = (archive: Archive) => async (filter: Parameters<Archive["runs"]>[0]) =>
  (await archive.runs(filter, 10, null))?.items.map(({ run_id: id }) => id);

describe.each(storeKinds.map((kind) => [kind.name, kind] as const))("a store in %s", (_, kind) => {
  const open = (maxAgeMs?: number): Promise<OpenedStore> => kind.open(maxAgeMs);
  beforeAll(async () => {
    if (kind.isHere) await kind.start();
  });
  afterAll(async () => {
    if (kind.isHere) await kind.stop();
  });

  describe.skipIf(!kind.isHere)("reads what was written", () => {
    test("verdicts, by everything that a list can be narrowed by", async () => {
      const { archive, add } = await open();
      await add(
        record({ run: 1, outcome: "fail", query: "ÄRGER in Rom" }),
        record({ run: 2, agent: "trip_planner" }),
        record({ run: 3, agent: null, judgedUnixMs: now + HOUR }),
      );
      const all = await listed(archive);
      expect(all).toEqual(["v3 1 pass", "v2 1 pass", "v1 1 fail"]);
      const ids = async (filter: Parameters<Archive["verdicts"]>[0]): Promise<string[] | undefined> =>
        (await archive.verdicts(filter, 10, null))?.verdicts.map(({ verdictId }) => verdictId);
      expect(await ids({ agent: "TripPlanner" })).toEqual(["v2", "v1"]);
      expect(await ids({ outcome: "fail" })).toEqual(["v1"]);
      expect(await ids({ text: "ärger" })).toEqual(["v1"]);
      expect(await ids({ text: "nowhere" })).toEqual([]);
      expect(await ids({ run: runIdOf(2) })).toEqual(["v2"]);
      expect(await ids({ trace: runIdOf(2).slice(0, 32).toUpperCase() })).toEqual(["v2"]);
      expect(await ids({ since: now + 1 })).toEqual(["v3"]);
      expect(await ids({ until: now + 1, spec: "s", query: "q" })).toEqual(["v2", "v1"]);
      expect(await ids({ spec: "other" })).toEqual([]);
    });

    test("runs, by everything that a list can be narrowed by, each with its verdicts", async () => {
      const { archive, add } = await open();
      await add(
        record({ run: 1, outcome: "fail", query: "Ärger" }),
        record({ run: 2, outcome: null, agent: "shop" }),
      );
      const ids = runIdsIn(archive);
      expect(await ids({})).toEqual([runIdOf(2), runIdOf(1)]);
      expect(await ids({ outcome: "none" })).toEqual([runIdOf(2)]);
      expect(await ids({ outcome: "fail", query: "q", text: "ÄRGER" })).toEqual([runIdOf(1)]);
      expect(await ids({ agent: "Shop" })).toEqual([runIdOf(2)]);
      expect(await ids({ service: "shop", model: "M" })).toEqual([runIdOf(2), runIdOf(1)]);
      expect(await ids({ conversation: "c" })).toEqual([]);
      expect(await ids({ since: now + 1 })).toEqual([]);
      expect((await archive.runs({ outcome: "fail" }, 1, null))?.items).toEqual([
        {
          run_id: runIdOf(1),
          agent: "Trip-Planner",
          service: "shop",
          conversation_id: null,
          query: "Ärger",
          error: null,
          outcome: "fail",
          complete: true,
          start_unix_ms: now,
          duration_ms: 100,
          total_tokens: 7,
          cost_usd: 0.5,
          models: ["m"],
          version: null,
          seen_unix_ms: now,
          verdicts: [
            {
              verdict_id: "v1",
              spec: "s",
              query_id: "q",
              outcome: "fail",
              layers: { correctness: "fail", path: "pass", cost: "pass" },
              expected_fail: false,
              reasons: [
                { layer: "correctness", check: "not_in_answer", outcome: "fail", message: "so it is" },
              ],
            },
          ],
        },
      ]);
    });

    test("runs, by several values of a facet, of which any will do", async () => {
      const { archive, add } = await open();
      await add(
        record({ run: 1, outcome: "fail", models: ["gpt-4o"], version: "1.0" }),
        record({ run: 2, outcome: "warn", models: ["gpt-4o-mini", "o3"], version: "1.1", service: "desk" }),
        record({ run: 3, outcome: null, models: ['a "b"'] }),
      );
      const ids = runIdsIn(archive);
      expect(await ids({ outcome: ["fail", "none"] })).toEqual([runIdOf(3), runIdOf(1)]);
      expect(await ids({ modelName: "gpt-4o" })).toEqual([runIdOf(1)]);
      expect(await ids({ model: "gpt-4o" })).toEqual([runIdOf(2), runIdOf(1)]);
      expect(await ids({ modelName: ['a "b"', "o3"] })).toEqual([runIdOf(3), runIdOf(2)]);
      expect(await ids({ version: ["1.0", "1.1"], service: ["desk"] })).toEqual([runIdOf(2)]);
      expect(await ids({ check: "not_in_answer" })).toEqual([runIdOf(1)]);
      expect(await ids({ check: ["expected_tools", "not_in"] })).toEqual([]);
      expect(await ids({ query: ["q", "other"], agent: ["Trip Planner"] })).toEqual([runIdOf(2), runIdOf(1)]);
    });

    test("runs in another order, page by page, with those of which it is unknown last", async () => {
      const { archive, add } = await open();
      const costs = [0.2, null, 0.5, 0.2, null];
      await add(...costs.map((costUsd, at) => record({ run: at + 1, costUsd, durationMs: 1e-7 * (at + 1) })));
      const pages = async (order: NonNullable<Parameters<Archive["runs"]>[3]>): Promise<string[]> => {
        const ids: string[] = [];
        for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
          const page = await archive.runs({ agent: "tripplanner" }, 2, cursor, order);
          ids.push(...(page?.items.map(({ run_id: id }) => id) ?? []));
          cursor = page?.next ?? null;
        }
        return ids;
      };
      const runs = (...numbers: readonly number[]): string[] => numbers.map(runIdOf);
      expect(await pages({ by: "cost", isAscending: false })).toEqual(runs(3, 4, 1, 5, 2));
      expect(await pages({ by: "cost", isAscending: true })).toEqual(runs(4, 1, 3, 5, 2));
      expect(await pages({ by: "took", isAscending: true })).toEqual(runs(1, 2, 3, 4, 5));
      expect(await archive.runs({}, 2, "1~x", { by: "cost", isAscending: true })).toBeUndefined();
    });

    test("counts of each facet's values, over the runs that fit the other facets", async () => {
      const { archive, add } = await open();
      await add(
        record({ run: 1, outcome: "fail", models: ["a", "b"], version: "1" }),
        record({ run: 2, outcome: "pass", models: ["a"], agent: "trip_planner" }),
        record({ run: 3, outcome: null, agent: null, judgedUnixMs: now + HOUR }),
      );
      const all = await archive.facets({});
      expect(all).toMatchObject({ total: 3, is_partial: false });
      expect(new Set(all.facets.outcome)).toEqual(
        new Set(["fail", "pass", "none"].map((value) => ({ value, runs: 1 }))),
      );
      expect(all.facets.agent).toMatchObject([{ runs: 2 }]);
      expect(all.facets).toMatchObject({
        query: [{ value: "q", runs: 2 }],
        check: [{ value: "not_in_answer", runs: 1 }],
        model: [{ value: "a", runs: 2 }, { runs: 1 }, { runs: 1 }],
        service: [{ value: "shop", runs: 3 }],
        version: [{ value: "1", runs: 1 }],
      });
      const narrowed = await archive.facets({ modelName: "a", outcome: ["fail"] });
      expect(narrowed.total).toBe(1);
      expect(new Set(narrowed.facets.outcome.map(({ value }) => value))).toEqual(new Set(["fail", "pass"]));
      expect(new Set(narrowed.facets.model.map(({ value }) => value))).toEqual(new Set(["a", "b"]));
      expect((await archive.facets({ agent: "Trip Planner", text: "nowhere" })).facets.agent).toEqual([
        { value: "Trip Planner", runs: 0 },
      ]);
      expect((await archive.facets({ since: now + 1 })).total).toBe(1);
    });

    test("a list of runs tells a failure that the spec expects, and says why each verdict is no pass", async () => {
      const { archive, add } = await open();
      await add(record({ run: 1, outcome: "fail", expectedFail: true }), record({ run: 2 }));
      const verdicts = (await archive.runs({}, 10, null))?.items.flatMap((run) => run.verdicts);
      expect(verdicts).toMatchObject([
        { expected_fail: false, reasons: [] },
        { expected_fail: true, reasons: [{ check: "not_in_answer", message: "so it is" }] },
      ]);
    });

    test("a list of runs has the errors of those that failed, and no other text for one", async () => {
      const { archive, add } = await open();
      for (const [at, json] of runsWithErrors.entries()) {
        const { run, ...rest } = record({ run: at + 1 });
        await add({ ...rest, run: { ...run, json } });
      }
      const found = (await archive.runs({}, 10, null))?.items.map(({ error }) => error).reverse();
      expect(found).toEqual(errorsOfRuns);
    });

    test("one run with its verdicts, its telemetry byte by byte, and nothing of a run that is not there", async () => {
      const { archive, add } = await open();
      await add(record({ run: 1 }), record({ run: 2, bytes: null }));
      const run = await archive.run(runIdOf(1));
      expect(JSON.parse(run?.json ?? "")).toMatchObject({ run_id: runIdOf(1) });
      expect(run?.verdicts.map(({ verdictId }) => verdictId)).toEqual(["v1"]);
      expect(await archive.telemetry(runIdOf(1))).toEqual([
        { signal: "traces", encoding: "protobuf", bytes: Uint8Array.of(0, 255, 7) },
      ]);
      expect(await archive.telemetry(runIdOf(2))).toEqual([]);
      expect(await archive.run("none")).toBeUndefined();
      expect(await archive.telemetry("none")).toBeUndefined();
      expect(await archive.verdict("none", null)).toBeUndefined();
      expect(await archive.status()).toMatchObject({ runs: 2, verdicts: 2, waiting: 0 });
    });

    test("problems, by query and deciding checks: failures first, then the most frequent", async () => {
      const { archive, add } = await open();
      const called = (text: string) => ({ checks: ["forbidden_tools"], text });
      await add(
        record({
          run: 1,
          outcome: "warn",
          decidedBy: { checks: ["max_loops", "max_tokens"], text: "2 loops" },
        }),
        record({ run: 2, outcome: "fail", decidedBy: called("a was called") }),
        record({ run: 3, outcome: "fail", decidedBy: called("b was called"), judgedUnixMs: now + 1 }),
        record({
          run: 4,
          outcome: "fail",
          decidedBy: called("b was called"),
          judgedUnixMs: now + 2,
          query: "Rom?",
        }),
        record({ run: 5, outcome: "fail" }),
        record({ run: 6 }),
        record({ run: 7, outcome: "skip" }),
      );
      // A later revision that passes takes its failure away.
      await add(record({ run: 8, outcome: "fail", decidedBy: called("c was called") }));
      await add(record({ run: 8, revision: 2 }));
      expect(await archive.problems(dayAround, 10)).toEqual([
        {
          spec: "s",
          query_id: "q",
          outcome: "fail",
          checks: ["forbidden_tools"],
          verdicts: 3,
          first_unix_ms: now,
          last_unix_ms: now + 2,
          reasons: [
            { text: "b was called", verdicts: 2 },
            { text: "a was called", verdicts: 1 },
          ],
          example: { run_id: runIdOf(4), query: "Rom?", agent: "Trip-Planner" },
        },
        expect.objectContaining({ outcome: "fail", checks: null, verdicts: 1, reasons: [] }),
        expect.objectContaining({ outcome: "warn", checks: ["max_loops", "max_tokens"], verdicts: 1 }),
      ]);
      const counts = async (
        window: Partial<Parameters<Archive["problems"]>[0]>,
        limit = 10,
      ): Promise<number[]> =>
        (await archive.problems({ ...dayAround, ...window }, limit)).map(({ verdicts }) => verdicts);
      expect(await counts({ agent: "tripplanner", spec: "s", query: "q" }, 1)).toEqual([3]);
      expect(await counts({ since: now + 1, until: now + 2 })).toEqual([1]);
      expect(await counts({ spec: "other" })).toEqual([]);
    });

    test("samples for comparisons, by an attribute, too", async () => {
      const { archive, add } = await open();
      await add(record({ run: 1, tools: ["search", "book"] }), record({ run: 2, query: "Rom" }));
      const found = await archive.samples({ attribute: ["service.version", '1"2'], model: "M" }, 10);
      expect(found).toMatchObject([
        { runId: runIdOf(2), tools: ["search"], spec: "s", queryId: "q", isWildcard: true, query: "Rom" },
        { runId: runIdOf(1), tools: ["search", "book"], tokens: 7, costUsd: 0.5, durationMs: 100 },
      ]);
      expect(await archive.samples({ agent: "tripplanner", since: now, until: now + 1 }, 1)).toHaveLength(1);
      expect(await archive.samples({ attribute: ["service.version", "1"] }, 10)).toEqual([]);
      expect(await archive.samples({ spec: "other" }, 10)).toEqual([]);
      await add(record({ run: 3, service: "till", models: ["m-large"], version: "2" }));
      const runIds = async (filter: Parameters<Archive["samples"]>[0]): Promise<string[]> =>
        (await archive.samples(filter, 10)).map(({ runId }) => runId);
      expect(await runIds({ modelName: "m" })).toEqual([runIdOf(2), runIdOf(1)]);
      expect(await runIds({ modelName: "m-large" })).toEqual([runIdOf(3)]);
      expect(await runIds({ service: "till" })).toEqual([runIdOf(3)]);
      expect(await runIds({ version: "2" })).toEqual([runIdOf(3)]);
    });

    test("verdicts of one query with their times, all or about so many, and under what runs were made", async () => {
      const { archive, add } = await open();
      await add(
        record({ run: 1, version: "1.0", tools: ["search", "book"] }),
        record({ run: 2, version: "2.0", outcome: "fail", costUsd: null, judgedUnixMs: now + HOUR }),
        record({ run: 3, judgedUnixMs: now + 2 * HOUR }),
      );
      await add(record({ run: 2, version: "2.0", revision: 2, costUsd: null, judgedUnixMs: now + HOUR }));
      const filter = { spec: "s", query: "q", since: now, until: now + 2 * HOUR };
      expect(await archive.timedVerdicts(filter, 10)).toEqual([
        { judgedUnixMs: now, outcome: "pass", durationMs: 100, costUsd: 0.5, tokens: 7 },
        { judgedUnixMs: now + HOUR, outcome: "pass", durationMs: 100, costUsd: null, tokens: 7 },
      ]);
      expect(await archive.timedVerdicts({ ...filter, spec: "other" }, 10)).toEqual([]);
      expect(await archive.runSettings(filter, 10)).toEqual([
        { version: "2.0", models: ["m"], specHash: null, tools: ["search"] },
        { version: "1.0", models: ["m"], specHash: null, tools: ["search", "book"] },
      ]);
      expect(await archive.runSettings(filter, 1)).toMatchObject([{ version: "2.0" }]);
      await add(...Array.from({ length: 37 }, (_, at) => record({ run: 10 + at })));
      const some = await archive.timedVerdicts(filter, 10);
      expect(some.length).toBeGreaterThan(5);
      expect(some.length).toBeLessThan(15);
    });

    test("pages that go on where the one before ended, and none for a cursor that is none", async () => {
      const { archive, add } = await open();
      await add(...[1, 2, 3].map((run) => record({ run, outcome: run === 2 ? null : "pass" })));
      const first = await archive.runs({}, 2, null);
      expect(first?.items.map(({ run_id: id }) => id)).toEqual([runIdOf(3), runIdOf(2)]);
      const second = await archive.runs({}, 2, first?.next ?? null);
      expect([second?.items.map(({ run_id: id }) => id), second?.next]).toEqual([[runIdOf(1)], null]);
      expect(await archive.runs({}, 2, "!")).toBeUndefined();
      expect(await archive.verdicts({}, 2, "!")).toBeUndefined();
      expect(await archive.unjudged(2, "!")).toBeUndefined();
    });

    test("verdicts that came after one, in the order in which they came", async () => {
      const { archive, add } = await open();
      expect(await archive.newest()).toBe(0);
      await add(record({ run: 1 }));
      const newest = await archive.newest();
      await add(record({ run: 2 }), record({ run: 3 }));
      expect((await archive.since(newest, 10)).map(({ verdictId }) => verdictId)).toEqual(["v2", "v3"]);
      expect(await archive.since(newest, 1)).toHaveLength(1);
    });

    test("a listener hears of new verdicts until it ends", async () => {
      const { archive, add } = await open();
      let calls = 0;
      const end = archive.onVerdicts(() => calls++);
      await add(record({ run: 1 }));
      expect(calls).toBeGreaterThan(0);
      const before = calls;
      end();
      await add(record({ run: 2 }));
      expect(calls).toBe(before);
    });
  });

  describe.skipIf(!kind.isHere)("counts each verdict once", () => {
    const someRecord = fc.record({
      run: fc.nat(12),
      revision: fc.integer({ min: 1, max: 3 }),
      outcome: fc.constantFrom(...outcomes),
      agent: fc.constantFrom("a", "A_b", "ab", null),
      query: fc.constantFrom("alpha", "beta", "Alphabet"),
      costUsd: fc.constantFrom(1, 2, null),
    });
    const someFilter = fc.record(
      {
        outcome: fc.constantFrom(...outcomes),
        agent: fc.constantFrom("a", "a-b"),
        text: fc.constantFrom("alpha", "BETA", "zzz"),
      },
      { requiredKeys: [] },
    );
    const fold = (name: string | null): string | undefined => name?.toLowerCase().replaceAll(/[-_]/g, "");

    test(
      "any records, filter and size of page: lists and sums are those of a plain list",
      { timeout: 120_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(someRecord, { maxLength: 25 }),
            someFilter,
            fc.integer({ min: 1, max: 5 }),
            fc.constantFrom(null, HOUR, 24 * HOUR),
            async (made, filter, size, bucketMs) => {
              const { archive, add } = await open();
              // Revisions of one run come one after the other, later ones later.
              const ordered = made
                .toSorted((a, b) => a.revision - b.revision)
                .map((one, at) => ({ ...one, hour: Math.floor(now / HOUR) + at }));
              for (const [at, one] of ordered.entries())
                await add(record({ ...one, bytes: null, judgedUnixMs: now + at * HOUR }));
              const wanted = newestOf(ordered);
              const seen: string[] = [];
              for (
                let cursor: string | null = null, isFirst = true;
                isFirst || cursor !== null;
                isFirst = false
              ) {
                const page = await archive.verdicts(filter, size, cursor);
                seen.push(...(page?.verdicts ?? []).map(({ json }) => json));
                cursor = page?.next ?? null;
              }
              const fitting = wanted.filter(
                ({ outcome, agent, query }) =>
                  (filter.outcome === undefined || outcome === filter.outcome) &&
                  (filter.agent === undefined || fold(agent) === fold(filter.agent)) &&
                  (filter.text === undefined || query.toLowerCase().includes(filter.text.toLowerCase())),
              );
              expect(seen).toEqual(fitting.map((one) => record(one).verdicts[0]?.json));
              const sums = await archive.sums({ since: now - HOUR, until: now + 100 * HOUR }, bucketMs);
              expect(sums).toMatchObject(sumsOf(wanted, bucketMs));
            },
          ),
          { numRuns: kind.name === "SQLite" ? 60 : 12 },
        );
      },
    );

    test("a revision takes the earlier one's place in lists and sums, an older one does not; all can be read", async () => {
      const { archive, add } = await open();
      await add(record({ outcome: "fail", costUsd: 1 }));
      await add(record({ outcome: "warn", revision: 2, judgedUnixMs: now + 2 * HOUR }));
      await add(record({ outcome: "pass", revision: 3, judgedUnixMs: now + 5 * HOUR, costUsd: null }));
      await add(record({ outcome: "fail", revision: 2 }));
      expect(await listed(archive)).toEqual(["v1 3 pass"]);
      expect((await archive.verdict("v1", 1))?.outcome).toBe("fail");
      expect((await archive.verdict("v1", null))?.outcome).toBe("pass");
      expect((await archive.revisions("v1")).map(({ revision }) => revision)).toEqual([1, 2, 3]);
      expect(await archive.sums(dayAround, HOUR)).toMatchObject([
        {
          bucket_unix_ms: Math.floor(now / HOUR) * HOUR,
          verdicts: 1,
          outcomes: { pass: 1 },
          mean_cost_usd: null,
          costs: 0,
          mean_duration_ms: 100,
          mean_tokens: 7,
        },
      ]);
    });

    test("a run takes the place of runs that have become parts of it, in lists and sums", async () => {
      const { archive, add } = await open();
      await add(record({ run: 1, outcome: "fail" }), record({ run: 2 }), record({ run: 3, outcome: null }));
      const replacedRuns = [runIdOf(2), runIdOf(3)];
      await add({ ...record({ run: 1, revision: 2 }), replacedRuns });
      expect(await listed(archive)).toEqual(["v1 2 pass"]);
      expect((await archive.runs({}, 10, null))?.items).toMatchObject([{ run_id: runIdOf(1) }]);
      expect((await archive.unjudged(10, null))?.items).toEqual([]);
      for (const bucket of [null, HOUR])
        expect(await archive.sums(dayAround, bucket)).toMatchObject([{ verdicts: 1, outcomes: { pass: 1 } }]);
    });

    test("a run that late spans changed has only the verdicts that its newest version has", async () => {
      const { archive, add } = await open();
      await add(record({ run: 1, outcome: "fail" }), record({ run: 2, outcome: "fail" }));
      await add({ ...record({ run: 1, outcome: null }), isRevision: true });
      expect(await listed(archive)).toEqual(["v2 1 fail"]);
      expect((await archive.unjudged(10, null))?.items).toMatchObject([{ run_id: runIdOf(1) }]);
      await add({ ...record({ run: 2, revision: 2 }), isRevision: true });
      expect(await listed(archive)).toEqual(["v2 2 pass"]);
      for (const bucket of [null, HOUR])
        expect(await archive.sums(dayAround, bucket)).toMatchObject([{ verdicts: 1, outcomes: { pass: 1 } }]);
    });

    test("a run that late spans changed keeps the verdict of the conversation that it begins", async () => {
      const { archive, add } = await open();
      const ofRun = record({ run: 1, outcome: "fail" });
      const made = record({ run: 1, queryId: "conversation" });
      const ofConversation = {
        ...made,
        verdicts: made.verdicts.map((verdict) => ({
          ...verdict,
          verdictId: "c1",
          json: JSON.stringify({
            ...JSON.parse(verdict.json),
            verdict_id: "c1",
            turn_run_ids: [runIdOf(1), runIdOf(2)],
          }),
        })),
      };
      await add(ofRun, ofConversation);
      await add({ ...record({ run: 1, outcome: null }), isRevision: true });
      expect(await listed(archive)).toEqual(["c1 1 pass"]);
      await add(ofRun);
      // The conversation is judged again, and both records are written in one transaction.
      await add({ ...record({ run: 1, outcome: null }), isRevision: true }, ofConversation);
      expect(await listed(archive)).toEqual(["c1 1 pass"]);
      for (const bucket of [null, HOUR])
        expect(await archive.sums(dayAround, bucket)).toMatchObject([{ verdicts: 1, outcomes: { pass: 1 } }]);
    });

    test("sums of agents that are written in several ways are those of one agent", async () => {
      const { archive, add } = await open();
      await add(
        record({ run: 1 }),
        record({ run: 2, agent: "trip_planner" }),
        record({ run: 3, agent: "x" }),
      );
      expect(await archive.sums({ ...dayAround, agent: "tripplanner" }, null)).toMatchObject([
        { verdicts: 2, agents: ["Trip-Planner", "trip_planner"] },
      ]);
    });

    test("a run is unjudged by a spec until a verdict comes, in the same moment or later", async () => {
      const { archive, add } = await open();
      await add(record({ run: 1, outcome: null }), record({ run: 2, outcome: null }), record({ run: 1 }));
      expect(await archive.unjudged(10, null)).toEqual({
        items: [
          {
            run_id: runIdOf(2),
            spec: "s",
            reason: "unmatched",
            candidates: ["q", "r"],
            agent: "Trip-Planner",
            query: "where?",
            judged_unix_ms: now,
          },
        ],
        next: null,
      });
      await add(record({ run: 2 }));
      expect((await archive.unjudged(10, null))?.items).toEqual([]);
    });
  });

  describe.skipIf(!kind.isHere)("keeps", () => {
    test("annotations of runs and verdicts that there are, newest first, until they are removed", async () => {
      const { archive, add } = await open();
      await add(record({ run: 1 }), record({ run: 2 }));
      const about = {
        run_id: runIdOf(1),
        verdict_id: "v1",
        label: "pass",
        note: "fine",
        author: "me",
      } as const;
      const changes = { total: 3, failed: 1, reverted: null };
      const first = await archive.annotate({ ...about, changes }, now);
      const second = await archive.annotate({ ...about, verdict_id: null, label: "fail" }, now + 1);
      expect(await archive.annotate({ ...about, run_id: "none" }, now)).toBeUndefined();
      expect(await archive.annotate({ ...about, verdict_id: "v2" }, now)).toBeUndefined();
      expect(await archive.annotations({ run: runIdOf(1) })).toEqual([
        {
          ...about,
          id: second?.id,
          verdict_id: null,
          label: "fail",
          changes: null,
          created_unix_ms: now + 1,
        },
        { ...about, id: first?.id, changes, created_unix_ms: now },
      ]);
      expect(await archive.annotations({ verdict: "v1", label: "pass" })).toHaveLength(1);
      expect([...(await archive.labels())]).toEqual([[runIdOf(1), "fail"]]);
      expect(await archive.removeAnnotation(second?.id ?? 0)).toBe(true);
      expect(await archive.removeAnnotation(second?.id ?? 0)).toBe(false);
      expect([...(await archive.labels())]).toEqual([[runIdOf(1), "pass"]]);
    });

    test("what is young enough; runs beyond the age go, with everything that belongs to them", async () => {
      const { archive, add, retainNow } = await open(HOUR);
      await add(
        record({ run: 1, judgedUnixMs: now - 2 * HOUR }),
        record({ run: 2, judgedUnixMs: now - 100 }),
      );
      await add(record({ run: 3, outcome: null, judgedUnixMs: now - 3 * HOUR }));
      const about = { run_id: runIdOf(1), verdict_id: "v1", label: "pass", note: "", author: null } as const;
      await archive.annotate(about, now);
      expect(await retainNow()).toBe(2);
      expect(await retainNow()).toBe(0);
      expect(await archive.run(runIdOf(1))).toBeUndefined();
      expect(await archive.telemetry(runIdOf(1))).toBeUndefined();
      expect(await archive.annotations({})).toEqual([]);
      expect((await archive.unjudged(10, null))?.items).toEqual([]);
      expect(await listed(archive)).toEqual(["v2 1 pass"]);
      expect(await archive.telemetry(runIdOf(2))).toHaveLength(1);
      expect(await archive.status()).toMatchObject({ runs: 1, verdicts: 1 });
    });

    test("each change once, whoever records it, and who is to send it", async () => {
      const { archive } = await open();
      const change = (number: number, more: Partial<ChangeRecord> = {}): ChangeRecord => ({
        changeId: `change-${number}`,
        spec: "s",
        queryId: "q",
        measure: "pass_rate",
        direction: "down",
        number,
        lowUnixMs: now - HOUR,
        highUnixMs: now + 0.5,
        foundUnixMs: now,
        json: `{"number":${number}}`,
        ...more,
      });
      const added = await Promise.all([
        archive.addChange(change(1), null),
        archive.addChange(change(1, { changeId: "change-other" }), null),
      ]);
      expect(added.toSorted()).toEqual([false, true]);
      expect(await archive.addChange(change(2, { highUnixMs: now + HOUR, queryId: "r" }), now)).toBe(true);
      const ids = async (filter: Parameters<Archive["changes"]>[0]): Promise<string[]> =>
        (await archive.changes(filter, 10)).map(({ json }) => json);
      expect(await ids({})).toEqual(['{"number":2}', '{"number":1}']);
      expect(await ids({ query: "q", spec: "s" })).toEqual(['{"number":1}']);
      expect(await ids({ since: now + 1 })).toEqual(['{"number":2}']);
      expect(await archive.claimUnsent([], HOUR, now + HOUR - 1)).toEqual([]);
      const [unsent] = await archive.claimUnsent([], HOUR, now + HOUR);
      expect(unsent).toMatchObject({ json: '{"number":1}', number: 1, highUnixMs: now + 0.5 });
      // The claim is renewed while it is being sent.
      const id = unsent?.changeId ?? "";
      expect(await archive.claimUnsent([id], HOUR, now + 3 * HOUR)).toEqual([]);
      await archive.markSent(id, now + 3 * HOUR);
      expect(await archive.claimUnsent([], HOUR, now + 9 * HOUR)).toEqual([]);
      // What was found long ago is forgotten when the next one comes.
      await archive.addChange(change(3, { foundUnixMs: now + 91 * 24 * HOUR }), null);
      expect(await ids({})).toEqual(['{"number":3}']);
    });

    test("looks at a query's trend, of which one process at a time takes the next", async () => {
      const { archive } = await open();
      const query = { spec: "s", query: "q" };
      const claims = await Promise.all([1, 2, 3].map(() => archive.claimLook(query, HOUR, now)));
      expect(claims.filter((one) => one !== undefined)).toEqual([now]);
      expect(await archive.claimLook(query, HOUR, now + HOUR - 1)).toBeUndefined();
      expect(await archive.claimLook(query, HOUR, now + HOUR)).toBe(now);
      expect(await archive.claimLook({ spec: "s", query: "r" }, HOUR, now)).toBe(now);
      // A clock that was ahead for a while does not end all looks.
      expect(await archive.claimLook(query, HOUR, now + 2)).toBe(now);
    });

    test("the others, when one record can never be written", async () => {
      const { archive, add } = await open();
      const bad = record({ run: 2 });
      await add(
        record({ run: 1 }),
        { ...bad, run: { ...bad.run, runId: null as never } },
        record({ run: 3 }),
      );
      expect(await listed(archive)).toEqual(["v3 1 pass", "v1 1 pass"]);
    });

    test("what hostile telemetry makes of a run", async () => {
      const { archive, add } = await open();
      const { run, ...rest } = record({ run: 4, agent: `a\uD800"\\{},NULL\0${"é".repeat(20_000)}` });
      const odd = {
        totalTokens: 1.5e300,
        durationMs: 1e-7,
        costUsd: -0,
        service: "\uDC00\0",
        models: ["}\0{"],
      };
      await add({ ...rest, run: { ...run, ...odd } });
      expect((await archive.runs({ agent: run.agent ?? "" }, 1, null))?.items).toMatchObject([
        { total_tokens: 1.5e300, duration_ms: 1e-7, models: ["}\0{"] },
      ]);
      expect(await archive.run("\0")).toBeUndefined();
      expect(await archive.verdict("\0", null)).toBeUndefined();
      const nowhere = { text: "\0'; --", run: "\0", trace: "\0" };
      expect((await archive.verdicts(nowhere, 1, null))?.verdicts).toEqual([]);
      const note = { run_id: "\0", verdict_id: null, label: null, note: "\0", author: "\0" };
      expect(await archive.annotate(note, now)).toBeUndefined();
    });
  });
});
