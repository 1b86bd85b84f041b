import { checksOf, type Outcome } from "../../../model/outcome.ts";
import { normaliseText } from "../../../match/rules/normalise.ts";
import type { GatePart } from "../../statistics/groups/reliability.ts";
import type { CheckJson, ResultJson, VerdictJson } from "../../json/verdict-schema.ts";
import { findingKeys, findingPlace, findingUnit, keyOf } from "./finding-keys.ts";
import { type FallenRate, fallenRates, FindingRates, type UnitRates } from "./finding-rates.ts";

/**
 * Whether the problems of a verdict are known from an earlier result. `covered`: the earlier result has all
 * problems of the verdict. `new`: the earlier result lacks a problem of the verdict. `unclear`: the earlier
 * result lacks the causes of a violation, or the run's text is unknown.
 */
export type Novelty = "covered" | "new" | "unclear";

/**
 * Problems of an earlier result. A problem that the earlier and the new result have does not affect the exit
 * code.
 */
export interface KnownProblems {
  compare(verdict: VerdictJson): Novelty;
  wasMissing(spec: string, queryId: string): boolean;
  /** Whether all violated parts of a reliability gate were also violated in the earlier result. */
  coversGate(group: ComparedGate): boolean;
  /** Whether the earlier result has an ambiguous run with the same text and the same candidate queries. */
  wasAmbiguous(run: { readonly query: string | null; readonly candidates: readonly string[] }): boolean;
  /** Creates counters of failed runs. The counters count only findings that the earlier result also has. */
  newRates(): FindingRates;
  /**
   * Returns the queries that fail, or are undecided, in significantly more runs than in the earlier result.
   */
  fallen(rates: ReadonlyMap<string, UnitRates>): readonly FallenRate[];
}

export interface ComparedGate {
  readonly spec: string;
  readonly queryId: string;
  readonly gate: ComparedParts & {
    readonly notHeld?: readonly (ComparedParts & { readonly name: string })[] | undefined;
  };
}

interface ComparedParts {
  readonly parts: readonly Pick<GatePart, "check" | "k" | "limit" | "outcome">[];
}

/**
 * Severity of an outcome. A violation is covered by an earlier violation of equal or greater severity. `incomplete` and `error` have their
 * own keys of findings, so their weights are compared only with each other.
 */
const weights: Readonly<Record<Outcome, number>> = {
  fail: 3,
  error: 2,
  incomplete: 2,
  warn: 1,
  pass: 0,
  skip: 0,
};

export function knownProblems(result: ResultJson): KnownProblems {
  const findings = new KnownFindings();
  const rates = new FindingRates();
  for (const verdict of result.verdicts) {
    findings.add(verdict);
    rates.add(verdict);
  }
  const missing = new Set(result.missing.map(({ spec, query_id: id }) => keyOf(spec, id)));
  const gates = new Set(
    result.groups.flatMap(({ spec, query_id: queryId, gate: { checks: parts, not_held: units } }) =>
      unpassedParts({
        spec,
        queryId,
        gate: { parts, notHeld: units?.map(({ name, checks }) => ({ name, parts: checks })) },
      }),
    ),
  );
  const ambiguous = new Set(result.ambiguous.flatMap(({ query, candidates }) => runKey(query, candidates)));
  return {
    compare: (verdict) => findings.compare(verdict),
    wasMissing: (spec, queryId) => missing.has(keyOf(spec, queryId)),
    coversGate: (group) => unpassedParts(group).every((part) => gates.has(part)),
    wasAmbiguous: ({ query, candidates }) => runKey(query, candidates).some((key) => ambiguous.has(key)),
    newRates: () => new FindingRates((key) => findings.has(key)),
    fallen: (now) => fallenRates(rates.units, now),
  };
}

class KnownFindings {
  /** The most severe outcome of each finding in the earlier result, as a weight. */
  readonly #worstWeights = new Map<string, number>();
  /** Keys of checks for which the earlier result lacks the causes, or the text of the run. */
  readonly #withoutCauses = new Set<string>();

  add(verdict: VerdictJson): void {
    const unit = findingUnit(verdict);
    for (const check of checksOf(verdict)) {
      const weight = weights[check.outcome];
      if (weight === 0) continue;
      const keys = unit === null ? null : findingKeys(unit, check);
      if (keys === null) this.#withoutCauses.add(findingPlace(unit ?? withoutText(verdict), check));
      for (const key of keys ?? [])
        this.#worstWeights.set(key, Math.max(this.#worstWeights.get(key) ?? 0, weight));
    }
  }

  has(key: string): boolean {
    return this.#worstWeights.has(key);
  }

  compare(verdict: VerdictJson): Novelty {
    const unit = findingUnit(verdict);
    const found = checksOf(verdict)
      .filter(({ outcome }) => weights[outcome] > weights.warn)
      .map((check) => this.#compareCheck(unit, verdict, check));
    return found.includes("new") ? "new" : found.includes("unclear") ? "unclear" : "covered";
  }

  #compareCheck(unit: string | null, verdict: VerdictJson, check: CheckJson): Novelty {
    const keys = unit === null ? null : findingKeys(unit, check);
    const weight = weights[check.outcome];
    if (keys?.every((key) => (this.#worstWeights.get(key) ?? 0) >= weight) === true) return "covered";
    const lacksCauses = this.#withoutCauses.has(findingPlace(unit ?? withoutText(verdict), check));
    return lacksCauses || keys === null ? "unclear" : "new";
  }
}

function withoutText({ spec, query_id: queryId }: VerdictJson): string {
  return keyOf(spec, queryId, null);
}

/**
 * Returns a key for each part of a gate that did not pass. If the gate evaluates each text separately,
 * returns the keys of all texts.
 */
function unpassedParts({ spec, queryId, gate }: ComparedGate): readonly string[] {
  const units = gate.notHeld?.map(({ name, parts }) => ({ name: normaliseText(name), parts }));
  return (units ?? [{ name: null, parts: gate.parts }]).flatMap(({ name, parts }) =>
    parts
      .filter(({ outcome }) => outcome !== "pass")
      .map(({ check, k, limit, outcome }) => keyOf(spec, queryId, name, check, k ?? 0, limit, outcome)),
  );
}

/** Returns a list with the key of an ambiguous run. The list is empty if the run's text is unknown. */
function runKey(query: string | null, candidates: readonly string[]): readonly string[] {
  return query === null ? [] : [keyOf(normaliseText(query), ...candidates)];
}
