import { checksOf, type Outcome } from "../../../model/outcome.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";
import { isFallen, type RunCounts } from "../../statistics/compare/fallen-rate.ts";
import { findingKeys, findingUnit, keyOf } from "./finding-keys.ts";

/** Numbers of failed and undecided runs of one unit. `findingUnit` defines a unit. */
export interface UnitRates {
  readonly spec: string;
  readonly queryId: string;
  /** Query text of one of the unit's runs; null if unknown. */
  readonly query: string | null;
  /** Number of runs with a decided outcome: pass, warn or fail. */
  decided: number;
  failed: number;
  undecided: number;
  readonly findings: Map<string, FindingRate>;
}

interface FindingRate {
  readonly check: string;
  /** Whether the check is undecided, and not violated. */
  readonly isDoubt: boolean;
  readonly runs: number;
}

/** A query that fails, or is undecided, in significantly more runs than in the saved result. */
export interface FallenRate {
  readonly spec: string;
  readonly queryId: string;
  readonly query: string | null;
  /** Message such as `9 of 10 runs failed, 1 of 10 in the saved result`. */
  readonly message: string;
  /** Whether undecided runs increased; false if failures increased. */
  readonly isDoubt: boolean;
}

export class FindingRates {
  readonly units = new Map<string, UnitRates>();
  readonly #isCounted: (key: string) => boolean;

  /**
   * @param isCounted returns whether the finding with this key is counted. By default, all findings are counted. To save memory, count only
   * findings of the earlier result
   */
  constructor(isCounted: (key: string) => boolean = () => true) {
    this.#isCounted = isCounted;
  }

  add(verdict: VerdictJson): void {
    const side = sides[verdict.outcome];
    if (side === undefined) return;
    const unit = unitOrQuery(verdict);
    const rates = this.#ratesOf(unit, { ...verdict, queryId: verdict.query_id });
    if (side === "undecided") rates.undecided++;
    else rates.decided++;
    if (side === "failed") rates.failed++;
    const seen = new Set<string>();
    for (const check of checksOf(verdict)) {
      const held = sides[check.outcome];
      if (held === undefined || held === "passed") continue;
      for (const key of findingKeys(unit, check) ?? []) {
        if (seen.has(key) || !this.#isCounted(key)) continue;
        seen.add(key);
        count(rates.findings, key, { check: check.check, isDoubt: held === "undecided", runs: 1 });
      }
    }
  }

  /** Adds the counts of another thread. */
  addAll(units: ReadonlyMap<string, UnitRates>): void {
    for (const [key, other] of units) {
      const own = this.#ratesOf(key, other);
      own.decided += other.decided;
      own.failed += other.failed;
      own.undecided += other.undecided;
      for (const [name, finding] of other.findings) count(own.findings, name, finding);
    }
  }

  #ratesOf(unit: string, { spec, queryId, query }: Pick<UnitRates, "spec" | "queryId" | "query">): UnitRates {
    const known = this.units.get(unit);
    if (known !== undefined) return known;
    const rates = { spec, queryId, query, decided: 0, failed: 0, undecided: 0, findings: new Map() };
    this.units.set(unit, rates);
    return rates;
  }
}

function count(findings: Map<string, FindingRate>, key: string, { runs, ...rest }: FindingRate): void {
  findings.set(key, { ...rest, runs: (findings.get(key)?.runs ?? 0) + runs });
}

const sides: Readonly<Partial<Record<Outcome, "passed" | "failed" | "undecided">>> = {
  pass: "passed",
  warn: "passed",
  fail: "failed",
  incomplete: "undecided",
  error: "undecided",
};

/**
 * Returns the unit of a verdict: the runs of one query with the same text. All runs of a query with an
 * unknown text form one unit.
 */
function unitOrQuery(verdict: VerdictJson): string {
  return findingUnit(verdict) ?? keyOf(verdict.spec, verdict.query_id, null);
}

/**
 * Returns the units in which significantly more runs fail, or are undecided, than before. Significance tests
 * compare the number of failed runs, for each finding the number of runs with the finding, and the number of
 * undecided runs. Each unit is returned at most once.
 */
export function fallenRates(
  before: ReadonlyMap<string, UnitRates>,
  after: ReadonlyMap<string, UnitRates>,
): readonly FallenRate[] {
  return [...after].flatMap(([unit, now]) => {
    const old = before.get(unit);
    const found = old === undefined ? undefined : fallen(old, now);
    return found === undefined ? [] : [found];
  });
}

function fallen(old: UnitRates, now: UnitRates): FallenRate | undefined {
  const of = (failed: number, { decided, undecided }: UnitRates): RunCounts => ({
    failed,
    runs: decided + undecided,
  });
  const { spec, queryId, query } = now;
  const compared = (what: string, before: RunCounts, after: RunCounts, isDoubt = false) => {
    const message = `${after.failed} of ${after.runs} runs ${what}, ${before.failed} of ${before.runs} in the saved result`;
    return isFallen(before, after) ? { spec, queryId, query, message, isDoubt } : undefined;
  };
  const decided = ({ failed, decided: runs }: UnitRates): RunCounts => ({ failed, runs });
  const failing = [...now.findings].map(([key, { check, isDoubt, runs }]) => {
    const was = old.findings.get(key)?.runs ?? 0;
    return isDoubt ? undefined : compared(`fail ${check} for the same reason`, of(was, old), of(runs, now));
  });
  return (
    compared("failed", decided(old), decided(now)) ??
    failing.find((one) => one !== undefined) ??
    compared("could not be judged", of(old.undecided, old), of(now.undecided, now), true)
  );
}
