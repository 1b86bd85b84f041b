import type { GatedGroup } from "../report/gated-groups.ts";
import type { KnownProblems } from "../problems/known-problems.ts";
import { count as counted, type Listed } from "../findings/listed.ts";
import type { ReportedRun } from "../findings/reported.ts";
import type { Tally } from "./tally.ts";

/** Effect of an incomplete verdict or a missing query on the exit code: `error` gives 2, `fail` gives 1, `warn` has no effect. */
export type Relaxation = "error" | "warn" | "fail";

export interface ExitRules {
  readonly onIncomplete: Relaxation;
  readonly onMissing: Relaxation;
  /** Whether warnings cause exit code 1. */
  readonly failOnWarn: boolean;
  /** Whether runs that are worse than their saved runs cause exit code 1. */
  readonly failOnRegression?: boolean;
  /** Version of the saved runs that an option names. */
  readonly baseline?: string;
  /** Problems of an earlier result. Known problems do not affect the exit code. */
  readonly known?: KnownProblems;
  /** Whether to ignore unreadable input, which otherwise causes exit code 2. */
  readonly skipInvalid: boolean;
  /** Whether a test without any verdict may end with exit code 0. */
  readonly allowEmpty?: boolean;
}

/** Options of `test` and `merge` that decide the exit code. */
export interface ExitOptions extends Pick<ExitRules, "onIncomplete" | "onMissing"> {
  readonly failOn?: "warn" | "regression" | "new";
  readonly skipInvalid?: boolean;
  readonly allowEmpty?: boolean;
  readonly baseline?: string;
}

export function exitRules(options: ExitOptions, known: KnownProblems | undefined): ExitRules {
  return {
    onIncomplete: options.onIncomplete,
    onMissing: options.onMissing,
    failOnWarn: options.failOn === "warn",
    failOnRegression: options.failOn === "regression",
    ...(options.baseline === undefined ? {} : { baseline: options.baseline }),
    ...(known === undefined ? {} : { known }),
    skipInvalid: options.skipInvalid === true,
    allowEmpty: options.allowEmpty === true,
  };
}

export interface Exit {
  readonly code: 0 | 1 | 2;
  /** Reasons for exit code 1 or 2, most important first. Empty for exit code 0. */
  readonly reasons: readonly string[];
}

export interface ExitEvidence {
  readonly runs: number;
  readonly queries: number;
  readonly tally: Tally;
  readonly missing: readonly { readonly spec: string; readonly queryId: string }[];
  readonly unmatched?: Iterable<Pick<ReportedRun, "reason">>;
  readonly ambiguous: Listed<ReportedRun>;
  readonly invalidInput: readonly unknown[];
  readonly agentCalls?: readonly { readonly outcome: string }[];
  /**
   * Results of the reliability gates. If a gate limits failures, failures of single runs do not count. A run
   * that called a forbidden tool counts as failed, even if the gate passed.
   */
  readonly groups?: readonly GatedGroup[];
}

/**
 * Returns the exit code.
 * 1: a verdict or a reliability gate failed.
 * 2: nothing failed, but something is undecided: a verdict or gate, a missing query, an ambiguous run,
 * unreadable input, a failed call of the agent, or a test without a verdict.
 * 0: everything passed, possibly with warnings.
 * `rules` can change the code for warnings, regressions, and undecided results. With `failOnRegression`, a run that cannot be compared with
 * a saved run is undecided. If there is a verdict,
 * unmatched runs have no effect. If a gate has a pass rate, pass@k or pass^k, failures of single runs have no
 * effect, except calls of forbidden tools.
 */
