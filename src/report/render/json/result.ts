import { exitOf, type Exit, type ExitRules } from "../tally/exit-code.ts";
import { type GatedGroup, gatedGroups, type GatedQuery } from "../report/gated-groups.ts";
import { inOrder, type Listed } from "../findings/listed.ts";
import { type ReportedRun, type ReportedVerdict, runOrder, verdictOrder } from "../findings/reported.ts";
import type { ReportedCall } from "../../json/reported-call.ts";
import { type Tally, tallyOf } from "../tally/tally.ts";
import { specName } from "../../../spec/load.ts";
import type { PlaybackSaving } from "../../../model/playback.ts";
import type { JudgeSpend } from "../../../model/judge-spend.ts";
import type { SummaryJson } from "../../json/verdict-schema.ts";

export interface SpecSummary {
  readonly file: string;
  readonly hash: string;
  readonly agent: string;
}

/** A query that no run matched. */
export interface MissingQuery {
  readonly queryId: string;
  readonly query: string;
  readonly spec: string;
  /** Position of the query in the spec, if known. */
  readonly source?: SourcePlace;
}

/** A position in a file; line and column count from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A part of the input that could not be read; `line` is null for formats without lines. */
export interface InvalidInput {
  readonly file: string;
  readonly line: number | null;
  readonly reason: string;
}

/** Findings of a `test` call, in any order. */
export interface Findings {
  readonly version: string;
  readonly specs: readonly SpecSummary[];
  /** Dumps as named on the command line; absent for runs from another source. */
  readonly dumps?: readonly string[];
  /** Number of assembled runs, matched or not. */
  readonly runs: number;
  /** Number of queries that `--query` and `--tags` select. */
  readonly queries: number;
  readonly verdicts: Listed<ReportedVerdict>;
  /** Counts of verdicts, if they were counted on arrival. */
  readonly tally?: Tally;
  readonly missing: readonly MissingQuery[];
  readonly unmatched: Listed<ReportedRun>;
  readonly ambiguous: Listed<ReportedRun>;
  readonly invalidInput: readonly InvalidInput[];
  /** Queries with `reliability:`, whose gate decides over all their runs. */
  readonly gated?: readonly GatedQuery[];
  /** Calls of the agent, if it was run for this test. */
  readonly agentCalls?: readonly ReportedCall[];
  /** Cost of judges, and savings; absent if no judge was called. */
  readonly judging?: JudgeSpend;
  /** Savings of runs with recorded model answers; absent if there are none. */
  readonly models?: PlaybackSaving;
}

/** The findings in order, with counts, the exit code and its reasons. */
export interface TestResult extends Findings {
  readonly tally: Tally;
  readonly summary: SummaryJson;
  readonly exit: Exit;
  /** Rules that decide the exit code. */
  readonly rules: ExitRules;
  /** Specs that judged no run, although other specs judged some. */
  readonly idleSpecs: readonly SpecSummary[];
  /** Runs of each gated query with at least one run. */
  readonly groups: readonly GatedGroup[];
}

/**
 * Sorts and counts the findings, and decides the exit code. The result does not depend on the order of the
 * runs.
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
  return total === 0 ? [] : specs.filter(({ file }) => !judging.has(specName(file)));
}
