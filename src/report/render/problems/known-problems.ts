import { type Outcome, checksOf } from "../../../model/outcome.ts";
import type { ResultJson, VerdictJson } from "../../json/verdict-schema.ts";

/** What was wrong in an earlier result, so that only what is worse counts. */
export interface KnownProblems {
  /** Whether nothing about the verdict is worse than it was for its query. */
  covers(verdict: VerdictJson): boolean;
  /** Whether the query had no run before, either. */
  wasMissing(spec: string, queryId: string): boolean;
  /** Whether the query was not as reliable as asked before, either. */
  wasUnreliable(spec: string, queryId: string): boolean;
  /** Whether runs were ambiguous before, between the same queries. */
  wasAmbiguous(candidates: readonly string[]): boolean;
}

/** In order of weight: a check that was worse before covers one that is better now. */
const weights: Readonly<Record<Outcome, number>> = {
  fail: 3,
  error: 2,
  incomplete: 2,
  warn: 1,
  pass: 0,
  skip: 0,
};

/** Everything an earlier result found wrong, by query and check. */
export function knownProblems(result: ResultJson): KnownProblems {
  const worst = new Map<string, number>();
  for (const verdict of result.verdicts) {
    for (const check of checksOf(verdict)) {
      const name = keyOf(verdict.spec, verdict.query_id, check.check);
      worst.set(name, Math.max(worst.get(name) ?? 0, weights[check.outcome]));
    }
  }
  const missing = new Set(result.missing.map(({ spec, query_id: id }) => keyOf(spec, id)));
  const unreliable = new Set(
    result.groups
      .filter(({ gate }) => gate.outcome !== "pass")
      .map(({ spec, query_id: id }) => keyOf(spec, id)),
  );
  const ambiguous = new Set(result.ambiguous.map(({ candidates }) => keyOf(...candidates)));
  return {
    covers: (verdict) =>
      checksOf(verdict).every((check) => {
        const before = worst.get(keyOf(verdict.spec, verdict.query_id, check.check)) ?? 0;
        return weights[check.outcome] <= Math.max(before, weights.warn);
      }),
    wasMissing: (spec, queryId) => missing.has(keyOf(spec, queryId)),
    wasUnreliable: (spec, queryId) => unreliable.has(keyOf(spec, queryId)),
    wasAmbiguous: (candidates) => ambiguous.has(keyOf(...candidates)),
  };
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
