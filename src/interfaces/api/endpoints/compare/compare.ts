import { z } from "zod";
import { outcomes } from "../../../../model/outcome.ts";
import { badParameter, type Endpoint, endpoint, type Problem } from "../../http/endpoint.ts";
import { agent, moment, timesOf } from "../../http/parameters.ts";
import type { Archive, JudgedSample, SampleFilter } from "../../../../store/archive.ts";
import type { SavedRuns } from "../baselines.ts";
import { comparedJson, comparedMetrics, type OneSidedQuery, oneSidedSchema } from "./compared-sides.ts";
import { defined } from "../verdicts.ts";

/**
 * Maximum number of received runs on each side of a comparison. If there are more, the newest are compared. The runs of a baseline are all
 * compared.
 */
const MOST = 2_000;

const attribute = z
  .string()
  .regex(/^[^=]+=./, "Write NAME=VALUE, as in service.version=2.1")
  .describe("An attribute of the runs, as NAME=VALUE");

function sideParameters(side: "a" | "b") {
  return {
    [`${side}_agent`]: agent.optional(),
    [`${side}_model`]: z.string().describe("A part of a model's name").optional(),
    [`${side}_model_name`]: z.string().describe("The whole name of a model").optional(),
    [`${side}_service`]: z.string().optional(),
    [`${side}_version`]: z.string().describe("`service.version` of the agent").optional(),
    [`${side}_baseline`]: z
      .string()
      .describe(
        `Compare the runs saved under this version instead of received runs. Can be combined only with ${side}_agent`,
      )
      .optional(),
    [`${side}_attribute`]: attribute.optional(),
    [`${side}_since`]: moment.optional(),
    [`${side}_until`]: moment.optional(),
  };
}

const description = z.strictObject({
  runs: z.number().describe("Number of runs with a known value"),
  median: z.number().nullable(),
  p90: z.number().nullable(),
  values: z.array(z.number()),
});

const side = z.strictObject({
  runs: z.number(),
  passed: z.number(),
  failed: z.number(),
  undecided: z.number(),
  outcomes: z.partialRecord(z.enum(outcomes), z.number()),
  pass_rate: z.number().nullable(),
  pass_rate_interval: z
    .strictObject({ low: z.number(), high: z.number() })
    .nullable()
    .describe("Wilson's 95 % confidence interval"),
  metrics: z.record(z.enum(comparedMetrics), description),
  paths: z
    .array(z.strictObject({ tools: z.array(z.string()), runs: z.number() }))
    .describe("Most frequent first"),
});

const measured = z.number().nullable();

const comparison = z.strictObject({
  metric: z.string().describe("`pass_rate` or a metric"),
  test: z
    .enum([
      "sign",
      "wilcoxon_signed_rank",
      "fisher_exact",
      "mann_whitney",
      "stratified_fisher",
      "stratified_mann_whitney",
    ])
    .nullable()
    .describe(
      "`sign` and `wilcoxon_signed_rank` compare the means of each query on both sides; the other tests compare runs of the same query",
    ),
  p: measured.describe("Two-sided"),
  p_adjusted: measured.describe("After Holm's correction for the number of comparisons"),
  effect: measured.describe(
    "Effect size from −1 to 1, positive if the values of b are higher; for the pass rate: b − a",
  ),
  magnitude: z.enum(["negligible", "small", "medium", "large"]).nullable(),
  queries: z.number().describe("Number of queries with a known value on both sides"),
  runs_a: z.number(),
  runs_b: z.number(),
  higher: z.number().describe("Number of queries in which the value of b is higher"),
  lower: z.number(),
  equal: z.number(),
  mean_a: measured.describe(
    "Mean of side a over the queries with a known value on both sides; each query counts once",
  ),
  mean_b: measured,
  difference: z
    .strictObject({ mean: z.number(), standard_error: measured, low: measured, high: measured })
    .nullable()
    .describe("b − a, the mean over queries, with errors clustered by query"),
  change: z
    .strictObject({
      scale: z.enum(["ratio", "difference"]),
      estimate: z.number(),
      low: measured,
      high: measured,
    })
    .nullable()
    .describe(
      "Typical change of a query: the Hodges–Lehmann estimate that belongs to the significance test, with its confidence interval",
    ),
  reason: z.string().nullable().describe("Why there is no p-value"),
});

const sides = z.strictObject({
  queries: z.number().describe("Number of queries with runs on both sides"),
  only_a: z.number(),
  only_b: z.number(),
  without_query: z.number().describe("Runs with an unknown query"),
  overlap: z
    .number()
    .describe("Number of runs that match both sides; they count only for the side with fewer runs"),
});

const byQuery = z.strictObject({
  spec: z.string(),
  query_id: z.string(),
  text: z.string().nullable().describe("Text of the runs' query, if the query of the spec is `*`"),
  runs_a: z.number(),
  runs_b: z.number(),
  passed_a: z.number(),
  passed_b: z.number(),
  warned_a: z.number().describe("Number of passed runs with a warning"),
  warned_b: z.number(),
  decided_a: z.number(),
  decided_b: z.number(),
  metrics: z
    .record(z.enum(comparedMetrics), z.strictObject({ median_a: measured, median_b: measured }))
    .describe("Medians over the runs with a known value"),
  comparisons: z
    .array(comparison)
    .describe("Comparisons of this query's runs; p-values are corrected over all queries and metrics"),
});

