import type { Difference } from "../../baseline/differences/difference.ts";
import type { DiffReport, QueryDiff } from "../../baseline/diff.ts";
import type { z } from "zod";
import type { JsonValue } from "../../../model/json.ts";

export function diffJson(report: DiffReport, exitCode: number): object {
  const { queries, onlyInBaseline, onlyInCompare } = report;
  return {
    format_version: 1,
    baseline: report.baseline,
    compare: report.compare,
    summary: {
      queries: queries.length,
      changed: queries.filter(({ differences }) => differences.length > 0).length,
      regressed: queries.filter(({ regressed }) => regressed).length,
      improved: queries.filter(({ improved }) => improved).length,
      exit_code: exitCode,
    },
    queries: queries.map(queryJson),
    only_in_baseline: onlyInBaseline,
    only_in_compare: onlyInCompare,
    failing_only_in_compare: report.failingOnlyInCompare,
  };
}

function queryJson(diff: QueryDiff): object {
  const { tiers } = diff;
  return {
    agent: diff.agent,
    spec: diff.spec,
    query_id: diff.queryId,
    query: diff.query,
    regressed: diff.regressed,
    improved: diff.improved,
    undecided: diff.undecided,
    run_before: diff.before.run.runId,
    run_after: diff.after.run.runId,
    correctness: tiers.layers.correctness,
    path: { ...tiers.layers.path, reference: tiers.reference, ...tiers.path },
    cost: { ...tiers.layers.cost, ...tiers.cost },
    differences: diff.differences.map(differenceJson),
  };
}

export function differenceJson(difference: Difference) {
  const { type, severity, layer, message, before, after, similarity = null } = difference;
  return { type, severity, layer, message, before: copied(before), after: copied(after), similarity };
}

/** Returns the same value as the mutable type that the schema requires. */
function copied(value: JsonValue): z.infer<ReturnType<typeof z.json>> {
  return value as z.infer<ReturnType<typeof z.json>>;
}
