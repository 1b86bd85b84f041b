import { notJudgedLine } from "../terminal/not-judged-line.ts";
import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import type { GroupReport } from "../../statistics/groups/group.ts";
import { quarantineOf } from "../../statistics/groups/quarantine.ts";
import type { ReportData } from "../../statistics/report/report.ts";
import { counted, duration, printable } from "../terminal/printable.ts";
import { comparisonLines } from "./report-comparisons.ts";
import { fullStatisticsLines } from "./report-statistics.ts";
import { scoreLines } from "../terminal/score-lines.ts";
import { textTable } from "../terminal/text-table.ts";
import type { Theme } from "../terminal/theme.ts";

const unknown = "—";
const MOST_QUARANTINED = 20;
/** Explains the headings of the table. */
const LEGEND =
  "3 in a row: the probability that three runs all pass (pass^3). Grade: A from 95 %, B 85 %, C 75 %, D 65 %, else F.";

/** Returns the console output of `report`: a table of the groups, remarks, and significant differences. */
export function reportConsole(data: ReportData, theme: Theme): string {
  if (data.groups.length === 0) return "no judged run to report\n";
  const rows = data.groups.map(row);
  const alignments = columns.map((_, at) => (at === 0 ? ("left" as const) : ("right" as const)));
  const [head = "", ...table] = textTable([columns, ...rows], alignments);
  const lines = [
    `Runs by ${printable(data.groupBy)}${data.base === null ? "" : `, against ${printable(data.base)}`}`,
    "",
    theme.dim(head),
    ...table,
    theme.dim(LEGEND),
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
      theme.bad(`${counted(group.forbidden, "run")} called a forbidden tool and fail, even if a gate passes`),
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
