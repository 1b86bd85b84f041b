import { snakeCased } from "../../json/snake-case.ts";
import type { Comparison } from "../../statistics/compare/compare.ts";
import type { GroupReport } from "../../statistics/groups/group.ts";
import { quarantineOf } from "../../statistics/groups/quarantine.ts";
import type { Gate } from "../../statistics/groups/reliability.ts";
import type { ReportData } from "../../statistics/report/report.ts";

function gateJson({ outcome, reason, runsNeeded, runsNeededAtLeast, parts, notHeld }: Gate): object {
  return {
    ...snakeCased({ outcome, reason, runsNeeded, runsNeededAtLeast, checks: parts }),
    ...(notHeld === undefined
      ? {}
      : { not_held: notHeld.map((unit) => ({ name: unit.name, ...gateJson(unit) })) }),
  };
}

/** Returns the statistics of a group, as JSON. */
export function groupJson(group: GroupReport): object {
  const { warned, notJudged, gate, forbidden: _, gradeOf: __, ...others } = group;
  const { key, runs, passed, failed, undecided, ...statistics } = snakeCased(others);
  return {
    key,
    runs,
    passed,
    warnings: warned,
    failed,
    undecided,
    ...(notJudged.length === 0 ? {} : { not_judged: notJudged }),
    ...statistics,
    gate: gate && gateJson(gate),
  };
}

/** Returns a comparison of two groups, as JSON without the keys of the groups. */
export function comparisonJson(comparison: Comparison): object {
  const { a: _, b: __, ...others } = comparison;
  return snakeCased(others);
}

/** Returns the report, as `report --format json` writes it. */
export function reportJson({ groupBy, base, groups, across, full }: ReportData) {
  return {
    format_version: 1,
    group_by: groupBy,
    base,
    groups: groups.map(groupJson),
    across: snakeCased(across),
    ...(full === null ? {} : { statistics: snakeCased(full) }),
    quarantine: quarantineOf(groups).map(({ key, passed, failed, undecided, flipSource, flakiness }) => {
      return { key, passed, failed, undecided, flip_source: flipSource, score: flakiness.score };
    }),
  };
}
