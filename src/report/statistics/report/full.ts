import type { Comparison } from "../compare/compare.ts";
import type { AcrossReport } from "../groups/across.ts";
import { qualities, type GroupRuns } from "../groups/group-runs.ts";
import type { GroupReport } from "../groups/group.ts";
import { krippendorffAlpha } from "../estimates/krippendorff.ts";
import { mean, sorted } from "../samples/moments.ts";
import { mannWhitneyPower, signedRankPower, type PowerOptions } from "../estimates/power.ts";
import type { ReportSettings } from "./report-options.ts";
import {
  ablationImpact,
  assessTransition,
  sensitivity,
  smallest,
  type AblationImpact,
  type Best,
  type Sensitivity,
  type GroupMeasures,
  type Transition,
} from "./value.ts";

export interface JudgeAgreement {
  readonly rubric: string;
  /** Number of runs that at least two judges rated. */
  readonly runs: number;
  readonly ratings: number;
  /** Krippendorff's alpha of the scores, which are treated as ordinal; null if all scores are equal. */
  readonly alpha: number | null;
}

/**
 * Power of a comparison: the probability that the test finds a difference of a given size. The significance
 * level of the test is 1 − confidence.
 */
export interface ComparisonPower {
  readonly a: string;
  readonly b: string;
  readonly metric: string;
  /**
   * Power for a Cliff's delta of 0.11; null if there are too few runs. `medium` is for 0.28, `large` for
   * 0.43.
   */
  readonly small: number | null;
  readonly medium: number | null;
  readonly large: number | null;
}

/** Additional statistics of `report --statistics full`. */
export interface FullStatistics {
  /** How much each rate depends on the group. */
  readonly sensitivity: ReadonlyMap<string, Sensitivity>;
  /** Changes from each group to each other group. If there are many groups, only the changes from the base to the other groups. */
  readonly transitions: readonly (Transition & { readonly from: string; readonly to: string })[];
  /**
   * Decrease of the composite score of each group relative to the base. If a group is the base without one
   * component, the decrease of the score shows the component's worth.
   */
  readonly ablation: readonly {
    readonly key: string;
    readonly loss: number;
    readonly impact: AblationImpact;
  }[];
  /** Group with the highest ratio of composite score to cost. */
  readonly bestValue: Best;
  readonly power: readonly ComparisonPower[];
  readonly judges: readonly JudgeAgreement[];
}

/**
 * Maximum number of groups for which changes between all groups are computed. With more groups, only changes from the base are computed.
 */
const mostGroupsInPairs = 8;

/** Measures from 0 to 1. ProjectScylla's limits of sensitivity apply only to such measures. */
const rates = ["pass_rate", "impl_rate"];

interface RatedGroup {
  readonly key: string;
  readonly composite: number | null;
  /** Pass rate, quality and cost of the group; null if pass rate, quality or cost is unknown. */
  readonly measures: GroupMeasures | null;
}

function rated(group: GroupRuns, report: GroupReport): RatedGroup {
  const passRate = report.passRate.mean;
  const cost = report.metrics.get("cost_usd")?.mean ?? null;
  const quality = report.metrics.get("impl_rate")?.mean ?? passRate;
  const measures =
    passRate === null || quality === null || cost === null ? null : { passRate, quality, cost };
  return { key: group.key, composite: mean(sorted(qualities(group))), measures };
}

function transitionsOf(groups: readonly RatedGroup[], base: string | null): FullStatistics["transitions"] {
  const sources = groups.length > mostGroupsInPairs ? groups.filter(({ key }) => key === base) : groups;
  return sources.flatMap(({ key: from, measures: before }) =>
    groups.flatMap(({ key: to, measures: after }) =>
      from === to || before === null || after === null
        ? []
        : [{ from, to, ...assessTransition(before, after) }],
    ),
  );
}

function ablationOf(groups: readonly RatedGroup[], base: string | null): FullStatistics["ablation"] {
  const whole = groups.find(({ key }) => key === base)?.composite ?? null;
  return groups.flatMap(({ key, composite }) =>
    key === base || whole === null || composite === null
      ? []
      : [{ key, loss: whole - composite, impact: ablationImpact(whole, composite) }],
  );
}

/** Returns the group with the highest ratio of composite score to cost. */
function bestValueOf(groups: readonly RatedGroup[]): Best {
  const best = smallest(
    groups.map(({ key, composite, measures }) => {
      const known = composite !== null && composite > 0 && measures !== null;
      return { key, value: known ? measures.cost / composite : null };
    }),
  );
  return { value: best.value === null || best.value === 0 ? null : 1 / best.value, key: best.key };
}

/**
 * Maximum number of random values that simulate one power. A simulation with this number takes a fraction of
 * a second.
 */
const mostDraws = 2e5;

function powerOf(settings: ReportSettings): (comparison: Comparison) => ComparisonPower {
  const known = new Map<string, number | null>();
  const chance = ({ test, queries, runsA, runsB }: Comparison, delta: number): number | null => {
    const isPaired = test === "sign" || test === "wilcoxon_signed_rank";
    const key = JSON.stringify([isPaired ? [queries] : [runsA, runsB], delta]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const drawn = isPaired ? queries : runsA + runsB;
    const simulations = Math.max(100, Math.min(2_000, Math.floor(mostDraws / Math.max(1, drawn))));
    const options: PowerOptions = { alpha: 1 - settings.confidence, simulations, seed: settings.seed };
    const power = isPaired
      ? signedRankPower(queries, delta, options)
      : mannWhitneyPower(runsA, runsB, delta, options);
    known.set(key, power);
    return power;
  };
  return (comparison) => ({
    a: comparison.a,
    b: comparison.b,
    metric: comparison.metric,
    small: chance(comparison, 0.11),
    medium: chance(comparison, 0.28),
    large: chance(comparison, 0.43),
  });
}

function agreementOf(groups: readonly GroupRuns[]): JudgeAgreement[] {
  const units = new Map<string, (readonly (number | null)[])[]>();
  for (const { ratings } of groups.flatMap(({ runs }) => runs)) {
    for (const { rubric, scores } of ratings ?? []) {
      if (scores.filter((score) => score !== null).length < 2) continue;
      units.set(rubric, units.get(rubric) ?? []);
      units.get(rubric)?.push(scores);
    }
  }
  return [...units.keys()].sort().map((rubric) => {
    const rated = units.get(rubric) ?? [];
    const ratings = rated.flat().filter((score) => score !== null).length;
    return { rubric, runs: rated.length, ratings, alpha: krippendorffAlpha(rated, "ordinal") };
  });
}

/**
 * Returns the additional statistics of `report --statistics full`.
 * @param reports reports in the order of `groups`
 */
export function fullStatistics(
  groups: readonly GroupRuns[],
  reports: readonly GroupReport[],
  across: AcrossReport,
  settings: ReportSettings,
): FullStatistics {
  const known = groups.flatMap((group, at) => {
    const report = reports[at];
    return report === undefined ? [] : [rated(group, report)];
  });
  const variances = rates.flatMap((name) => {
    const variance = across.variance.get(name) ?? null;
    return variance === null ? [] : [[name, sensitivity(variance)] as const];
  });
  return {
    sensitivity: new Map(variances),
    transitions: transitionsOf(known, settings.base),
    ablation: ablationOf(known, settings.base),
    bestValue: bestValueOf(known),
    power: across.comparisons.map(powerOf(settings)),
    judges: agreementOf(groups),
  };
}
