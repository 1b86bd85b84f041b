import type { AgentRun } from "../model/run.ts";
import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { type Budget, budgetKeys, limitFor, observe } from "./observed.ts";

/** One limit of a query, with the values that were observed in runs. */
export interface CalibratedLimit {
  readonly key: Budget;
  /** Limit in the spec. Null if the spec does not set the limit. */
  readonly written: number | null;
  readonly observed: number | null;
  /** Proposed limit with a margin. Null if no value was observed. */
  readonly proposed: number | null;
  /**
   * How the limit fits the observed values.
   * `tight`: a run reaches or exceeds the limit.
   * `loose`: the limit is at least four times the observed maximum.
   * `missing`: the spec has no limit.
   */
  readonly fit: "fits" | "tight" | "loose" | "missing" | "unknown";
}

export interface CalibratedQuery {
  readonly spec: string;
  readonly queryId: string;
  /** Number of observed runs: all good runs, or all runs if none is good. */
  readonly runs: number;
  readonly limits: readonly CalibratedLimit[];
}

const LOOSE_FACTOR = 4;

/** Compares the limits of a query with the values of its runs. */
export function calibrate(
  spec: CompiledSpec,
  query: CompiledQuery,
  runs: readonly AgentRun[],
): CalibratedQuery {
  const { most, runs: count } = observe(runs);
  return {
    spec: spec.name,
    queryId: query.id,
    runs: count,
    limits: budgetKeys.map((key) => {
      const layer = key === "max_tool_calls" ? "path" : "cost";
      const value = query.settings[layer][key];
      const written = typeof value === "number" ? value : null;
      return {
        key,
        written,
        observed: most[key],
        proposed: limitFor(key, most[key], count),
        fit: fitOf(written, most[key]),
      };
    }),
  };
}

function fitOf(written: number | null, observed: number | null): CalibratedLimit["fit"] {
  if (observed === null) return "unknown";
  if (written === null) return "missing";
  if (observed >= written && !(observed === 0 && written === 0)) return "tight";
  return written >= observed * LOOSE_FACTOR && observed > 0 ? "loose" : "fits";
}
