import { checksOf } from "../../../model/outcome.ts";
import { isTableName } from "../../../spec/table/read-table.ts";
import { printable } from "../terminal/printable.ts";
import type { SourceLine } from "../../../model/source-line.ts";
import type { ReportedVerdict } from "../findings/reported.ts";
import type { SourcePlace, TestResult } from "../json/result.ts";
import {
  type Standing,
  standingIn,
  standingOfAmbiguous,
  standingOfGate,
  standingOfMissing,
} from "../tally/standing.ts";
import type { CheckJson } from "../../json/verdict-schema.ts";

/** A problem of a test result, with its position in the spec. */
export interface Problem {
  readonly level: "error" | "warning";
  /**
   * Key of the check, or the kind of a problem without a check: `missing_query`, `ambiguous_run`,
   * `invalid_input`, `reliability`, `pass_rate`, `idle_spec` or `agent_call`.
   */
  readonly rule: string;
  readonly spec: string | null;
  /** Id of the query; null if the problem belongs to no query. */
  readonly queryId: string | null;
  readonly runId: string | null;
  /** Spec and query on one line. */
  readonly title: string;
  readonly message: string;
  readonly source: SourcePlace | null;
  /** Table row of the query; null if the query is in a spec file. */
  readonly row: SourceLine | null;
  /**
   * Position of the run in a dump. Null if a collector received the run, or the problem belongs to no run.
   */
  readonly run: SourceLine | null;
}

const LONGEST_QUERY = 60;
const LONGEST_MESSAGE = 1000;

/**
 * Yields all problems one by one, errors first: violated and undecided checks, and problems of a whole query
 * or of the input.
 */
export function* problemsOf(result: TestResult): Generator<Problem> {
  for (const wanted of ["error", "warning"] as const) {
    yield* checkProblems(result, wanted);
    for (const problem of problemsBeside(result)) if (problem.level === wanted) yield problem;
  }
}

/**
 * Yields the problems that belong to no check, such as gates, missing queries, unreadable input and failed
 * calls of the agent.
 */
export function* problemsBeside(result: TestResult): Generator<Problem> {
  yield* gateProblems(result);
  yield* rateProblems(result);
  yield* idleSpecProblems(result);
  yield* missingProblems(result);
  yield* inputProblems(result);
  yield* callProblems(result);
}

function* checkProblems(result: TestResult, wanted: Problem["level"]): Generator<Problem> {
  const standing = standingIn(result);
  for (const reported of result.verdicts) {
    for (const check of checksOf(reported.verdict)) {
      const level = levelOf(standing(reported, check.outcome));
      if (level === wanted) yield checkProblem(reported, check, level);
    }
  }
}

function levelOf(standing: Standing): Problem["level"] | null {
  if (standing === "failed" || standing === "error") return "error";
  return standing === "warned" || standing === "doubtful" ? "warning" : null;
}

function checkProblem(reported: ReportedVerdict, check: CheckJson, level: Problem["level"]): Problem {
  const { verdict } = reported;
  const rationale = check.judge?.rationale == null ? "" : ` (judge: ${check.judge.rationale})`;
  const remedy = check.remedy === null ? "" : ` → ${check.remedy}`;
  const unknown = check.outcome === "incomplete" ? "undecided: " : "";
  return {
    level,
    rule: check.check,
    spec: verdict.spec,
    queryId: verdict.query_id,
    runId: verdict.run_id,
    title: titleOf(verdict.spec, verdict.query ?? verdict.query_id),
    message: long(`${check.check}: ${unknown}${check.message}${rationale}${remedy}`),
    source: check.source,
    row: verdict.row ?? null,
    run: verdict.source ?? null,
  };
}

function gateProblems(result: TestResult): readonly Problem[] {
  return result.groups.flatMap((group) => {
    const { spec, queryId, report } = group;
    const { gate } = report;
    const level = gate === null ? null : levelOf(standingOfGate(result, group, gate));
    if (gate === null || level === null) return [];
    return [problem("reliability", titleOf(spec, queryId), long(gate.reason), { level, spec, queryId })];
  });
}

function rateProblems({ rules: { known }, tally }: TestResult): readonly Problem[] {
  const fallen = known?.fallen(tally.rates ?? new Map()) ?? [];
  return fallen.map(({ spec, queryId, query, message }) => {
    const text = printable(`is worse than before: ${message}`);
    return problem("pass_rate", titleOf(spec, query ?? queryId), text, { spec, queryId });
  });
}

function idleSpecProblems({ idleSpecs }: TestResult): readonly Problem[] {
  return idleSpecs.map(({ file, agent }) => {
    const about = agent === "*" ? "any agent" : `the agent ${printable(agent)}`;
    const message = `no run was judged by this spec, which is for ${about}`;
    const source = { file: printable(file, 400), line: 1, column: 1 };
    return problem("idle_spec", "spec without a run", message, { level: "warning", source });
  });
}

function missingProblems(result: TestResult): readonly Problem[] {
  return result.missing.map((one) => {
    const { spec, queryId, query, source } = one;
    return problem("missing_query", titleOf(spec, query), `no run for query ${printable(queryId)}`, {
      level: levelOf(standingOfMissing(result, one)) ?? "warning",
      spec,
      queryId,
      source: source ?? null,
      row: source != null && isTableName(source.file) ? source : null,
    });
  });
}

function* inputProblems(result: TestResult): Generator<Problem> {
  const { ambiguous, invalidInput, rules } = result;
  for (const run of ambiguous) {
    const { runId, candidates, spec, query } = run;
    const level = levelOf(standingOfAmbiguous(result, run)) ?? "warning";
    const message = long(`run ${runId} matches several queries: ${candidates.join(", ")}`);
    yield problem("ambiguous_run", titleOf(spec, query ?? "(query unknown)"), message, {
      level,
      spec,
      runId,
    });
  }
  const level: Problem["level"] = rules.skipInvalid ? "warning" : "error";
  for (const { file, line, reason } of invalidInput) {
    const source = { file: printable(file, 400), line: line ?? 1, column: 1 };
    yield problem("invalid_input", "unreadable input", long(reason), { level, source });
  }
}

function callProblems({ agentCalls = [] }: TestResult): readonly Problem[] {
  return agentCalls
    .filter(({ outcome }) => outcome !== "ok")
    .map(({ run, reason, hint, spec, query, query_id: queryId }) => {
      const message = long(`call ${run}: ${reason}${hint === "" ? "" : ` → ${hint}`}`);
      return problem("agent_call", titleOf(spec, query), message, { spec, queryId });
    });
}

/** Returns a problem that belongs to no check. Its level is `error`, unless another is given. */
export function problem(rule: string, title: string, message: string, given: Partial<Problem> = {}): Problem {
  return {
    level: "error",
    rule,
    spec: null,
    queryId: null,
    runId: null,
    title,
    message,
    source: null,
    row: null,
    run: null,
    ...given,
  };
}

function long(message: string): string {
  return printable(message, LONGEST_MESSAGE);
}

function titleOf(spec: string, query: string): string {
  return `${printable(spec)} · ${printable(query, LONGEST_QUERY)}`;
}
