import { dollars, grouped } from "../../../../evaluate/rules/text.ts";
import { layers } from "../../../../model/outcome.ts";
import type { TableRow, VerdictGroup } from "../../overview/overview.ts";
import { decidingChecks } from "../../../json/deciding-checks.ts";
import { counted, duration, printable, type Theme } from "../printable.ts";
import type { ReportedVerdict } from "../../findings/reported.ts";
import { inspectCommand, placeText, runPlace } from "./run-place.ts";
import type { CheckJson, VerdictJson } from "../../../json/verdict-schema.ts";
import { callDifferences, withoutCalls } from "./call-differences.ts";
import { outcomeWords } from "./outcome-marks.ts";
import { toolTable } from "./tool-table.ts";

const BEFORE = 30;

const LONGEST = 90;

const MOST_MESSAGES = 3;
const MOST_ALSO = 2;
const NAME = 18;

/**
 * Describes a group of failed verdicts: failed checks, tools, an example run, and the command that displays
 * the example.
 * @param runs number of runs of the query
 */
export function failureLines(group: VerdictGroup, runs: number, theme: Theme): readonly string[] {
  const { example, count } = group;
  const { verdict } = example;
  const title = `${theme.bad(` ✗ ${outcomeWords[group.outcome]}`)}  ${group.spec} · ${group.queryId} · "${printable(verdict.query ?? "query unknown", 60)}"`;
  return [
    `${title}   ${theme.dim(`${count} of ${counted(runs, "run")}`)}`,
    "",
    ...(verdict.error === null ? [] : [theme.bad(`   error              ${printable(verdict.error, 300)}`)]),
    ...decidingChecks(verdict).flatMap((check) => checkLines(check, group, verdict, theme)),
    ...besideLines(verdict, theme),
    ...tools(example, theme),
    ...answer(example, theme),
    ...(group.rows.length === 0 ? [] : ["", `   rows     ${rowsText(group.rows)}`]),
    "",
    ...exampleLines(group, theme),
    "",
  ];
}

function checkLines(
  check: CheckJson,
  group: VerdictGroup,
  verdict: VerdictJson,
  theme: Theme,
): readonly string[] {
  if (check.message === verdict.error) return [];
  const indent = " ".repeat(NAME + 4);
  const counts = [...(group.messages.get(check.check) ?? [])].sort((a, b) => b[1] - a[1]);
  const isOne = counts.length <= 1;
  const shown = counts.slice(0, MOST_MESSAGES).map(([message, count], at) => {
    const head = at === 0 ? `   ${check.check.padEnd(NAME)} ` : indent;
    return `${head}${printable(withoutCalls(message), 300)}${isOne ? "" : theme.dim(` (${counted(count, "run")})`)}`;
  });
  const rest = counts.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [theme.dim(`${indent}and ${rest} other messages (--verbose)`)] : []),
    ...(check.source === null
      ? []
      : [theme.dim(`${indent}${printable(check.source.file)}:${check.source.line}`)]),
    ...(check.judge?.rationale == null
      ? []
      : [theme.dim(`${indent}judge: ${printable(check.judge.rationale, 400)}`)]),
    ...(check.remedy === null ? [] : [theme.hint(`${indent}→ ${printable(check.remedy, 300)}`)]),
    ...answerDifference(check, verdict, theme),
    ...callDifferences(check, theme),
  ];
}

const MOST_ROWS = 8;
const LONGEST_ID = 24;

/**
 * Returns the table rows of a group with their query ids, such as `cases.csv:3 (rome), :7 (oslo) and 12
 * more`.
 */
