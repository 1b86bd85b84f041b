import { type NotJudged, NotJudgedCounts } from "../../../model/not-judged.ts";
import type { FindingRates, UnitRates } from "../problems/finding-rates.ts";
import { outcomes, type Outcome, checksOf } from "../../../model/outcome.ts";
import { type GatedQuery, placeOf, replacesFailures } from "../report/gated-groups.ts";
import type { KnownProblems } from "../problems/known-problems.ts";
import type { ReportedVerdict } from "../findings/reported.ts";
import type { Judged } from "../../json/deciding-checks.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";

export interface Tally {
  readonly total: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /**
   * Number of verdicts that affect the exit code, by outcome. Excludes known problems, failures that a
   * gate replaces, and warnings that are waived or expected.
   */
  readonly counting: Readonly<Record<"fail" | "warn" | "error" | "incomplete", number>>;
  /**
   * Number of runs that were compared with a saved run. `regressed` is the number of these runs that are
   * worse than the saved run. `notComparable` is the number of decided runs for which it is unknown whether
   * they are worse, because a check that the saved run has was not decided.
   */
  readonly compared: number;
  readonly regressed: number;
  readonly notComparable: number;
  /** Number of failed or undecided verdicts for which it is unknown whether their problems also occurred in the earlier result. */
  readonly unclear: number;
  /** Names of the specs with a verdict. */
  readonly specs: ReadonlySet<string>;
  /** Number of verdicts whose run names a query id that the spec lacks. */
  readonly unknownIds: number;
  /** Checks that options left out, with the number of verdicts without the check. */
  readonly notJudged: readonly NotJudged[];
  /** Numbers of failed runs by unit. Absent if there is no earlier result. */
  readonly rates?: ReadonlyMap<string, UnitRates>;
}

export interface TallyRules {
  readonly known?: KnownProblems | undefined;
  readonly gated?: readonly GatedQuery[] | undefined;
}

interface CountedCheck {
  readonly check: string;
  readonly outcome: Outcome;
  readonly message: string;
  readonly waiver?: object;
  readonly expectedFail?: true;
  readonly expected_fail?: true;
}

interface CountedVerdict extends Judged<CountedCheck> {
  readonly spec: string;
  readonly match: { readonly unknownId?: string; readonly unknown_id?: string };
}

export class Tallying {
  readonly #known: KnownProblems | undefined;
  readonly #alone: (reported: ReportedVerdict) => boolean;
  readonly #outcomes = Object.fromEntries(outcomes.map((one) => [one, 0])) as Record<Outcome, number>;
  readonly #counting = { fail: 0, warn: 0, error: 0, incomplete: 0 };
  readonly #rates: FindingRates | undefined;
  readonly #specs = new Set<string>();
  readonly #notJudged = new NotJudgedCounts();
  readonly #numbers = {
    total: 0,
    compared: 0,
    regressed: 0,
    notComparable: 0,
    unclear: 0,
    unknownIds: 0,
  };

  constructor({ known, gated = [] }: TallyRules) {
    this.#known = known;
    this.#rates = known?.newRates();
    this.#alone = countsAlone(gated);
  }

  /**
   * Counts a verdict.
   * @param judged the verdict as an object. If absent, the JSON text of `reported` is parsed
   */
  add(reported: ReportedVerdict, judged: CountedVerdict = reported.verdict): void {
    const { compared } = reported;
    const { outcome } = judged;
    this.#numbers.total++;
    this.#specs.add(judged.spec);
    if (judged.match.unknown_id !== undefined || judged.match.unknownId !== undefined)
      this.#numbers.unknownIds++;
    this.#outcomes[outcome]++;
    if (compared !== null) this.#numbers.compared++;
    if (compared?.regressed === true) this.#numbers.regressed++;
    else if (compared?.undecided === true && outcome !== "incomplete" && outcome !== "error")
      this.#numbers.notComparable++;
    this.#rates?.add(reported.verdict);
    this.#notJudged.add(checksOf(judged));
    if (outcome !== "pass" && outcome !== "skip") this.#count(reported, judged, outcome);
  }

  #count(reported: ReportedVerdict, judged: Judged<CountedCheck>, outcome: keyof Tally["counting"]): void {
    const novelty = this.#known?.compare(reported.verdict);
    if (novelty === "covered" || !this.#counts(reported, judged)) return;
    this.#counting[outcome]++;
    if (novelty === "unclear" && outcome !== "warn") this.#numbers.unclear++;
  }

  #counts(reported: ReportedVerdict, judged: Judged<CountedCheck>): boolean {
    if (judged.outcome === "fail") return this.#alone(reported);
    return judged.outcome !== "warn" || !isAccepted(judged);
  }

  /** Adds counts that another `Tallying` collected with the same rules. */
  addAll(tally: Tally): void {
    const { specs, rates } = tally;
    addTo(this.#numbers, tally);
    addTo(this.#outcomes, tally.outcomes);
    addTo(this.#counting, tally.counting);
    this.#notJudged.addAll(tally.notJudged);
    for (const spec of specs) this.#specs.add(spec);
    if (rates !== undefined) this.#rates?.addAll(rates);
  }

  get tally(): Tally {
    return {
      ...this.#numbers,
      outcomes: { ...this.#outcomes },
      counting: { ...this.#counting },
      specs: this.#specs,
      notJudged: this.#notJudged.all,
      ...(this.#rates === undefined ? {} : { rates: this.#rates.units }),
    };
  }
}

function addTo<Name extends string>(
  counts: Record<Name, number>,
  others: Readonly<Record<NoInfer<Name>, number>>,
): void {
  for (const name of Object.keys(counts) as Name[]) counts[name] += others[name];
}

export function tallyOf(verdicts: Iterable<ReportedVerdict>, rules: TallyRules): Tally {
  const tallying = new Tallying(rules);
  for (const verdict of verdicts) tallying.add(verdict);
  return tallying.tally;
}

/** Whether the verdict has warnings, and every warning is waived or expected. */
export function isAccepted(verdict: Judged<CountedCheck>): boolean {
  const warnings = checksOf(verdict).filter(({ outcome }) => outcome === "warn");
  const accepted = ({ waiver, expectedFail, expected_fail: expected }: CountedCheck): boolean =>
    waiver !== undefined || expectedFail === true || expected === true;
  return warnings.length > 0 && warnings.every(accepted);
}

/**
 * Returns a function that decides whether a failed verdict causes exit code 1. If a gate limits the failures
 * of the query, only a run that called a forbidden tool causes exit code 1. A gate with only `min_runs`, a
 * confidence or scores does not limit failures.
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
