import { exitOf, type Exit, type ExitRules } from "../tally/exit-code.ts";
import { type GatedGroup, gatedGroups, type GatedQuery } from "../report/gated-groups.ts";
import { inOrder, type Listed } from "../findings/listed.ts";
import { type ReportedRun, type ReportedVerdict, runOrder, verdictOrder } from "../findings/reported.ts";
import type { ReportedCall } from "../../json/reported-call.ts";
import { type Tally, tallyOf } from "../tally/tally.ts";
import { specNames } from "../../../spec/spec-names.ts";
import type { PlaybackSaving } from "../../../model/playback.ts";
import type { JudgeSpend } from "../../../model/judge-spend.ts";
import type { SummaryJson } from "../../json/verdict-schema.ts";

export interface SpecSummary {
  readonly file: string;
  readonly hash: string;
  readonly agent: string;
}

/** A query of a spec without a matching run. */
export interface MissingQuery {
  readonly queryId: string;
  readonly query: string;
  readonly spec: string;
  /** Position of the query in the spec; absent if unknown. */
  readonly source?: SourcePlace;
}

/** A position in a file. Line and column start at 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A part of the input that could not be read. `line` is null if the file format has no lines. */
export interface InvalidInput {
  readonly file: string;
  readonly line: number | null;
  readonly reason: string;
}

/** Everything that `test` found out, in any order. */
export interface Findings {
  readonly version: string;
  readonly specs: readonly SpecSummary[];
  /** Paths of the dumps as given on the command line. Absent if the runs do not come from dumps. */
  readonly dumps?: readonly string[];
  /** Number of assembled runs, including unmatched runs. */
  readonly runs: number;
  /** Number of queries selected by `--query` and `--tags`. */
  readonly queries: number;
  readonly verdicts: Listed<ReportedVerdict>;
  /** Counts of the verdicts. If absent, `testResult` counts the verdicts. */
  readonly tally?: Tally;
  readonly missing: readonly MissingQuery[];
  readonly unmatched: Listed<ReportedRun>;
  readonly ambiguous: Listed<ReportedRun>;
  readonly invalidInput: readonly InvalidInput[];
  /**
   * Queries with `reliability:` in the spec. The reliability gate of a query evaluates all its runs together.
   */
  readonly gated?: readonly GatedQuery[];
  /** Calls of the agent that the test made. Absent if the test called no agent. */
  readonly agentCalls?: readonly ReportedCall[];
  /** Cost and savings of judges; absent if no judge answered and no cached reply was used. */
  readonly judging?: JudgeSpend;
  /** Model costs that recorded answers saved. Absent if no run used recorded answers. */
  readonly models?: PlaybackSaving;
}

/** The sorted findings, with counts and the exit code. */
export interface TestResult extends Findings {
  readonly tally: Tally;
  readonly summary: SummaryJson;
  readonly exit: Exit;
  readonly rules: ExitRules;
  /** Specs without a verdict. Empty if no spec has a verdict. */
  readonly idleSpecs: readonly SpecSummary[];
  /** Queries with `reliability:` and at least one run, with the result of the reliability gate. */
  readonly groups: readonly GatedGroup[];
}

/**
 * Sorts and counts findings, and computes the exit code. The order of the findings does not affect the
 * result.
 */
export function testResult(findings: Findings, rules: ExitRules): TestResult {
  const { gated = [] } = findings;
  const verdicts = inOrder(findings.verdicts, verdictOrder);
  const tally = findings.tally ?? tallyOf(verdicts, { known: rules.known, gated });
  const groups = gatedGroups(gated, findings.verdicts);
  const exit = exitOf({ ...findings, tally, groups }, rules);
  return {
    ...findings,
    tally,
    groups,
    idleSpecs: idleSpecs(findings.specs, tally),
    verdicts,
    unmatched: inOrder(findings.unmatched, runOrder),
    ambiguous: inOrder(findings.ambiguous, runOrder),
    summary: summarise(findings, tally, exit.code),
    exit,
    rules,
  };
}

function summarise(findings: Findings, { total, outcomes }: Tally, exitCode: Exit["code"]): SummaryJson {
  return {
    total,
    passed: outcomes.pass,
    warnings: outcomes.warn,
    failed: outcomes.fail,
    incomplete: outcomes.incomplete,
    errors: outcomes.error,
    skipped: outcomes.skip,
    missing: findings.missing.length,
    unmatched: findings.unmatched.length,
    ambiguous: findings.ambiguous.length,
    runs: findings.runs,
    exit_code: exitCode,
  };
}

function idleSpecs(specs: readonly SpecSummary[], { total, specs: judging }: Tally): readonly SpecSummary[] {
  const names = specNames(specs.map(({ file }) => file));
  return total === 0 ? [] : specs.filter(({ file }) => !judging.has(names.get(file) ?? file));
}