export function rowsText(rows: readonly TableRow[]): string {
  const [first, ...others] = rows.slice(0, MOST_ROWS);
  if (first === undefined) return "";
  const rest = rows.length - 1 - others.length;
  const place = ({ line, queryId }: TableRow): string => `:${line} (${printable(queryId, LONGEST_ID)})`;
  const places = [`${printable(first.file)}${place(first)}`, ...others.map(place)];
  return `${places.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Returns a line that names the checks with the outcome `warn`, if the verdict has a worse outcome. */
function besideLines(verdict: VerdictJson, theme: Theme): readonly string[] {
  const warned = layers.flatMap((layer) =>
    verdict.layers[layer].checks.filter(({ outcome }) => outcome === "warn" && outcome !== verdict.outcome),
  );
  if (warned.length === 0) return [];
  const texts = warned.map(({ check, value, limit }) => {
    if (typeof value !== "number" || typeof limit !== "number") return check;
    const shown = check.endsWith("_usd") ? dollars : grouped;
    return `${check} ${shown(value)} (limit ${shown(limit)})`;
  });
  return [`   ${theme.unsure("▲ warnings")}${" ".repeat(NAME - 9)}${printable(texts.join(" · "), 400)}`];
}

function tools({ verdict, tools: called }: ReportedVerdict, theme: Theme): readonly string[] {
  const isAboutTools = decidingChecks(verdict).some(({ check }) => /tool|loop|sequence|handoff/.test(check));
  return called === null || !isAboutTools ? [] : toolTable(verdict, called, theme);
}

function answer({ verdict, answer }: ReportedVerdict, theme: Theme): readonly string[] {
  if (verdict.layers.correctness.outcome !== "fail") return [];
  const text = answer === null ? "(not captured)" : JSON.stringify(printable(answer, 300));
  return [theme.dim(`   answer             ${text}`)];
}

function exampleLines(
  { example: { verdict }, sources, count }: VerdictGroup,
  theme: Theme,
): readonly string[] {
  const indent = " ".repeat(12);
  const place = runPlace(verdict);
  const command = inspectCommand(verdict);
  // Several runs can have the same position: a run from a running collector has the collector's address.
  // Equal positions are listed once.
  const others = new Set(sources.map(placeText).filter((text) => text !== place));
  const also = [...others].slice(0, MOST_ALSO).map((text) => printable(text));
  const rest = count - 1 - also.length;
  const more = also.length > 0 && rest > 0 ? [`and ${rest} more (--verbose)`] : [];
  return [
    `   example  ${place === null ? `run ${verdict.run_id.slice(0, 12)}…` : printable(place, 400)}`,
    theme.dim(`${indent}${facts(verdict)}`),
    ...[...also, ...more].map((line, at) => theme.dim(`${at === 0 ? "   also in  " : indent}${line}`)),
    ...(command === null ? [] : [theme.hint(`   → ${command}`)]),
  ];
}

/** Returns duration, tokens, cost, models and passed checks of a run on one line. */
function facts(verdict: VerdictJson): string {
  const of = verdict.metrics;
  const known = (name: string, shown: (value: number) => string): string[] => {
    const value = of[name];
    return typeof value === "number" ? [shown(value)] : [];
  };
  const passed = layers.flatMap((layer) =>
    verdict.layers[layer].checks.filter(({ outcome }) => outcome === "pass"),
  ).length;
  return [
    ...known("latency_ms", duration),
    ...known("total_tokens", (value) => `${grouped(value)} tokens`),
    ...known("cost_usd", dollars),
    ...(verdict.models ?? []).slice(0, 2).map((model) => printable(model, 40)),
    ...(verdict.complete ? [] : [`not complete (${verdict.close_reason})`]),
    counted(passed, "other check passes", "other checks pass"),
  ].join(" · ");
}

/** Returns the expected and the actual answer of `exact_match`, truncated to the part around the first difference. */
function answerDifference(
  { check, limit }: CheckJson,
  { answer }: VerdictJson,
  theme: Theme,
): readonly string[] {
  if (check !== "exact_match" || typeof limit !== "string" || answer === null || answer === undefined)
    return [];
  const expected = printable(limit, 2_000);
  const actual = printable(answer, 2_000);
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  const from = Math.max(0, at - BEFORE);
  const cut = (text: string): string =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + LONGEST)}${text.length > from + LONGEST ? "…" : ""}`;
  const indent = " ".repeat(5);
  return [
    theme.bad(`${indent}- ${cut(expected)}`),
    theme.good(`${indent}+ ${cut(actual)}`),
    theme.dim(`${indent}  ${" ".repeat(at - from + (from > 0 ? 1 : 0))}^`),
  ];
}