export function compareEndpoints(archive: Archive, saved: SavedRuns, now: () => number): Endpoint[] {
  return [
    endpoint({
      path: "/api/v1/compare",
      summary: `Two versions, models or periods side by side: the newest ${MOST} verdicts of each, and whether they differ, query by query`,
      query: z.strictObject({
        spec: z.string().optional(),
        query: z.string().describe("Id of a query").optional(),
        ...sideParameters("a"),
        ...sideParameters("b"),
      }),
      answer: z.strictObject({
        a: side,
        b: side,
        sides,
        comparisons: z.array(comparison),
        by_query: z.array(byQuery),
        one_side: z
          .array(oneSidedSchema)
          .describe("Queries with runs in only one of a and b; most frequent failures first"),
      }),
      handle: async ({ query }) => {
        const side = (name: SideName) => samplesOf(name, query, archive, saved, now());
        const [a, b] = await Promise.all([side("a"), side("b")]);
        if ("problem" in a) return a;
        if ("problem" in b) return b;
        const json = comparedJson(a.samples, b.samples);
        const older = (name: SideName, { samples, isSaved }: Samples): SampleFilter | null =>
          isSaved || samples.length < MOST ? null : filterOf(query, name, now());
        const filters = { a: older("a", a), b: older("b", b) };
        return { json: { ...json, one_side: await withoutOlder(json.one_side, filters, archive) } };
      },
    }),
  ];
}

type SideName = "a" | "b";
interface Samples {
  readonly samples: readonly JudgedSample[];
  /** Whether the side is a baseline. The runs of a baseline are all compared, however many there are. */
  readonly isSaved: boolean;
}
type Side = Samples | { readonly problem: Problem };

/**
 * Returns the queries for which really only one side has runs. Omits a query if the other side has older runs of it, which were not
 * compared because of `MOST`.
 */
async function withoutOlder(
  queries: readonly OneSidedQuery[],
  filters: Readonly<Record<SideName, SampleFilter | null>>,
  archive: Archive,
): Promise<readonly OneSidedQuery[]> {
  const kept: OneSidedQuery[] = [];
  for (const one of queries) {
    const filter = filters[one.side === "a" ? "b" : "a"];
    if (filter === null) kept.push(one);
    else if (one.text !== null) continue;
    else {
      const [found] = await archive.samples({ ...filter, spec: one.spec, query: one.query_id }, 1);
      if (found === undefined) kept.push(one);
    }
  }
  return kept;
}

async function samplesOf(
  name: SideName,
  query: Readonly<Record<string, string | undefined>>,
  archive: Archive,
  saved: SavedRuns,
  nowUnixMs: number,
): Promise<Side> {
  const baseline = query[`${name}_baseline`];
  if (baseline === undefined)
    return { samples: await archive.samples(filterOf(query, name, nowUnixMs), MOST), isSaved: false };
  const others = Object.keys(query).filter(
    (key) => key.startsWith(`${name}_`) && ![`${name}_baseline`, `${name}_agent`].includes(key),
  );
  if (others.length > 0)
    return {
      problem: badParameter(
        `${name}_baseline`,
        `can be combined only with ${name}_agent`,
        `Leave out ${others.join(" and ")}.`,
      ),
    };
  const narrow = { spec: query["spec"], query: query["query"], agent: query[`${name}_agent`] };
  const samples = await saved.samples(baseline, defined(narrow));
  const versions = samples.length > 0 ? [] : await saved.versions();
  if (samples.length > 0 || versions.some(({ version }) => version === baseline))
    return { samples, isSaved: true };
  return { problem: badParameter(`${name}_baseline`, "names no saved version", savedWords(versions)) };
}

function savedWords(versions: Awaited<ReturnType<SavedRuns["versions"]>>): string {
  if (versions.length === 0)
    return "Save a version first: tracejury save DUMP --spec SPEC --version NAME, where the spec is served.";
  const seen = versions.map(({ version, runs }) => `${version} (${runs} ${runs === 1 ? "run" : "runs"})`);
  return `Choose a saved version: ${seen.join(", ")}.`;
}

function filterOf(
  query: Readonly<Record<string, string | undefined>>,
  name: SideName,
  nowUnixMs: number,
): SampleFilter {
  const of = (key: string): string | undefined => query[`${name}_${key}`];
  const written = of("attribute");
  const cut = written?.indexOf("=") ?? -1;
  return defined({
    spec: query["spec"],
    query: query["query"],
    agent: of("agent"),
    model: of("model"),
    modelName: of("model_name"),
    service: of("service"),
    version: of("version"),
    attribute: written === undefined ? undefined : ([written.slice(0, cut), written.slice(cut + 1)] as const),
    ...timesOf({ since: of("since"), until: of("until") }, nowUnixMs),
  });
}