export function exitOf(found: ExitEvidence, rules: ExitRules): Exit {
  const failures: string[] = [];
  const undecidedReasons: string[] = [];
  const relaxed = { error: undecidedReasons, fail: failures, warn: undefined };
  const note = (into: string[] | undefined, count: number, one: string, many: string): void => {
    if (count > 0) into?.push(count === 1 ? `1 ${one}` : `${count} ${many}`);
  };
  const { known } = rules;
  const { counting, compared, regressed, notComparable } = found.tally;
  const groups = found.groups ?? [];
  const gates = (outcome: "fail" | "incomplete" | "not_enough_runs"): number =>
    groups.filter(
      ({ report: { gate }, ...group }) =>
        gate?.outcome === outcome && known?.coversGate({ ...group, gate }) !== true,
    ).length;
  const fallen = known?.fallen(found.tally.rates ?? new Map()) ?? [];

  note(failures, counting.fail, "run failed", "runs failed");
  for (const { isDoubt, spec, queryId, query, message } of fallen) {
    const name = query === null ? queryId : `${queryId} (${JSON.stringify(query.slice(0, 60))})`;
    (isDoubt ? undecidedReasons : failures).push(`${spec}: ${name} is worse than before: ${message}`);
  }
  note(failures, gates("fail"), "reliability gate failed", "reliability gates failed");
  note(
    rules.failOnWarn ? failures : undefined,
    counting.warn,
    "run warned (--fail-on warn)",
    "runs warned (--fail-on warn)",
  );
  note(
    rules.failOnRegression === true ? failures : undefined,
    regressed,
    "run regressed (--fail-on regression)",
    "runs regressed (--fail-on regression)",
  );
  if (rules.failOnRegression === true && compared === 0 && found.tally.total > 0)
    undecidedReasons.push(
      `no run has a saved run ${rules.baseline === undefined ? "" : `of version ${rules.baseline} `}to compare with (--fail-on regression; tracejury baselines lists the versions for --baseline)`,
    );
  else if (rules.failOnRegression === true) {
    const notCompared = relaxed[rules.onIncomplete];
    note(
      notCompared,
      found.tally.total - compared,
      "run has no saved run to compare with (--fail-on regression)",
      "runs have no saved run to compare with (--fail-on regression)",
    );
    note(
      notCompared,
      notComparable,
      "run was compared without a check that was decided for its saved run (--fail-on regression)",
      "runs were compared without a check that was decided for their saved runs (--fail-on regression)",
    );
  }
  note(
    undecidedReasons,
    gates("incomplete"),
    "query has runs without a score, which its reliability gate needs",
    "queries have runs without a score, which their reliability gates need",
  );
  note(
    undecidedReasons,
    gates("not_enough_runs"),
    "query has too few runs for its reliability gate",
    "queries have too few runs for their reliability gates",
  );
  note(
    undecidedReasons,
    (found.agentCalls ?? []).filter(({ outcome }) => outcome !== "ok").length,
    "call of the agent failed",
    "calls of the agent failed",
  );
  note(undecidedReasons, counting.error, "run could not be evaluated", "runs could not be evaluated");
  note(relaxed[rules.onIncomplete], counting.incomplete, "verdict is incomplete", "verdicts are incomplete");
  const allowsEmpty = rules.allowEmpty === true && found.tally.total === 0;
  const missing = found.missing.filter(({ spec, queryId }) => known?.wasMissing(spec, queryId) !== true);
  const ofMissing = allowsEmpty && rules.onMissing === "error" ? undefined : relaxed[rules.onMissing];
  note(ofMissing, missing.length, "query had no run", "queries had no run");
  const ambiguous = counted(found.ambiguous, (run) => known?.wasAmbiguous(run) !== true);
  note(undecidedReasons, ambiguous, "run matches several queries", "runs match several queries");
  note(
    rules.skipInvalid ? undefined : undecidedReasons,
    found.invalidInput.length,
    "part of the input is unreadable",
    "parts of the input are unreadable",
  );
  if (rules.allowEmpty !== true) undecidedReasons.push(...reasonsForNoVerdict(found));

  const { unclear } = found.tally;
  if (unclear > 0)
    (failures.length > 0 ? failures : undecidedReasons).push(
      `${unclear} of the failed or undecided verdicts may be known problems: the saved result lacks the causes, or the run's question is unknown (save the result again)`,
    );

  const reasons = [...failures, ...undecidedReasons];
  if (failures.length > 0) return { code: 1, reasons };
  return { code: undecidedReasons.length > 0 ? 2 : 0, reasons };
}

/** Returns the reasons why there is no verdict. Returns an empty list if there is a verdict. */
function reasonsForNoVerdict({
  queries,
  runs,
  tally,
  unmatched = [],
  ambiguous,
}: ExitEvidence): readonly string[] {
  const why = [
    ...(queries === 0 ? ["no query selected"] : []),
    ...(runs === 0 ? ["no run in the input"] : []),
  ];
  if (why.length > 0) return why;
  if (tally.total > 0) {
    const areAllSkipped = tally.outcomes.skip === tally.total;
    return areAllSkipped ? ["no run was judged: all checks of all runs were skipped"] : [];
  }
  const counts = new Map<string, number>();
  for (const { reason } of unmatched) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const [most, ...others] = [...counts].sort((a, b) => b[1] - a[1]);
  if (most === undefined) {
    return [ambiguous.length > 0 ? "no run was judged" : "no run of the selected queries"];
  }
  const more =
    others.length > 0 ? `; and ${others.length} other ${others.length === 1 ? "reason" : "reasons"}` : "";
  return [`no run was judged: ${most[0]} (${most[1]} of ${runs} ${runs === 1 ? "run" : "runs"}${more})`];
}
