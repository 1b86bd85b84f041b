import { describe, expect, test } from "vitest";
import type { JudgedSample } from "../../src/store/archive.ts";
import { record } from "../store/stored-records.ts";
import { archiveOfTest } from "./served-archive.ts";

const now = 1_700_000_000_000;

interface Stored {
  readonly version: string;
  readonly model?: string;
  readonly query: string;
  readonly costUsd: number;
  readonly outcome?: "pass" | "warn" | "fail";
}

function recordOf({ version, model = "m", query, costUsd, outcome = "pass" }: Stored, at: number) {
  const json = JSON.stringify({ verdict_id: `v${at}`, match: { how: "exact", score: 1 } });
  const made = record({
    run: at + 1,
    version,
    models: [model],
    queryId: query,
    costUsd,
    outcome,
    bytes: null,
  });
  return { ...made, verdicts: made.verdicts.map((verdict) => ({ ...verdict, json })) };
}

async function compare(runs: readonly Stored[], parameters: Readonly<Record<string, string>>) {
  const { base, add } = await archiveOfTest(now);
  add(...runs.map(recordOf));
  const answer = await fetch(`${base}/compare?${new URLSearchParams(parameters).toString()}`);
  const { a, b, sides, by_query, one_side } = (await answer.json()) as {
    readonly a: { readonly runs: number };
    readonly b: { readonly runs: number };
    readonly sides: object;
    readonly one_side: readonly object[];
    readonly by_query: readonly {
      readonly metrics: Readonly<Record<string, { readonly median_a: number | null }>>;
      readonly comparisons: readonly {
        readonly metric: string;
        readonly p: number | null;
        readonly p_adjusted: number | null;
      }[];
    }[];
  };
  return { a, b, sides, by_query, one_side };
}

function savedSample(queryId: string, { costUsd }: Pick<JudgedSample, "costUsd">): JudgedSample {
  const known = {
    isWildcard: false,
    query: queryId,
    outcome: "pass",
    durationMs: 1,
    tokens: 1,
    tools: [],
  } as const;
  return { runId: `saved-${queryId}`, spec: "s", queryId, costUsd, ...known };
}

const versions = { a_attribute: "service.version=1", b_attribute: "service.version=2" };

describe("GET /api/v1/compare", () => {
  test("queries of one side only are listed with what became of their runs", async () => {
    const runs: Stored[] = [
      { version: "1", query: "gone", costUsd: 1, outcome: "warn" },
      { version: "1", query: "both", costUsd: 1 },
      { version: "2", query: "both", costUsd: 1, outcome: "warn" },
      { version: "2", query: "new", costUsd: 1, outcome: "fail" },
      { version: "2", query: "new", costUsd: 1 },
    ];
    const compared = await compare(runs, versions);
    expect(compared.by_query).toMatchObject([{ passed_a: 1, warned_a: 0, passed_b: 1, warned_b: 1 }]);
    expect(compared.one_side).toMatchObject([
      { side: "a", spec: "s", query_id: "gone", runs: 1, passed: 1, warned: 1, failed: 0, decided: 1 },
      { side: "b", spec: "s", query_id: "new", runs: 2, passed: 1, warned: 0, failed: 1, decided: 2 },
    ]);
  });

  test("a query with runs that are older than the newest 2,000 of a side is not called new", async () => {
    const runs: Stored[] = [
      { version: "1", query: "old", costUsd: 1 },
      ...Array.from({ length: 2000 }, () => ({ version: "1", query: "often", costUsd: 1 })),
      { version: "2", query: "old", costUsd: 1 },
      { version: "2", query: "new", costUsd: 1 },
    ];
    const { one_side: oneSide } = await compare(runs, versions);
    expect(oneSide).toMatchObject([
      { side: "a", query_id: "often" },
      { side: "b", query_id: "new" },
    ]);
  });

  test("the sides are disjoint: a run that fits both counts for the narrower one, and the answer says so", async () => {
    const runs = Array.from({ length: 9 }, (_, at) => ({
      version: at < 3 ? "1" : "2",
      query: "q",
      costUsd: at,
    }));
    const { a, b, sides } = await compare(runs, { a_attribute: "service.version=1", b_model: "m" });

    expect([a.runs, b.runs]).toEqual([3, 6]);
    expect(sides).toMatchObject({ overlap: 3, queries: 1 });
  });

  test("each query by itself, its p-values corrected over all queries and metrics", async () => {
    const runs = Array.from({ length: 24 }, (_, at) => ({
      version: at % 2 === 0 ? "1" : "2",
      query: at < 20 ? "dearer" : "few",
      costUsd: (at % 2 === 0 ? 1 : 2) + at / 1000,
    }));
    const { by_query: queries } = await compare(
      [...runs, { version: "2", query: "new", costUsd: 1 }],
      versions,
    );

    expect(queries).toMatchObject([
      { query_id: "dearer", runs_a: 10, runs_b: 10, decided_a: 10, passed_b: 10 },
      { query_id: "few", runs_a: 2, runs_b: 2 },
    ]);
    const [dearer, few] = queries.map(({ comparisons }) =>
      comparisons.find(({ metric }) => metric === "cost_usd"),
    );
    expect(dearer).toMatchObject({ test: "mann_whitney", change: { estimate: expect.closeTo(1, 1) } });
    expect(dearer?.p_adjusted).toBeGreaterThan(dearer?.p ?? 1);
    expect(dearer?.p_adjusted).toBeLessThan(0.05);
    expect(few?.p_adjusted).toBeGreaterThan(0.05);
    expect(queries[0]?.metrics["cost_usd"]?.median_a).toBeCloseTo(1.009, 3);
  });

  test("a saved baseline is a side, by the query's runs; one that is not there is answered with those that are", async () => {
    const { base, add } = await archiveOfTest(now, {
      versions: () => Promise.resolve([{ version: "1.0", runs: 2, captured_at: null }]),
      samples: (version, { query }) =>
        Promise.resolve(
          ["p", "q"]
            .filter((id) => version === "1.0" && (query ?? id) === id)
            .map((id) => savedSample(id, { costUsd: 2 })),
        ),
    });
    add(...["p", "q", "r"].map((query, at) => recordOf({ version: "2", query, costUsd: 1 }, at)));
    const ask = async (parameters: Readonly<Record<string, string>>) =>
      (await fetch(`${base}/compare?${new URLSearchParams(parameters).toString()}`)).json();

    expect(await ask({ a_baseline: "1.0", b_since: "24h" })).toMatchObject({
      a: { runs: 2, pass_rate: 1 },
      b: { runs: 3 },
      sides: { queries: 2, only_b: 1, overlap: 0 },
    });
    expect(await ask({ a_baseline: "1.0", b_since: "24h", query: "p" })).toMatchObject({ a: { runs: 1 } });
    expect(await ask({ a_baseline: "9", b_since: "24h" })).toMatchObject({
      error: { why: "The parameter names no saved version.", fix: "Choose a saved version: 1.0 (2 runs)." },
    });
    expect(await ask({ a_baseline: "1.0", a_model: "m", b_since: "24h" })).toMatchObject({
      error: { fix: "Leave out a_model." },
    });
    const listed = await fetch(`${base}/baselines`);
    expect(await listed.json()).toEqual({ baselines: [{ version: "1.0", runs: 2, captured_at: null }] });
  });
});
