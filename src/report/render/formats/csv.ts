import { checksOf, isUnmet } from "../../../model/outcome.ts";
import { visible } from "../terminal/escape.ts";
import { leftOutBecause } from "../../../model/not-judged.ts";
import type { CheckJson } from "../../json/verdict-schema.ts";
import type { ReportedRun, ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";
import { withoutCommands } from "./workflow-command.ts";

const measures = [
  "tool_calls",
  "llm_calls",
  "total_tokens",
  "cost_usd",
  "latency_ms",
  "tool_recall",
  "tool_precision",
  "sequence_similarity",
  "loops",
  "handoffs",
] as const;

const columns = [
  "spec",
  "query_id",
  "query",
  "agent",
  "trace_id",
  "run_id",
  "started",
  "outcome",
  "correctness",
  "path",
  "cost",
  "complete",
  ...measures,
  "tools",
  "handoff_targets",
  "failed_checks",
  "answer",
  "not_judged",
];

/**
 * Yields CSV (RFC 4180) with a line for each verdict, each run without a verdict, and each query without a run. Numbers are unrounded, and
 * unknown values are empty. A text that a spreadsheet could run as a formula gets a leading apostrophe. In texts that CI systems could run
 * as commands, a space is inserted.
 */
export function* csvReport({ verdicts, unmatched, ambiguous, missing }: TestResult): Generator<string> {
  yield line(columns);
  for (const reported of verdicts) yield line(row(reported));
  for (const run of unmatched) yield line(unjudgedRow("unmatched", runCells(run), run.reason));
  for (const run of ambiguous)
    yield line(
      unjudgedRow("ambiguous", runCells(run), `matches several queries: ${run.candidates.join(", ")}`),
    );
  for (const { spec, queryId, query } of missing)
    yield line(unjudgedRow("missing", { spec, query_id: queryId, query }, "no run for the query"));
}

function runCells({ spec, query, traceId, runId, place }: ReportedRun): Readonly<Record<string, string>> {
  const ids = { trace_id: traceId, run_id: runId, started: started(place.startUnixMs) };
  return { spec, query: query ?? "", ...ids };
}

function unjudgedRow(
  outcome: "unmatched" | "ambiguous" | "missing",
  cells: Readonly<Record<string, string>>,
  reason: string,
): readonly string[] {
  const known: Readonly<Record<string, string>> = { ...cells, outcome, not_judged: reason };
  return columns.map((name) => known[name] ?? "");
}

function line(cells: readonly (string | number)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function row({ verdict, place, tools, handoffs, answer }: ReportedVerdict): readonly (string | number)[] {
  const { layers, metrics } = verdict;
  const broken = checksOf(verdict).filter(isUnmet);
  return [
    verdict.spec,
    verdict.query_id,
    verdict.query ?? "",
    verdict.agent ?? "",
    verdict.trace_id,
    verdict.run_id,
    started(place.startUnixMs),
    verdict.outcome,
    layers.correctness.outcome,
    layers.path.outcome,
    layers.cost.outcome,
    String(verdict.complete),
    ...measures.map((name) => metrics[name] ?? ""),
    (tools ?? []).map((name) => name ?? "?").join(" > "),
    handoffs.join(" > "),
    broken
      .map(
        ({ check, outcome, expected_fail: expected }) =>
          `${check}=${outcome}${expected === true ? "/expected" : ""}`,
      )
      .join(" "),
    answer ?? "",
    [...new Set(checksOf(verdict).flatMap(leftOut))].join("; "),
  ];
}

/**
 * Returns the name of a check that an option left out, and the reason. Returns an empty list if the check was
 * judged.
 */
function leftOut(check: CheckJson): readonly string[] {
  const reason = leftOutBecause(check);
  return reason === null ? [] : [`${check.check}: ${reason}`];
}

/**
 * Formats a start time in RFC 3339. Returns an empty text if the time is outside the range of a JavaScript
 * `Date`.
 */
function started(unixMs: number): string {
  return Math.abs(unixMs) <= 8.64e15 ? new Date(unixMs).toISOString() : "";
}

/**
 * Matches a text that a spreadsheet may read as a formula, also after a separator or quote, at which some programs split imported text. The
 * text must be NFKC-normalised, because NFKC makes full-width operators ordinary ones.
 */
const FORMULA = /^(?:\\u[0-9a-f]{4}|[\s\p{Z}\p{C}\ufffd,;|:'"`\u2018-\u201f])*[=+\-\u2212@|%]|^[\t\r\n]/u;

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = withoutCommands(visible(value));
  const safe = FORMULA.test(text.normalize("NFKC")) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
