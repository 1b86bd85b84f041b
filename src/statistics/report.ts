import { compareGroups, type AcrossReport } from "./across.ts";
import { sortOut } from "./group-runs.ts";
import { reportGroup, type GroupReport } from "./group.ts";
import type { Observation } from "./observation.ts";
import { settle, type ReportOptions } from "./report-options.ts";
import { uplift } from "./value.ts";

/** Repeated runs by group, and the groups beside one another. */
export interface ReportData {
  readonly groupBy: string;
  readonly base: string | null;
  /** In the order of their keys. */
  readonly groups: readonly GroupReport[];
  readonly across: AcrossReport;
}

function grouped(observations: Iterable<Observation>): [string, Observation[]][] {
  const groups = new Map<string, Observation[]>();
  for (const observation of observations) {
    const group = groups.get(observation.key);
    if (group === undefined) groups.set(observation.key, [observation]);
    else group.push(observation);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
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

function upliftOver(base: GroupReport | undefined, report: GroupReport): GroupReport["uplift"] {
  if (base === undefined) return report.uplift;
  const cost = (of: GroupReport) => of.metrics.get("cost_usd")?.median ?? null;
  return {
    passRate: uplift(report.passRate.mean, base.passRate.mean),
    costUsd: uplift(cost(report), cost(base)),
  };
}

/**
 * Everything `report` says of judged runs. The order of the observations does not matter, and the same
 * observations with the same options give the same report (the bootstrap is seeded). Throws RangeError when
 * `base` is none of the groups.
 */
export function summarize(observations: Iterable<Observation>, options: ReportOptions): ReportData {
  const groups = grouped(observations).map(([key, runs]) => sortOut(key, runs));
  const settings = settle(
    options,
    groups.reduce((count, { runs }) => count + runs.length, 0),
  );
  const reports = groups.map((group) => reportGroup(group, settings));
  const base = findBase(reports, options);
  return {
    groupBy: options.groupBy,
    base: options.base,
    groups: reports.map((report) => ({ ...report, uplift: upliftOver(base, report) })),
    across: compareGroups(groups, reports, settings),
  };
}
