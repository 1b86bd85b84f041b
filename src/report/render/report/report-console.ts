import { notJudgedLine } from "../terminal/not-judged-line.ts";
import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import type { GroupReport } from "../../statistics/groups/group.ts";
import { quarantineOf } from "../../statistics/groups/quarantine.ts";
import type { ReportData } from "../../statistics/report/report.ts";
import { counted, duration, printable, type Theme } from "../terminal/printable.ts";
import { comparisonLines } from "./report-comparisons.ts";
import { scoreLines } from "../terminal/score-lines.ts";
import { fillLines } from "../terminal/fill-lines.ts";
import { fittingTables, textTable } from "../terminal/text-table.ts";

const MOST_ROWS = 60;

const unknown = "—";
const MOST_QUARANTINED = 20;
/** Text below the table that explains the table's headings. */
const LEGEND =
  "3 in a row: the probability that three runs all pass (pass^3). Grade: A from 95 %, B 85 %, C 75 %, D 65 %, else F.";

/**
 * Returns the console output of `report`: a table of the groups, remarks, and significant differences.
 * @param width width of the terminal in columns; undefined if the output is not a terminal
 */
export function reportConsole(data: ReportData, theme: Theme, width?: number): string {
  if (data.groups.length === 0) return "no judged run to report\n";
  const rows = data.groups.map(row);
  const alignments = columns.map((_, at) => (at === 0 ? ("left" as const) : ("right" as const)));
  const tables = fittingTables([columns, ...rows], alignments, width);
  const legend = fillLines(LEGEND.split(" "), " ", {
    firstWidth: width ?? Infinity,
    width: width ?? Infinity,
  });
  const lines = [
    `Runs by ${printable(data.groupBy)}${data.base === null ? "" : `, against ${printable(data.base)}`}`,
    "",
    ...tables.flatMap(([head = "", ...table]) => [
      theme.dim(head),
      ...table,
      ...(tables.length > 1 ? [""] : []),
    ]),
    ...legend.map(theme.dim),
    ...data.groups.flatMap((group) => remarks(group, theme)),
    ...quarantine(data),
    ...comparisonLines(data, theme),
    ...fullStatisticsLines(data),
  ];
  return `${lines.join("\n")}\n`;
}

const columns = [
  "group",
  "runs",
  "passed",
  "warned",
  "failed",
  "pass rate",
  "interval",
  "3 in a row",
  "grade",
  "tokens",
  "cost",
  "cost/pass",
  "p95",
];

function row(group: GroupReport): readonly string[] {
  const { passRate, metrics } = group;
  const of = (name: string) => metrics.get(name);
  const range =
    passRate.low === null || passRate.high === null
      ? unknown
      : `${percent(passRate.low)}–${percent(passRate.high)}`;
  return [
    printable(group.key, 60),
    String(group.runs),
    String(group.passed - group.warned),
    String(group.warned),
    String(group.failed),
    percent(passRate.mean),
    range,
    percent(group.passHatK.get(3) ?? null),
    group.grade === null ? unknown : `${group.grade} of ${group.gradeOf}`,
    shown(of("total_tokens")?.mean, (value) => grouped(Math.round(value))),
    shown(of("cost_usd")?.mean, dollars),
    shown(group.costOfPass, dollars),
    shown(of("latency_ms")?.p95, duration),
  ];
}

function remarks(group: GroupReport, theme: Theme): readonly string[] {
  const { key, flaky, flipSource, flakiness, undecided, gate, uplift, warned, passed } = group;
  const lines: string[] = [];
  if (warned > 0)
    lines.push(theme.unsure(`${warned} of the ${counted(passed, "pass", "passes")} with warnings`));
  const notJudged = notJudgedLine(group.notJudged, group.runs, "runs");
  if (notJudged !== null) lines.push(theme.unsure(notJudged));
  if (flaky) {
    const band =
      flakiness.band === null || flakiness.band === "flaky" ? [] : [flakiness.band.replaceAll("_", " ")];
    const source = flipSource === null ? [] : [`source: ${flipSource}`];
    const more = [...band, ...source].join(", ");
    lines.push(theme.unsure(more === "" ? "flaky" : `flaky (${more})`));
  }
  lines.push(...scoreLines(group));
  if (uplift.composite !== null && uplift.composite !== 0) {
    lines.push(`median composite ${signedPercent(uplift.composite)} against the base`);
  }
  if (undecided > 0) lines.push(theme.unsure(`${counted(undecided, "run")} could not be decided`));
  if (group.forbidden > 0)
    lines.push(
      theme.bad(
        `${counted(group.forbidden, "run")} called a forbidden tool, which is a failure even if a gate passes`,
      ),
    );
  if (gate !== null) {
    const paint = gate.outcome === "pass" ? theme.good : gate.outcome === "fail" ? theme.bad : theme.unsure;
    lines.push(paint(`gate: ${gate.outcome.replaceAll("_", " ")}: ${printable(gate.reason, 300)}`));
  }
  return lines.length === 0 ? [] : ["", printable(key, 100), ...lines.map((text) => `  ${text}`)];
}

