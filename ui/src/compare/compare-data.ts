import { ApiError, ask } from "../api.ts";
import type { PassCounts } from "./pass-rate-words.ts";
import type { Outcome } from "../types.ts";

/** One side of a comparison, as in the response of `/api/v1/compare`. */
export interface SideJson {
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  readonly undecided: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly pass_rate: number | null;
  readonly pass_rate_interval: { readonly low: number; readonly high: number } | null;
  readonly metrics: Readonly<
    Record<string, { runs: number; median: number | null; p90: number | null; values: readonly number[] }>
  >;
  readonly paths: readonly { readonly tools: readonly string[]; readonly runs: number }[];
}

export interface Comparison {
  readonly metric: string;
  readonly test: string | null;
  readonly p: number | null;
  readonly p_adjusted: number | null;
  readonly effect: number | null;
  readonly queries: number;
  readonly higher: number;
  readonly lower: number;
  readonly equal: number;
  readonly mean_a: number | null;
  readonly mean_b: number | null;
  /** The change that was tested: a ratio, or a difference in the unit of the metric. Null for the pass rate. */
  readonly change: {
    readonly scale: "ratio" | "difference";
    readonly estimate: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
  readonly reason: string | null;
}

/** A query with runs on both sides. */
export interface QueryComparison {
  readonly spec: string;
  readonly query_id: string;
  readonly text: string | null;
  readonly runs_a: number;
  readonly runs_b: number;
  readonly passed_a: number;
  readonly passed_b: number;
  /** Number of passed runs that had a warning. */
  readonly warned_a: number;
  readonly warned_b: number;
  readonly decided_a: number;
  readonly decided_b: number;
  readonly metrics: Readonly<
    Record<string, { readonly median_a: number | null; readonly median_b: number | null }>
  >;
  readonly comparisons: readonly Comparison[];
}

/** A query with runs on only one side: it is new in B, or was removed after A. */
export interface OneSidedQuery {
  readonly side: "a" | "b";
  readonly spec: string;
  readonly query_id: string;
  readonly text: string | null;
  readonly runs: number;
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
  readonly decided: number;
}

export interface Compared {
  readonly a: SideJson;
  readonly b: SideJson;
  readonly sides: {
    readonly queries: number;
    readonly only_a: number;
    readonly only_b: number;
    readonly without_query: number;
    readonly overlap: number;
  };
  readonly comparisons: readonly Comparison[];
  readonly by_query: readonly QueryComparison[];
  readonly one_side: readonly OneSidedQuery[];
}

export function countsOfA({ passed_a, warned_a, decided_a }: QueryComparison): PassCounts {
  return { passed: passed_a, warned: warned_a, decided: decided_a };
}

export function countsOfB({ passed_b, warned_b, decided_b }: QueryComparison): PassCounts {
  return { passed: passed_b, warned: warned_b, decided: decided_b };
}

/** Significance level: a difference with a p-value below this is statistically significant. */
export const level = 0.05;

/** Loads a comparison. Resolves to null if the collector stores no runs. */
export async function compare(parameters: Readonly<Record<string, string>>): Promise<Compared | null> {
  try {
    return await ask<Compared>("/api/v1/compare", { parameters });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
