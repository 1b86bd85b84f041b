import type { Cluster } from "../../../match/coverage.ts";
import { grouped } from "../../../evaluate/rules/text.ts";
import {
  type Drift,
  DRIFT_SIGNIFICANCE,
  type DriftMeasure,
  type DriftPattern,
} from "../../statistics/drift/drift.ts";
import { snakeCased } from "../../json/snake-case.ts";
import { counted, duration, printable, type Theme } from "../terminal/printable.ts";
import { clusterJson, queryBlock } from "./coverage-report.ts";

export interface DriftReport {
  readonly drift: Drift;
  /** New questions: those that match no query of the specs or, without specs, do not occur in the reference period. */
  readonly questions: readonly Cluster[];
}

export function driftJson({ drift, questions }: DriftReport): object {
  const shown = questions.map((one) => ({ ...one, runIds: one.runIds.slice(0, MOST_IDS) }));
  return { format_version: 1, ...snakeCased(drift), questions: shown.map(clusterJson) };
}

const MOST_IDS = 3;
const MOST_SHOWN = 20;
const kinds: Record<DriftPattern["kind"], string> = {
  tool_sequence: "tools",
  tool: "tool",
  handoff: "hand-off",
  error: "error",
};

export function driftConsole({ drift, questions }: DriftReport, theme: Theme): string {
  const { runsBefore, runsAfter, measures, patterns, rarelySeen } = drift;
  const moved = measures.filter(({ p }) => p !== null && p <= DRIFT_SIGNIFICANCE);
  const lines = [`${counted(runsAfter, "run")} against ${runsBefore} of the reference period`, ""];
  for (const one of moved) lines.push(`  ${theme.unsure("▲")} ${measureText(one)}`);
  for (const one of patterns.slice(0, MOST_SHOWN)) lines.push(...patternLines(one, theme));
  if (patterns.length > MOST_SHOWN) lines.push(theme.dim(`  … and ${patterns.length - MOST_SHOWN} more`));
  if (runsBefore === 0) lines.push(theme.unsure("nothing to compare with: the reference period has no run"));
  else if (runsAfter === 0)
    lines.push(theme.unsure("nothing to compare: no run began after the reference period"));
  else if (moved.length + patterns.length === 0) lines.push("no significant change");
  if (rarelySeen > 0 && runsBefore > 0)
    lines.push(
      theme.dim(`  and ${counted(rarelySeen, "pattern")} that are new, but too rare to be significant`),
    );
  if (questions.length > 0)
    lines.push("", "New questions, the most frequent first, to paste below `queries:`", "");
  for (const one of questions.slice(0, MOST_SHOWN))
    lines.push(
      queryBlock(one),
      theme.dim(`    # such as ${one.runIds.slice(0, MOST_IDS).map(short).join(", ")}`),
    );
  return `${lines.join("\n")}\n`;
}

function measureText({ measure, scale, before, after }: DriftMeasure): string {
  const shown = (value: number | null): string => {
    if (value === null) return "unknown";
    if (scale === "share") return percent(value);
    return measure === "latency_ms" ? duration(value) : grouped(Math.round(value));
  };
  const name = measure === "latency_ms" ? "latency" : measure.replaceAll("_", " ");
  return `${name}: ${shown(before)} → ${shown(after)}${scale === "share" ? " of runs" : " (median)"}`;
}

function patternLines(one: DriftPattern, theme: Theme): string[] {
  const word =
    one.runsBefore === 0
      ? "new"
      : one.runsAfter === 0
        ? "gone"
        : one.shareAfter > one.shareBefore
          ? "more"
          : "fewer";
  const shares = `${percent(one.shareBefore)} → ${percent(one.shareAfter)} of runs`;
  return [
    `  ${theme.unsure("▲")} ${word} ${kinds[one.kind]}: ${printable(one.name, 120)}  ${shares}`,
    theme.dim(`      such as ${one.exampleRunIds.map(short).join(", ")}`),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1).replace(/\.0$/, "")} %`;
}

function short(runId: string): string {
  return runId.length > 12 ? `${runId.slice(0, 12)}…` : runId;
}
