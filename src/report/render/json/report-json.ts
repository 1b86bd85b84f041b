import type { JsonObject } from "../../../model/json.ts";
import type { AcrossReport } from "../../statistics/groups/across.ts";
import type { ClusteredError } from "../../statistics/estimates/clustered.ts";
import type { Comparison } from "../../statistics/compare/compare.ts";
import type { FullStatistics } from "../../statistics/report/full.ts";
import type { GroupReport, MetricReport } from "../../statistics/groups/group.ts";
import { quarantineOf } from "../../statistics/groups/quarantine.ts";
import type { Gate } from "../../statistics/groups/reliability.ts";
import type { ReportData } from "../../statistics/report/report.ts";

/** Converts a map into an object. A key such as `__proto__` becomes an ordinary property. */
function fromMap<Value>(
  map: ReadonlyMap<unknown, Value>,
  value: (of: Value) => JsonObject[string],
): JsonObject {
  return Object.fromEntries([...map].map(([key, of]) => [String(key), value(of)]));
}

const asIs = (value: number | null) => value;

/**
 * Returns the standard error clustered by query, as JSON. Returns an empty object if all runs belong to one
 * query.
 */
function clusteredJson(error: ClusteredError | null): JsonObject {
  if (error === null) return {};
  const { clusters, standardError, low, high } = error;
  return { clustered: { queries: clusters, standard_error: standardError, low, high } };
}

function metricJson(metric: MetricReport): JsonObject {
  const { count, mean, median, mode, min, max, p25, p50, p75, p95, p99, interval } = metric;
  return {
    count,
    mean,
    median,
    mode,
    min,
    max,
    std_dev: metric.stdDev,
    sample_std_dev: metric.sampleStdDev,
    sample_variance: metric.sampleVariance,
    p25,
    p50,
    p75,
    p95,
    p99,
    interval: interval === null ? null : { low: interval.low, high: interval.high },
    ...clusteredJson(metric.clustered),
  };
}

function gateJson(gate: Gate): JsonObject {
  return {
    outcome: gate.outcome,
    reason: gate.reason,
    runs_needed: gate.runsNeeded,
    runs_needed_at_least: gate.runsNeededAtLeast,
    checks: gate.parts.map((part) => ({
      check: part.check,
      ...(part.k === undefined ? {} : { k: part.k }),
      outcome: part.outcome,
      value: part.value,
      limit: part.limit,
      message: part.message,
      runs_needed: part.runsNeeded,
      runs_needed_at_least: part.runsNeededAtLeast,
    })),
    ...(gate.notHeld === undefined
      ? {}
      : { not_held: gate.notHeld.map((unit) => ({ name: unit.name, ...gateJson(unit) })) }),
  };
}

export function groupJson(group: GroupReport): JsonObject {
  const { passRate, plugIn, uplift } = group;
  return {
    key: group.key,
    runs: group.runs,
    passed: group.passed,
    warnings: group.warned,
    failed: group.failed,
    undecided: group.undecided,
    ...(group.notJudged.length === 0
      ? {}
      : { not_judged: group.notJudged.map(({ check, reason, verdicts }) => ({ check, reason, verdicts })) }),
    pass_rate: {
      mean: passRate.mean,
      median: passRate.median,
      mode: passRate.mode,
      std_dev: passRate.stdDev,
      sample_std_dev: passRate.sampleStdDev,
      low: passRate.low,
      high: passRate.high,
      confidence: passRate.confidence,
      ...clusteredJson(passRate.clustered),
    },
    pass_at_k: fromMap(group.passAtK, asIs),
    pass_hat_k: fromMap(group.passHatK, asIs),
    plug_in: { k: plugIn.k, pass_at_k: plugIn.passAtK, pass_hat_k: plugIn.passHatK },
    metrics: fromMap(group.metrics, metricJson),
    flaky: group.flaky,
    flip_source: group.flipSource,
    flakiness: { score: group.flakiness.score, band: group.flakiness.band },
    consistency: group.consistency,
    cost_of_pass: group.costOfPass,
    grade: group.grade,
    uplift: { pass_rate: uplift.passRate, cost_usd: uplift.costUsd, composite: uplift.composite },
    gate: group.gate === null ? null : gateJson(group.gate),
  };
}

/** Converts the comparison of one measure into JSON. The names of the two groups are left out. */
export function comparisonJson(comparison: Comparison): JsonObject {
  const { metric, test, p, pAdjusted, effect, queries, higher, lower, equal, reason } = comparison;
  const { difference, change } = comparison;
  return {
    metric,
    test,
    p,
    p_adjusted: pAdjusted,
    effect,
    magnitude: comparison.magnitude,
    queries,
    runs_a: comparison.runsA,
    runs_b: comparison.runsB,
    higher,
    lower,
    equal,
    mean_a: comparison.meanA,
    mean_b: comparison.meanB,
    difference: difference && {
      mean: difference.mean,
      standard_error: difference.standardError,
      low: difference.low,
      high: difference.high,
    },
    change: change && { scale: change.scale, estimate: change.estimate, low: change.low, high: change.high },
    reason,
  };
}

function acrossJson(across: AcrossReport): JsonObject {
  const { frontierCostOfPass: frontier } = across;
  return {
    variance: fromMap(across.variance, asIs),
    cost_delta: across.costDelta,
    frontier_cost_of_pass: { value: frontier.value, key: frontier.key },
    comparisons: across.comparisons.map((one) => ({ a: one.a, b: one.b, ...comparisonJson(one) })),
    omnibus: across.omnibus.map(({ metric, test, statistic, degrees, p }) => {
      return { metric, test, statistic, degrees, p };
    }),
    pairs: across.pairs.map((pair) => ({
      a: pair.a,
      b: pair.b,
      queries: pair.queries,
      only_a: pair.onlyA,
      only_b: pair.onlyB,
      without_query: pair.withoutQuery,
      overlap: pair.overlap,
    })),
  };
}

function fullJson(full: FullStatistics): JsonObject {
  return {
    sensitivity: fromMap(full.sensitivity, (level) => level),
    transitions: full.transitions.map(({ from, to, qualityGain, costIncrease, worthwhile }) => {
      return { from, to, quality_gain: qualityGain, cost_increase: costIncrease, worthwhile };
    }),
    ablation: full.ablation.map(({ key, loss, impact }) => ({ key, loss, impact })),
    best_value: { value: full.bestValue.value, key: full.bestValue.key },
    power: full.power.map(({ a, b, metric, small, medium, large }) => ({
      a,
      b,
      metric,
      small,
      medium,
      large,
    })),
    judges: full.judges.map(({ rubric, runs, ratings, alpha }) => ({ rubric, runs, ratings, alpha })),
  };
}

/** Returns the output of `report --format json`. Values are unrounded, unknown values are null. */
export function reportJson(report: ReportData): JsonObject {
  return {
    format_version: 1,
    group_by: report.groupBy,
    base: report.base,
    groups: report.groups.map(groupJson),
    across: acrossJson(report.across),
    ...(report.full === null ? {} : { statistics: fullJson(report.full) }),
    quarantine: quarantineOf(report.groups).map(
      ({ key, passed, failed, undecided, flipSource, flakiness }) => {
        return { key, passed, failed, undecided, flip_source: flipSource, score: flakiness.score };
      },
    ),
  };
}
