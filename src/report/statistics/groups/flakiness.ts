import { mean, sampleStdDev, sorted, type Sample } from "../samples/moments.ts";

export type FlakinessBand = "stable" | "low_variance" | "moderate_variance" | "high_variance" | "flaky";

export interface FlakinessEvidence {
  readonly passed: number;
  readonly failed: number;
  /** Known scores of the runs, 0 to 100. */
  readonly scores: Sample;
  /** The called tools of each run, joined to one text. Runs with unknown tools are left out. */
  readonly toolPatterns: readonly string[];
}

export interface Flakiness {
  /** Flakiness from 0 (stable) to 1 (flaky); null for fewer than two runs that passed or failed. */
  readonly score: number | null;
  readonly band: FlakinessBand | null;
}

const bands = [
  { below: 0.1, band: "stable" },
  { below: 0.25, band: "low_variance" },
  { below: 0.5, band: "moderate_variance" },
  { below: 0.75, band: "high_variance" },
] as const;

/** Returns the name of a flakiness score. The limits between the names are 0.1, 0.25, 0.5 and 0.75. */
function flakinessBand(score: number): FlakinessBand {
  return bands.find(({ below }) => score < below)?.band ?? "flaky";
}

interface Part {
  readonly weight: number;
  readonly value: number;
}

function scoreParts(scores: Sample): Part[] {
  const spread = sampleStdDev(scores);
  const centre = mean(scores);
  if (spread === null || centre === null) return [];
  const variation = centre > 0 ? (100 * spread) / centre : 0;
  const ordered = sorted(scores);
  const range = (ordered[ordered.length - 1] ?? 0) - (ordered[0] ?? 0);
  return [
    { weight: 0.3, value: Math.min(variation / 50, 1) },
    { weight: 0.2, value: Math.min(range / 50, 1) },
  ];
}

/**
 * Returns EvalView's flakiness score: 0.4·(1 − 2·|p − 0.5|) + 0.3·min(CV/50, 1) + 0.2·min(range/50, 1) +
 * 0.1·(distinct tool patterns − 1)/(n − 1). p is the pass rate, CV the coefficient of variation of the scores
 * in percent. Terms with unknown scores or tools are left out, and the other weights are scaled to a sum of
 * 1. The score is null for fewer than two runs that passed or failed, where EvalView returns 0.
 */
export function flakiness(evidence: FlakinessEvidence): Flakiness {
  const runs = evidence.passed + evidence.failed;
  if (runs < 2) return { score: null, band: null };
  const parts = [
    { weight: 0.4, value: 1 - 2 * Math.abs(evidence.passed / runs - 0.5) },
    ...scoreParts(evidence.scores),
  ];
  const patterns = evidence.toolPatterns;
  if (patterns.length > 1) {
    parts.push({ weight: 0.1, value: (new Set(patterns).size - 1) / (patterns.length - 1) });
  }
  const weights = parts.reduce((total, part) => total + part.weight, 0);
  const score = parts.reduce((total, part) => total + part.weight * part.value, 0) / weights;
  return { score, band: flakinessBand(score) };
}
