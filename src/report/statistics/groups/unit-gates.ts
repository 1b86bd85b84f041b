import { groupBy } from "../../../support/structures/group-by.ts";
import type { Observation } from "../observation.ts";
import { type GroupRuns, known, sortOut } from "./group-runs.ts";
import { sorted } from "../samples/moments.ts";
import {
  type Gate,
  type GateOutcome,
  type GroupScores,
  largest,
  limitsFailures,
  percent,
  reliabilityGate,
  type ReliabilityLimits,
} from "./reliability.ts";

/** The gate of one unit of a group with several units. */
export interface UnitGate extends Gate {
  readonly name: string;
}

/** Evaluates the reliability gate of a group of runs as one unit. */
export function gateOf(group: GroupRuns, limits: ReliabilityLimits): Gate {
  return reliabilityGate(group.passed, group.failed, limits, scoresOf(group));
}

/**
 * Evaluates the reliability gate of each unit in a group of runs, and combines the results. All units must
 * pass, so that a text that passes does not hide a text that fails. Returns null if no run has a gate.
 */
export function unitGates({ runs, passed, failed }: GroupRuns): Gate | null {
  const gated = runs.filter(({ gate }) => gate !== undefined);
  const units = groupBy(gated, ({ gate }) => gate?.key);
  // Sorted by name, because the order of the runs is different in a single test and in merged part files.
  const gates = [...units.values()].flatMap(gateOfUnit).sort((a, b) => (a.name < b.name ? -1 : 1));
  const [first] = gates;
  if (first === undefined || gates.length === 1) return first ?? null;
  const open = gates.filter(({ outcome }) => outcome !== "pass");
  const worst = precedence.flatMap((wanted) => open.filter(({ outcome }) => outcome === wanted))[0];
  const together = `together ${passed} of ${passed + failed} runs passed (${percent(passed / Math.max(1, passed + failed))})`;
  if (worst === undefined)
    return { ...first, reason: `each of ${gates.length} gates passed; ${together}`, parts: [] };
  const more = open.length > 1 ? `; ${open.length - 1} more of ${gates.length} gates did not pass` : "";
  const pooled =
    worst.outcome === "not_enough_runs"
      ? "; each question has its own gate: for one gate over all questions, write `pool: true`"
      : "";
  return {
    outcome: worst.outcome,
    reason: `${worst.name}: ${worst.reason}${more}; ${together}${pooled}`,
    runsNeeded: largest(open.map(({ runsNeeded }) => runsNeeded)),
    runsNeededAtLeast: largest(open.map(({ runsNeededAtLeast }) => runsNeededAtLeast)),
    parts: worst.parts,
    notHeld: open,
  };
}

const precedence: readonly GateOutcome[] = ["fail", "incomplete", "not_enough_runs"];

function gateOfUnit(runs: readonly Observation[]): readonly UnitGate[] {
  const unit = runs[0]?.gate;
  if (unit === undefined) return [];
  const group = sortOut(unit.name, runs);
  const gate = gateOf(group, unit.limits);
  return [{ name: unit.name, ...(unit.isMixed ? ofMixedUnits(gate, group, unit.limits) : gate) }];
}

/**
 * Corrects a gate whose runs have unknown texts, so that they may belong to several units. If the pass rate over all texts is too low, the
 * pass rate of at least one text is too low, and the gate fails. If the pass rate is high enough, the pass rate of one text may still be
 * too low, so the gate is `incomplete`. The gate passes only if one run of each text is enough for its limits, and either no run failed or
 * the gate does not limit failures.
 */
function ofMixedUnits(gate: Gate, { failed }: GroupRuns, limits: ReliabilityLimits): Gate {
  if (gate.outcome !== "pass") return gate;
  const { minRuns = 1, confidence, passAtK = [], passHatK = [], minMeanScore, maxStdDev } = limits;
  const isByRun = minRuns <= 1 && confidence === undefined && passAtK.length + passHatK.length === 0;
  const isOfScores = minMeanScore !== undefined || maxStdDev !== undefined;
  if (isByRun && !isOfScores && (failed === 0 || !limitsFailures(limits))) return gate;
  const reason =
    "each question has its own gate, but the questions of the runs were not captured: capture them, or write `pool: true` for one gate over all runs";
  return { outcome: "incomplete", reason, runsNeeded: null, runsNeededAtLeast: null, parts: gate.parts };
}

function scoresOf({ runs }: GroupRuns): GroupScores {
  const scores = sorted(known(runs, "score"));
  return { known: scores, unknown: runs.length - scores.length };
}
