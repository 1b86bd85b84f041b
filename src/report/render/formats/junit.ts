import { checksOf, isUnmet } from "../../../model/outcome.ts";
import { arrows, dollars, grouped } from "../../../evaluate/rules/text.ts";
import { attributeText, elementText } from "../terminal/escape.ts";
import { runPlace } from "../terminal/grouped/run-place.ts";
import { duration } from "../terminal/printable.ts";
import type { ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";
import { notesOf } from "../problems/reported-problems.ts";
import {
  isExpectedFailure,
  type Standing,
  standingIn,
  standingOfAmbiguous,
  standingOfGate,
  standingOfMissing,
} from "../tally/standing.ts";
import type { CheckJson } from "../../json/verdict-schema.ts";

/** One test case of the JUnit report. Texts are functions, so that cases can be counted without building texts. */
interface Case {
  readonly suite: string;
  readonly name: string;
  readonly seconds: number;
  readonly standing: Standing;
  /** Returns the message of the failure, error or skip. */
  readonly message: () => string;
  /** Returns the violated checks as text. */
  readonly detail: () => string;
  /** Returns a summary of the run; null for a case without a run. */
  readonly facts: (() => string) | null;
  readonly checks: () => string;
  /** Start time of the run; null for a case without a run. */
  readonly startUnixMs: number | null;
}

/**
 * Yields JUnit XML for Jenkins, GitLab and GitHub actions. Each spec is a suite. Each verdict, reliability gate, query without a run,
 * ambiguous run and unreadable part of the input is a case. Undecided cases are JUnit errors. Expected failures, undecided cases that the
 * settings accept, and cases without a judgement get JUnit's state `skipped`. If no case causes the exit code, an additional case lists the
 * reasons: a run that regressed may only warn, beside an undecided run. The XML is valid for the schemas of Ant and of Jenkins. Ant allows
 * output in a suite only, so the suite's output has the evidence of all cases. A failed case also contains its evidence.
 */
export function* junitReport(result: TestResult): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n`;
  for (const [id, suite] of suitesOf(result).entries()) yield* suiteText(id, suite, result);
  yield "</testsuites>\n";
}

/** Yields the cases one by one, so that the memory used does not grow with the number of cases. */
function* casesOf(result: TestResult): Generator<Case> {
  const worst = result.exit.code === 1 ? ["failed"] : ["failed", "error"];
  let isShown = result.exit.code === 0;
  for (const cases of [verdictCases, gateCases, missingCases, inputCases]) {
    for (const one of cases(result)) {
      isShown ||= worst.includes(one.standing);
      yield one;
    }
  }
  const { code, reasons } = result.exit;
  if (!isShown)
    yield {
      ...plainCase("exit code", `exit code ${code}`, reasons.join(", ")),
      standing: code === 1 ? "failed" : "error",
    };
  for (const { title, message } of notesOf(result))
    yield { ...plainCase("not judged", title, message), standing: "skipped" };
}

/** Counts of the cases of one spec. */
interface Suite {
  readonly name: string;
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  seconds: number;
  /** Start time of the first run in the suite; null without a run. */
  startUnixMs: number | null;
}

function suitesOf(result: TestResult): readonly Suite[] {
  const suites = new Map<string, Suite>();
  for (const { suite: name, standing, seconds, startUnixMs } of casesOf(result)) {
    let suite = suites.get(name);
    if (suite === undefined) {
      suite = { name, tests: 0, failures: 0, errors: 0, skipped: 0, seconds: 0, startUnixMs: null };
      suites.set(name, suite);
    }
    suite.tests++;
    if (standing === "failed") suite.failures++;
    if (standing === "error") suite.errors++;
    if (isSkipped(standing)) suite.skipped++;
    suite.seconds += seconds;
    if (startUnixMs !== null) suite.startUnixMs = Math.min(suite.startUnixMs ?? startUnixMs, startUnixMs);
  }
  return [...suites.values()];
}

function* suiteText(id: number, suite: Suite, result: TestResult): Generator<string> {
  const { name, tests, failures, errors, skipped, seconds } = suite;
  const { version, exit } = result;
  const counts = `tests="${tests}" failures="${failures}" errors="${errors}" time="${seconds.toFixed(3)}"`;
  const properties = [
    ["tracejury.version", version],
    ["tracejury.exit_code", String(exit.code)],
    ["tracejury.exit_reasons", exit.reasons.join(", ")],
  ] as const;
  yield `  <testsuite id="${id}" name="${attributeText(name)}" package="" hostname="localhost" timestamp="${timestamp(suite)}" ${counts} skipped="${skipped}">\n`;
  yield "    <properties>\n";
  for (const [key, value] of properties)
    yield `      <property name="${key}" value="${attributeText(value)}"/>\n`;
  yield "    </properties>\n";
  for (const one of casesOf(result)) if (one.suite === name) yield testCase(one);
  yield "    <system-out>";
  for (const one of casesOf(result)) if (one.suite === name) yield evidenceText(one);
  yield "</system-out>\n    <system-err></system-err>\n";
  yield "  </testsuite>\n";
}

function isSkipped(standing: Standing): boolean {
  return standing === "skipped" || standing === "doubtful";
}

function evidenceText({ name, facts, checks }: Case): string {
  if (facts === null) return "";
  return `${elementText(`== ${name} ==`)}\n${elementText(`${facts()}\n${checks()}`, 12_000)}\n\n`;
}

/**
 * Formats the start of a suite in UTC without milliseconds. For a suite without a start time, the year is
 * 1970.
 */
function timestamp({ startUnixMs }: Suite): string {
  const start = startUnixMs ?? 0;
  return Math.abs(start) <= 8.64e15 ? new Date(start).toISOString().slice(0, 19) : "1970-01-01T00:00:00";
}

function testCase({ suite, name, seconds, standing, message, detail, facts }: Case): string {
  const messageAttribute = (): string => `message="${attributeText(message())}"`;
  const text = (): string => elementText(facts === null ? detail() : `${detail()}\n\n${facts()}`, 6_000);
  const result =
    standing === "failed"
      ? [`      <failure ${messageAttribute()} type="failure">${text()}</failure>\n`]
      : standing === "error"
        ? [`      <error ${messageAttribute()} type="could-not-tell">${text()}</error>\n`]
        : isSkipped(standing)
          ? [`      <skipped ${messageAttribute()}/>\n`]
          : [];
  return [
    `    <testcase name="${attributeText(name)}" classname="${attributeText(suite)}" time="${seconds.toFixed(3)}">\n`,
    ...result,
    "    </testcase>\n",
  ].join("");
}

function* verdictCases(result: TestResult): Generator<Case> {
  const standing = standingIn(result);
  const runsOf = new Map<string, number>();
  for (const reported of result.verdicts) {
    const { verdict } = reported;
    const key = JSON.stringify([verdict.spec, verdict.query_id]);
    const run = (runsOf.get(key) ?? 0) + 1;
    runsOf.set(key, run);
    yield {
      suite: verdict.spec,
      name: `${verdict.query_id}${run === 1 ? "" : ` (run ${run})`}`,
      seconds: (verdict.metrics["latency_ms"] ?? 0) / 1000,
      // JUnit has no state for warnings, so an expected failure is `skipped` instead of passed.
      standing: isExpectedFailure(verdict) ? "skipped" : standing(reported),
      message: () => messageOf(reported),
      detail: () => brokenOf(reported).map(checkText).join("\n"),
      facts: () => factsOf(reported),
      checks: () => checksOf(verdict).map(checkText).join("\n"),
      startUnixMs: reported.place.startUnixMs,
    };
  }
}

function messageOf(reported: ReportedVerdict): string {
  const { outcome: whole } = reported.verdict;
  const broken = brokenOf(reported);
  const [first] = [
    ...broken.filter(({ expected_fail: expected }) => expected === true),
    ...broken.filter(({ outcome }) => outcome === whole),
    ...broken,
  ];
  return first === undefined ? whole : `${first.check}: ${first.message}`;
}

function brokenOf({ verdict }: ReportedVerdict): readonly CheckJson[] {
  return checksOf(verdict).filter(isUnmet);
}

function checkText({ check, outcome, message, remedy, source, judge }: CheckJson): string {
  const lines = [`${outcome}: ${check}: ${message}`];
  if (source !== null) lines.push(`  at ${source.file}:${source.line}:${source.column}`);
  if (judge?.rationale != null) lines.push(`  judge: ${judge.rationale}`);
  if (remedy !== null) lines.push(`  → ${remedy}`);
  return lines.join("\n");
}

function factsOf(reported: ReportedVerdict): string {
  const { verdict, tools, handoffs, answer } = reported;
  const known = (label: string, name: string, shown: (value: number) => string): readonly string[] => {
    const value = verdict.metrics[name];
    return typeof value === "number" ? [`${label}: ${shown(value)}`] : [];
  };
  const place = runPlace(verdict);
  return [
    ...(verdict.error === null ? [] : [`error: ${verdict.error}`]),
    `query: ${verdict.query ?? "(unknown)"}`,
    ...(verdict.row === undefined ? [] : [`row: ${verdict.row.file}:${verdict.row.line}`]),
    `run: ${verdict.run_id}`,
    ...(place === null ? [] : [`source: ${place}`]),
    ...(tools === null ? [] : [`tools: ${arrows(tools)}`]),
    ...(handoffs.length === 0 ? [] : [`hand-offs: ${handoffs.join(" → ")}`]),
    ...known("tokens", "total_tokens", grouped),
    ...known("cost", "cost_usd", dollars),
    ...known("time", "latency_ms", duration),
    `answer: ${answer ?? (verdict.error === null ? "(not captured)" : "(none: the run ended in an error)")}`,
  ].join("\n");
}

function gateCases(result: TestResult): readonly Case[] {
  return result.groups.flatMap((group) => {
    const { spec, queryId, report } = group;
    if (report.gate === null) return [];
    const standing = standingOfGate(result, group, report.gate);
    return [{ ...plainCase(spec, `${queryId} (reliability)`, report.gate.reason), standing }];
  });
}

function missingCases(result: TestResult): readonly Case[] {
  return result.missing.map((one) => ({
    ...plainCase(one.spec, one.queryId, `no run for the query: ${one.query}`),
    standing: standingOfMissing(result, one),
  }));
}

function* inputCases(result: TestResult): Generator<Case> {
  const { ambiguous, invalidInput, rules } = result;
  for (const run of ambiguous) {
    const message = `matches several queries: ${run.candidates.join(", ")}`;
    yield {
      ...plainCase(run.spec, `run ${run.runId}`, message),
      standing: standingOfAmbiguous(result, run),
    };
  }
  for (const { file, line, reason } of invalidInput) {
    yield {
      ...plainCase("input", `${file}${line === null ? "" : `:${line}`}`, reason),
      standing: rules.skipInvalid ? "doubtful" : "error",
    };
  }
}

function plainCase(suite: string, name: string, message: string): Case {
  return {
    suite,
    name,
    seconds: 0,
    standing: "error",
    message: () => message,
    detail: () => message,
    facts: null,
    checks: () => "",
    startUnixMs: null,
  };
}
