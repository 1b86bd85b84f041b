import { compareGroups, type AcrossReport } from "../groups/across.ts";
import { pairByQuery, type QueryRuns } from "../groups/by-query.ts";
import { fullStatistics, type FullStatistics } from "./full.ts";
import { composites, sortOut, type GroupRuns } from "../groups/group-runs.ts";
import { reportGroup, type GroupReport } from "../groups/group.ts";
import type { Observation } from "../observation.ts";
import { median } from "../samples/quantiles.ts";
import { resolveOptions, type ReportOptions } from "./report-options.ts";
import { uplift } from "./value.ts";
import { groupBy } from "../../../support/structures/group-by.ts";

export interface ReportData {
  readonly groupBy: string;
  readonly base: string | null;
  /** Groups, sorted by key. */
  readonly groups: readonly GroupReport[];
  readonly across: AcrossReport;
  /** Statistics of `--statistics full`. Null unless requested. */
  readonly full: FullStatistics | null;
}

function grouped(observations: Iterable<Observation>): [string, Observation[]][] {
  return [...groupBy(observations, ({ key }) => key)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function findBase(
  reports: readonly GroupReport[],
  { base, groupBy }: ReportOptions,
): GroupReport | undefined {
  if (base === null) return undefined;
  const found = reports.find((report) => report.key === base);
  if (found !== undefined) return found;
  const known = reports.slice(0, 10).map((report) => JSON.stringify(report.key));
  const keys = known.join(", ") + (reports.length > known.length ? ", …" : "");
  throw new RangeError(
    `no group has the base's key ${JSON.stringify(base)}; the groups by ${groupBy} are: ${keys || "none"}`,
  );
}

/**
 * Returns the changes relative to the base, over the queries that both groups have. For the base itself, all
 * values are 0.
 */
function upliftOver(
  base: GroupReport | undefined,
  { key, uplift: none }: GroupReport,
  { comparisons }: AcrossReport,
  groups: readonly GroupRuns[],
): GroupReport["uplift"] {
  if (base === undefined) return none;
  const of = (metric: string): number | null => {
    if (key === base.key) return uplift(measured(base, metric), measured(base, metric));
    const found = comparisons.find((one) => one.a === base.key && one.b === key && one.metric === metric);
    return found === undefined ? null : uplift(found.meanB, found.meanA);
  };
  const runsOf = (name: string) => groups.find((group) => group.key === name)?.runs ?? [];
  const composite = compositeUplift(runsOf(base.key), runsOf(key));
  return { passRate: of("pass_rate"), costUsd: of("cost_usd"), composite };
}

function compositeUplift(base: readonly Observation[], other: readonly Observation[]): number | null {
  const { shared } = pairByQuery(base, other);
  const medianOf = (side: keyof QueryRuns) => median(composites(shared.flatMap((runs) => runs[side])));
  return uplift(medianOf("b"), medianOf("a"));
}

function measured(report: GroupReport, metric: string): number | null {
  return metric === "pass_rate" ? report.passRate.mean : (report.metrics.get(metric)?.mean ?? null);
}

/**
 * Returns the report of judged runs. Equal observations in any order and equal options give equal reports,
 * because the bootstrap has a seed.
 * @throws RangeError if `base` is not a group
 */
export function summarize(observations: Iterable<Observation>, options: ReportOptions): ReportData {
  const groups = grouped(observations).map(([key, runs]) => sortOut(key, runs));
  const settings = resolveOptions(
    options,
    groups.reduce((count, { runs }) => count + runs.length, 0),
  );
  const reports = groups.map((group) => reportGroup(group, settings));
  const base = findBase(reports, options);
  const across = compareGroups(groups, reports, settings);
  return {
    groupBy: options.groupBy,
    base: options.base,
    groups: reports.map((report) => ({ ...report, uplift: upliftOver(base, report, across, groups) })),
    across,
    full: settings.statistics === "full" ? fullStatistics(groups, reports, across, settings) : null,
  };
}