/**
 * Returns `waivers:` for a spec that contain the flaky queries. A waived query only warns until the waiver
 * expires.
 */
function quarantine({ groupBy, groups }: ReportData): readonly string[] {
  const flaky = groupBy === "query" ? quarantineOf(groups) : [];
  if (flaky.length === 0) return [];
  const waivers = flaky.slice(0, MOST_QUARANTINED).map(({ key, passed, failed }) => {
    const reason = `flaky: ${passed} of ${passed + failed} passed`;
    return `  - { query: ${printable(key)}, owner: …, reason: "${reason}", expires: … }`;
  });
  return [
    "",
    "Quarantine: add these waivers to the spec, so that flaky queries only warn until the waivers expire:",
    "  waivers:",
    ...waivers,
  ];
}

function percent(value: number | null): string {
  return shown(value, (rate) => `${Number((100 * rate).toFixed(1))}%`);
}

function signedPercent(share: number): string {
  return `${share < 0 ? "" : "+"}${percent(share)}`;
}

function shown(value: number | null | undefined, show: (value: number) => string): string {
  return value === null || value === undefined ? unknown : show(value);
}

/**
 * Returns the lines that `report --statistics full` adds to the console output. Empty without `--statistics
 * full`.
 */
function fullStatisticsLines({ full }: ReportData): readonly string[] {
  if (full === null) return [];
  const { sensitivity, transitions, ablation, bestValue, power, judges } = full;
  return [
    ...table("Dependence of rates on the group", ["measure", "sensitivity"], [...sensitivity]),
    ...table(
      "Changes from group to group",
      ["from", "to", "quality", "cost", "worthwhile"],
      transitions.map(({ from, to, qualityGain, costIncrease, worthwhile }) => [
        printable(from, 40),
        printable(to, 40),
        signed(qualityGain),
        `${signed(100 * costIncrease)}%`,
        worthwhile ? "yes" : "no",
      ]),
    ),
    ...table(
      "Loss of score against the base (for groups that are the base without one component)",
      ["group", "loss", "component"],
      ablation.map(({ key, loss, impact }) => [printable(key, 40), signed(loss), impact]),
    ),
    ...(bestValue.key === null || bestValue.value === null
      ? []
      : [
          "",
          `Highest score for its cost: ${printable(bestValue.key, 60)} (${rounded(bestValue.value)} per USD)`,
        ]),
    ...table(
      "Probability of detecting a difference of a given size (Cliff's delta)",
      ["a", "b", "measure", "0.11", "0.28", "0.43"],
      power.map(({ a, b, metric, small, medium, large }) => [
        printable(a, 40),
        printable(b, 40),
        metric,
        ...[small, medium, large].map((chance) => (chance === null ? "—" : `${Math.round(100 * chance)}%`)),
      ]),
    ),
    ...table(
      "Agreement of judges (Krippendorff's alpha: 1 full agreement, 0 chance)",
      ["rubric", "runs", "ratings", "alpha"],
      judges.map(({ rubric, runs, ratings, alpha }) => [
        printable(rubric, 60),
        String(runs),
        String(ratings),
        alpha === null ? "—" : rounded(alpha),
      ]),
    ),
  ];
}

function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MOST_ROWS);
  const alignments = head.map(() => "left" as const);
  const rest = rows.length - shown.length;
  return [
    "",
    title,
    ...textTable([head, ...shown], alignments).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  … and ${rest} more; --format json has them all`] : []),
  ];
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Number(Math.abs(value).toPrecision(3))}`;
}
