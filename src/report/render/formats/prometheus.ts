import { checksOf } from "../../../model/outcome.ts";
import { NotJudgedCounts } from "../../../model/not-judged.ts";
import { escapeControlsInValue } from "../../../support/structures/control-characters.ts";
import { compare } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";
import type { SummaryJson, VerdictJson } from "../../json/verdict-schema.ts";

/** Values of all runs of one query. */
interface Group {
  readonly labels: string;
  /** For each gauge, the sum of the known values and their number, from which the mean is computed. */
  readonly sums: { sum: number; known: number }[];
  readonly outcomes: Map<string, number>;
  readonly notJudged: NotJudgedCounts;
}

interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Returns the value of one run; null if unknown. */
  readonly value: (verdict: VerdictJson) => number | null;
}

const gauges: readonly Gauge[] = [
  {
    name: "correctness_pass",
    help: "Share of runs whose correctness passed, warnings allowed, of all decided runs.",
    value: ({ layers }) => passed(layers.correctness.outcome),
  },
  {
    name: "correctness_warned",
    help: "Share of runs whose correctness passed with warnings; they are part of correctness_pass.",
    value: ({ layers }) => warned(layers.correctness.outcome),
  },
  {
    name: "run_warned",
    help: "Share of runs that passed with a warning of any layer, of all decided runs.",
    value: ({ outcome }) => warned(outcome),
  },
  measure("tool_recall", "Share of the expected tools that were called, mean over runs."),
  measure("tool_precision", "Share of the called tools that were expected, mean over runs."),
  measure("sequence_similarity", "Similarity of the called to the expected tool sequence, mean over runs."),
  measure("cost_usd", "Cost of a run in US dollars, mean over runs."),
  measure("latency_ms", "Time of a run in milliseconds, mean over runs."),
  measure("total_tokens", "Tokens of a run, mean over runs."),
  measure("llm_calls", "Model calls of a run, mean over runs."),
];

/** Prefixes of metric names. `agentci_` exists for dashboards that were made for AgentCI. */
const prefixes = ["tracejury_test_", "agentci_"] as const;

/**
 * Returns a test result in the Prometheus text format: gauges for each spec and query, and counts of
 * outcomes.
 */
export function prometheusReport({ verdicts, summary }: TestResult): string {
  return prometheusText(plain(verdicts), summary);
}

function* plain(verdicts: TestResult["verdicts"]): Generator<VerdictJson> {
  for (const { verdict } of verdicts) yield verdict;
}

/**
 * Returns saved verdicts in the Prometheus text format. If a value is unknown for all runs of a query, its
 * gauge has no sample for that query.
 */
export function prometheusText(verdicts: Iterable<VerdictJson>, summary: SummaryJson | null): string {
  const groups = groupsOf(verdicts);
  const lines = prefixes.flatMap((prefix) =>
    gauges.flatMap((gauge, at) => family(prefix, gauge, at, groups)),
  );
  lines.push(
    ...runLines(groups),
    ...notJudgedLines(groups),
    ...(summary === null ? [] : summaryLines(summary)),
  );
  return lines.map((line) => `${line}\n`).join("");
}

function measure(name: string, help: string): Gauge {
  return { name, help, value: ({ metrics }) => metrics[name] ?? null };
}

function passed(outcome: VerdictJson["outcome"]): number | null {
  if (outcome === "pass" || outcome === "warn") return 1;
  return outcome === "fail" ? 0 : null;
}

function warned(outcome: VerdictJson["outcome"]): number | null {
  const side = passed(outcome);
  return side === null ? null : outcome === "warn" ? 1 : 0;
}

function groupsOf(verdicts: Iterable<VerdictJson>): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const verdict of verdicts) {
    const key = JSON.stringify([verdict.spec, verdict.query_id]);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = beginning(verdict)));
    group.outcomes.set(verdict.outcome, (group.outcomes.get(verdict.outcome) ?? 0) + 1);
    group.notJudged.add(checksOf(verdict));
    for (const [at, sum] of group.sums.entries()) {
      const value = gauges[at]?.value(verdict) ?? null;
      if (value === null) continue;
      sum.sum += value;
      sum.known++;
    }
  }
  return [...groups.values()];
}

/**
 * Creates a group whose label is the query text of its first run. A label for each query text would create too many series if the query has
 * a pattern, which matches many texts.
 */
function beginning(first: VerdictJson): Group {
  const labels = labelText({
    spec: first.spec,
    agent: first.agent ?? "",
    query_id: first.query_id,
    query: first.query ?? "",
  });
  return {
    labels,
    sums: gauges.map(() => ({ sum: 0, known: 0 })),
    outcomes: new Map(),
    notJudged: new NotJudgedCounts(),
  };
}

function family(
  prefix: string,
  { name, help }: Gauge,
  at: number,
  groups: readonly Group[],
): readonly string[] {
  const samples = groups.flatMap(({ labels, sums }) => {
    const { sum, known } = sums[at] ?? { sum: 0, known: 0 };
    return known === 0 ? [] : [`${prefix}${name}{${labels}} ${sum / known}`];
  });
  return samples.length === 0 ? [] : [...head(`${prefix}${name}`, help), ...samples];
}

function runLines(groups: readonly Group[]): readonly string[] {
  if (groups.length === 0) return [];
  const name = "tracejury_test_runs";
  const samples = groups.flatMap(({ labels, outcomes }) =>
    [...outcomes]
      .sort(([a], [b]) => compare(a, b))
      .map(([outcome, count]) => `${name}{${labels},outcome="${outcome}"} ${count}`),
  );
  return [...head(name, "Judged runs by outcome."), ...samples];
}

function notJudgedLines(groups: readonly Group[]): readonly string[] {
  const name = "tracejury_test_not_judged";
  const samples = groups.flatMap(({ labels, notJudged }) =>
    notJudged.all.map(
      ({ check, reason, verdicts }) => `${name}{${labels},${labelText({ check, reason })}} ${verdicts}`,
    ),
  );
  return samples.length === 0
    ? []
    : [...head(name, "Judged runs in which an option left out a check."), ...samples];
}

function summaryLines(summary: SummaryJson): readonly string[] {
  const { exit_code: exitCode, ...counts } = summary;
  const name = "tracejury_test_summary";
  return [
    ...head(name, "Counts of the whole result."),
    ...Object.entries(counts).map(([what, count]) => `${name}{what="${what}"} ${count}`),
    ...head("tracejury_test_exit_code", "0 passed, 1 failed, 2 undecided."),
    `tracejury_test_exit_code ${exitCode}`,
  ];
}

function head(name: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${labelValue(value)}"`)
    .join(",");
}

/**
 * Escapes a label value: backslashes, line feeds and quotes by Prometheus' rules, other control characters as
 * `\uXXXX`. Lone surrogates are replaced, because UTF-8 cannot encode them. The value is not truncated,
 * because two truncated labels could become equal.
 */
function labelValue(value: string): string {
  return escapeControlsInValue(value)
    .replace(/[\ud800-\udfff]/gu, "\ufffd")
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll('"', '\\"');
}
