import { outcomes, type Outcome, checksOf } from "../../../model/outcome.ts";
import { type GatedQuery, placeOf, replacesFailures } from "../report/gated-groups.ts";
import type { KnownProblems } from "../problems/known-problems.ts";
import type { ReportedVerdict } from "../findings/reported.ts";
import type { Judged } from "../../json/deciding-checks.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";

/** What a report counts of its verdicts, whatever their order. */
export interface Tally {
  readonly total: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Those that count for the exit code: what was wrong before does not. Of failures those for which no gate stands in, of warnings those neither waived nor expected. */
  readonly counting: Readonly<Record<"fail" | "warn" | "error" | "incomplete", number>>;
  /** Compared with a saved run, and of these how many got worse. */
  readonly compared: number;
  readonly regressed: number;
}

/** By what verdicts are counted. */
export interface TallyRules {
  readonly known?: KnownProblems | undefined;
  readonly gated?: readonly GatedQuery[] | undefined;
}

/** A check as the engine has it, or as it is in JSON. */
interface CountedCheck {
  readonly outcome: Outcome;
  readonly waiver?: object;
  readonly expectedFail?: true;
  readonly expected_fail?: true;
}

/** Counts verdicts as they come. */
export class Tallying {
  readonly #known: KnownProblems | undefined;
  readonly #alone: (reported: ReportedVerdict) => boolean;
  readonly #outcomes = Object.fromEntries(outcomes.map((one) => [one, 0])) as Record<Outcome, number>;
  readonly #counting = { fail: 0, warn: 0, error: 0, incomplete: 0 };
  #total = 0;
  #compared = 0;
  #regressed = 0;

  constructor({ known, gated = [] }: TallyRules) {
    this.#known = known;
    this.#alone = countsAlone(gated);
  }

  /** `judged`: the verdict as the engine has it, where that is at hand; else an object is made of its text. */
  add(reported: ReportedVerdict, judged: Judged<CountedCheck> = reported.verdict): void {
    const { compared } = reported;
    const { outcome } = judged;
    this.#total++;
    this.#outcomes[outcome]++;
    if (compared !== null) this.#compared++;
    if (compared?.regressed === true) this.#regressed++;
    if (outcome !== "pass" && outcome !== "skip" && this.#counts(reported, judged)) this.#counting[outcome]++;
  }

  #counts(reported: ReportedVerdict, judged: Judged<CountedCheck>): boolean {
    if (this.#known?.covers(reported.verdict) === true) return false;
    if (judged.outcome === "fail") return this.#alone(reported);
    return judged.outcome !== "warn" || !isAccepted(judged);
  }

  /** Adds what was counted by the same rules elsewhere. */
  addAll({ total, outcomes: counts, counting, compared, regressed }: Tally): void {
    this.#total += total;
    this.#compared += compared;
    this.#regressed += regressed;
    for (const outcome of outcomes) this.#outcomes[outcome] += counts[outcome];
    for (const outcome of ["fail", "warn", "error", "incomplete"] as const)
      this.#counting[outcome] += counting[outcome];
  }

  get tally(): Tally {
    return {
      total: this.#total,
      outcomes: { ...this.#outcomes },
      counting: { ...this.#counting },
      compared: this.#compared,
      regressed: this.#regressed,
    };
  }
}

export function tallyOf(verdicts: Iterable<ReportedVerdict>, rules: TallyRules): Tally {
  const tallying = new Tallying(rules);
  for (const verdict of verdicts) tallying.add(verdict);
  return tallying.tally;
}

/** Whether each of its warnings is waived or expected. */
export function isAccepted(verdict: Judged<CountedCheck>): boolean {
  const warnings = checksOf(verdict).filter(({ outcome }) => outcome === "warn");
  const accepted = ({ waiver, expectedFail, expected_fail: expected }: CountedCheck): boolean =>
    waiver !== undefined || expectedFail === true || expected === true;
  return warnings.length > 0 && warnings.every(accepted);
}

/**
 * Whether a failed verdict fails the whole: not when the gate of its query says how many runs may fail, unless by a forbidden tool. A gate
 * that asks only for runs, a confidence or scores stands in for no failure.
 */
export function countsAlone(gatedQueries: readonly GatedQuery[]): (reported: ReportedVerdict) => boolean {
  const gated = new Set(
    gatedQueries
      .filter(({ reliability }) => replacesFailures(reliability))
      .map(({ spec, queryId }) => placeOf(spec, queryId)),
  );
  if (gated.size === 0) return () => true;
  return ({ verdict }) => !gated.has(placeOf(verdict.spec, verdict.query_id)) || usedForbiddenTool(verdict);
}

function usedForbiddenTool(verdict: VerdictJson): boolean {
  return verdict.layers.path.checks.some(
    ({ check, outcome }) => check === "forbidden_tools" && outcome === "fail",
  );
}
