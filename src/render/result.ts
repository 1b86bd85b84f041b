import type { Outcome } from "../model/outcome.ts";
import { exitOf, type Exit, type ExitRules } from "./exit-code.ts";
import { type GatedGroup, gatedGroups, type GatedQuery } from "./gated-groups.ts";
import { byPlace, compare, type ReportedRun, type ReportedVerdict } from "./reported.ts";
import type { ReportedCall } from "./reported-call.ts";
import type { SummaryJson } from "./verdict-schema.ts";

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
  /** Where the spec has it, when that is known. */
  readonly source?: SourcePlace;
}

/** A place in a file, line and column from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A piece of input that could not be read; `line` is null where lines mean nothing. */
export interface InvalidInput {
  readonly file: string;
  readonly line: number | null;
  readonly reason: string;
}

/** What a `test` call found, in any order. */
export interface Findings {
  readonly version: string;
  readonly specs: readonly SpecSummary[];
  /** Runs assembled, matched or not. */
  readonly runs: number;
  /** Queries left after `--query` and `--tags`. */
  readonly queries: number;
  readonly verdicts: readonly ReportedVerdict[];
  readonly missing: readonly MissingQuery[];
  readonly unmatched: readonly ReportedRun[];
  readonly ambiguous: readonly ReportedRun[];
  readonly invalidInput: readonly InvalidInput[];
  /** Queries with `reliability:`, whose runs pass or fail together. */
  readonly gated?: readonly GatedQuery[];
  /** How the agent did when it was run for this test. */
  readonly agentCalls?: readonly ReportedCall[];
}

/** The findings in their order, counted, with what the process should exit with and why. */
export interface TestResult extends Findings {
  readonly summary: SummaryJson;
  readonly exit: Exit;
  /** What the exit was decided by. */
  readonly rules: ExitRules;
  /** The runs of each gated query that has any. */
  readonly groups: readonly GatedGroup[];
}

/** Orders, counts and decides; the same for any order in which the runs came. */
export function testResult(findings: Findings, rules: ExitRules): TestResult {
  const verdicts = [...findings.verdicts].sort(
    (a, b) => byPlace(a.place, b.place) || compare(a.verdict.verdict_id, b.verdict.verdict_id),
  );
  const sortedRuns = (runs: readonly ReportedRun[]): readonly ReportedRun[] =>
    [...runs].sort((a, b) => byPlace(a.place, b.place) || compare(a.spec, b.spec));
  const groups = gatedGroups(findings.gated ?? [], findings.verdicts);
  const exit = exitOf({ ...findings, groups }, rules);
  return {
    ...findings,
    groups,
    verdicts,
    unmatched: sortedRuns(findings.unmatched),
    ambiguous: sortedRuns(findings.ambiguous),
    summary: summarise(findings, exit.code),
    exit,
    rules,
  };
}

function summarise(findings: Findings, exitCode: Exit["code"]): SummaryJson {
  const having = (outcome: Outcome): number =>
    findings.verdicts.reduce((count, { verdict }) => count + (verdict.outcome === outcome ? 1 : 0), 0);
  return {
    total: findings.verdicts.length,
    passed: having("pass"),
    warnings: having("warn"),
    failed: having("fail"),
    incomplete: having("incomplete"),
    errors: having("error"),
    skipped: having("skip"),
    missing: findings.missing.length,
    unmatched: findings.unmatched.length,
    ambiguous: findings.ambiguous.length,
    runs: findings.runs,
    exit_code: exitCode,
  };
}
