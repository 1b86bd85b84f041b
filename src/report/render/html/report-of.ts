import { notJudgedLine } from "../terminal/not-judged-line.ts";
import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import { layers } from "../../../model/outcome.ts";
import { visible } from "../terminal/escape.ts";
import { decidingChecks } from "../../json/deciding-checks.ts";
import { type Overview, overviewOf, type VerdictGroup } from "../overview/overview.ts";
import { judgeLine } from "../terminal/judge-line.ts";
import { duration, printable } from "../terminal/printable.ts";
import { type Problem, problemsBeside } from "../problems/problems.ts";
import type { ComparedRun, ReportedStep, ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";
import { inspectCommand, placeText, runPlace } from "../terminal/grouped/run-place.ts";
import { withoutCalls } from "../terminal/grouped/call-differences.ts";
import type { CheckJson } from "../../json/verdict-schema.ts";
import type {
  ReportCheck,
  ReportCompared,
  ReportData,
  ReportGroup,
  ReportGroupCheck,
  ReportRun,
  ReportStep,
} from "./report-data.ts";

const MOST_OTHERS = 200;
const MOST_GROUPS = 200;
const MOST_MESSAGES = 5;
const MOST_TOOLS = 200;
const MOST_DIFFERENCES = 50;

export function reportHead(result: TestResult): Omit<ReportData, "runs"> {
  const { version, exit, summary, specs } = result;
  const { problems, more } = otherProblems(result);
  const notJudged = notJudgedLine(result.tally.notJudged, summary.total, "verdicts");
  const judging = [judgeLine(result.judging), notJudged].filter((line) => line !== null);
  return {
    version,
    exit: { code: exit.code, reasons: exit.reasons.map((reason) => visible(reason)) },
    ...(judging.length === 0 ? {} : { judging: judging.join(" · ") }),
    summary,
    specs: specs.map(({ file, hash }) => [printable(file), hash]),
    groups: reportGroups(overviewOf(result)),
    problems: problems.map(({ title, message }) => [visible(title), visible(message)]),
    moreProblems: more,
  };
}

/** Returns the first problems without a verdict, errors first, and the number of problems that exceed the maximum and are left out. */
function otherProblems(result: TestResult): { problems: readonly Problem[]; more: number } {
  const own = new Set(["missing_query", "ambiguous_run", "invalid_input", "reliability"]);
  const problems: Problem[] = [];
  let found = 0;
  for (const wanted of ["error", "warning"] as const) {
    for (const problem of problemsBeside(result)) {
      if (problem.level !== wanted || !own.has(problem.rule)) continue;
      if (++found <= MOST_OTHERS) problems.push(problem);
    }
  }
  return { problems, more: found - problems.length };
}

function reportGroups(overview: Overview): readonly ReportGroup[] {
  const totals = new Map(
    overview.queries.map(({ spec, queryId, counts }) => [
      `${spec}\n${queryId}`,
      Object.values(counts).reduce((sum, count) => sum + count, 0),
    ]),
  );
  return (["failed", "undecided", "warned"] as const).flatMap((part) =>
    overview[part].slice(0, MOST_GROUPS).map((group) => ({
      part,
      ...groupData(group),
      of: totals.get(`${group.spec}\n${group.queryId}`) ?? group.count,
    })),
  );
}

function groupData(group: VerdictGroup): Omit<ReportGroup, "part" | "of"> {
  const { spec, queryId, outcome, count, example, sources, rows } = group;
  const { verdict } = example;
  return {
    spec: printable(spec),
    id: printable(queryId),
    outcome,
    count,
    checks: groupChecks(group),
    example: printable(verdict.run_id),
    sources: sources.map(placeOf),
    ...(rows.length === 0
      ? {}
      : { rows: rows.map((row) => `${placeOf(row)} (${printable(row.queryId, 60)})`) }),
    command: inspectCommand(verdict),
  };
}

function groupChecks({ example: { verdict }, messages }: VerdictGroup): readonly ReportGroupCheck[] {
  return decidingChecks(verdict)
    .filter(({ check, message }, at, all) => {
      return message !== verdict.error && all.findIndex((one) => one.check === check) === at;
    })
    .map(({ check, source }) => ({
      check,
      messages: [...(messages.get(check) ?? [])]
        .sort((a, b) => b[1] - a[1])
        .slice(0, MOST_MESSAGES)
        .map(([message, runs]) => [printable(withoutCalls(message), 600), runs]),
      where: source === null ? "" : placeOf(source),
    }));
}

function placeOf(position: { readonly file: string; readonly line: number }): string {
  return printable(placeText(position), 400);
}

export function reportRun({ verdict, tools, handoffs, answer, steps, compared }: ReportedVerdict): ReportRun {
  const known = (name: string, shown: (value: number) => string): string => {
    const value = verdict.metrics[name];
    return typeof value === "number" ? shown(value) : "";
  };
  const { checks } = verdict.layers.path;
  return {
    spec: printable(verdict.spec),
    id: printable(verdict.query_id),
    run: printable(verdict.run_id),
    query: printable(verdict.query ?? "(query unknown)", 300),
    outcome: verdict.outcome,
    agent: printable(verdict.agent ?? ""),
    models: (verdict.models ?? []).slice(0, 4).map((model) => printable(model, 80)),
    source: printable(runPlace(verdict) ?? "", 600),
    error: verdict.error === null ? null : printable(verdict.error, 2000),
    time: known("latency_ms", duration),
    tokens: known("total_tokens", (value) => `${grouped(value)} tokens`),
    money: known("cost_usd", dollars),
    tools: (tools ?? []).slice(0, MOST_TOOLS).map((name) => (name === null ? null : printable(name))),
    forbidden: forbiddenTools(checks),
    expected: expectedTools(checks),
    handoffs: handoffs.slice(0, 50).map((name) => printable(name)),
    answer: answer === null ? null : visible(answer),
    length: verdict.metrics["latency_ms"] ?? 0,
    steps: steps?.map(stepData) ?? [],
    compared: compared === null ? null : comparedData(compared),
    checks: layers.flatMap((layer) => verdict.layers[layer].checks.map((check) => checkData(layer, check))),
    attributes: Object.fromEntries(
      Object.entries(verdict.attributes).flatMap(([key, value]) =>
        value === null || typeof value === "object"
          ? []
          : [[printable(key, 80), printable(typeof value === "string" ? value : JSON.stringify(value), 80)]],
      ),
    ),
  };
}

function stepData({ kind, name, startMs, durationMs, failed }: ReportedStep): ReportStep {
  const ms = (value: number): number => Math.round(value * 10) / 10;
  const shown = name === null ? "(unnamed)" : printable(name, 80);
  return [kind, shown, ms(startMs), ms(durationMs), failed ? 1 : 0];
}

function comparedData({ version, variant, regressed, differences }: ComparedRun): ReportCompared {
  return {
    version: `${printable(version)}${variant > 1 ? `, variant ${variant}` : ""}`,
    regressed,
    differences: differences
      .slice(0, MOST_DIFFERENCES)
      .map(({ type, severity, message }) => [severity, type, printable(message, 600)]),
    more: Math.max(0, differences.length - MOST_DIFFERENCES),
  };
}

function forbiddenTools(checks: readonly CheckJson[]): readonly string[] {
  const reasons = checks.find(({ check }) => check === "forbidden_tools")?.reasons ?? [];
  return reasons.flatMap(({ actual }) => (actual === null ? [] : [printable(actual)]));
}

/** Returns the tools that the spec expects. Returns null if the spec expects no tools. */
function expectedTools(checks: readonly CheckJson[]): readonly string[] | null {
  for (const { check, limit } of checks) {
    const named = check === "expected_tools" || check === "expected_tool_sequence";
    if (named && Array.isArray(limit) && limit.every((name) => typeof name === "string")) {
      return limit.map((name) => printable(name));
    }
  }
  return null;
}

function checkData(layer: ReportCheck["layer"], check: CheckJson): ReportCheck {
  const { outcome, message, remedy, source, judge, reasons = [] } = check;
  const calls = reasons.filter(({ code }) => code.startsWith("CALL_"));
  const text = (value: string | null): string | null => (value === null ? null : printable(value, 400));
  return {
    layer,
    check: check.check,
    outcome,
    message: printable(calls.length > 0 ? withoutCalls(message) : message, 1000),
    remedy: remedy === null ? null : printable(remedy, 1000),
    judge: judge?.rationale == null ? null : printable(judge.rationale, 1000),
    calls: calls.map(({ expected, actual }) => [text(expected), text(actual)]),
    where: source === null ? "" : placeOf(source),
  };
}
