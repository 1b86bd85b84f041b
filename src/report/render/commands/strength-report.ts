import type { Trial } from "../../../evaluate/strength/strength.ts";
import type { RepeatedStrength } from "../../../evaluate/strength/repeated.ts";
import { type QueryStrength, strengthOf } from "../../../evaluate/strength/tally.ts";
import { count } from "../../../evaluate/rules/text.ts";
import { fillLines, TERMINAL_WIDTH } from "../terminal/fill-lines.ts";
import { printable, type Theme } from "../terminal/printable.ts";

export function strengthJson(queries: readonly QueryStrength[], seed: number): object {
  const total = totalOf(queries);
  return {
    format_version: 1,
    seed,
    strength: total.strength,
    mutants: total.killed + total.survived + total.leftToJudges,
    killed: total.killed,
    survived: total.survived,
    left_to_judges: total.leftToJudges,
    queries: queries.map((query) => ({
      spec: query.spec,
      query_id: query.queryId,
      runs: query.runs,
      runs_left_out: query.leftOut,
      mutants: query.killed + query.survived + query.leftToJudges,
      killed: query.killed,
      survived: query.survived,
      left_to_judges: query.leftToJudges,
      strength: query.strength,
      kills: Object.fromEntries(query.kills),
      reliability: query.repeated === null ? null : repeatedJson(query.repeated),
      survivors: query.survivors.map(survivorJson),
    })),
  };
}

function repeatedJson({ runs, tolerated, failsFrom, counted }: RepeatedStrength): object {
  return { runs, tolerated_failures: tolerated, fails_from: failsFrom, killed_that_fail: counted };
}

function survivorJson({ runId, mutation, what, fate, suggestion }: Trial): object {
  return { run_id: runId, mutation, what, fate, suggestion };
}

/**
 * Maximum number of different undetected faults that the console lists for a query. The JSON output lists all
 * undetected mutants.
 */
const MOST_SHOWN = 12;

/**
 * Returns the console output of `strength`: for each query, the injected faults that no check detected. If a check that would detect the
 * fault is known, the check is printed below the fault.
 */
export function strengthConsole(queries: readonly QueryStrength[], theme: Theme): string {
  const { killed, survived, leftToJudges } = totalOf(queries);
  const lines = queries.flatMap((query) => queryLines(query, theme));
  const judges = leftToJudges === 0 ? "" : `, ${leftToJudges} left to judges, which were not called`;
  const detected = `${killed} of ${count(killed + survived, "mutant")} detected (${percent(strengthOf(killed, survived))})${judges}`;
  return `${[...lines, detected].join("\n")}\n`;
}

function queryLines(query: QueryStrength, theme: Theme): readonly string[] {
  const { spec, queryId, runs, leftOut, killed, survived, strength, survivors } = query;
  const title = `${printable(spec)} · ${printable(queryId)}`;
  const others = leftOut === 0 ? "" : `, ${leftOut} did not pass and are not used`;
  if (runs === 0) return [`${title}  ${theme.unsure(`no passing run to mutate${others}`)}`, ""];
  const colour = survived === 0 ? theme.good : theme.unsure;
  const head = `${title}  ${colour(`${killed} of ${killed + survived} detected (${percent(strength)})`)}${theme.dim(` · ${count(runs, "run")}${others}`)}`;
  const grouped = [...groupSurvivors(survivors).values()];
  const shown = grouped.slice(0, MOST_SHOWN).flatMap((group) => survivorLines(group, theme));
  const more = grouped.length > MOST_SHOWN ? [theme.dim(`  … and ${grouped.length - MOST_SHOWN} more`)] : [];
  const together = query.repeated === null ? [] : [theme.dim(`  ${repeatedLine(query.repeated)}`)];
  return [head, ...together, ...shown, ...more, ""];
}

/** Describes how many failing runs the query's reliability gate tolerates. */
function repeatedLine({ runs, tolerated, failsFrom, counted }: RepeatedStrength): string {
  const passes =
    tolerated === null
      ? "the reliability gate does not pass even if no run fails"
      : `the reliability gate passes with up to ${tolerated} of ${count(runs, "run")} failing`;
  const fails = failsFrom === null ? "never fails" : `fails with ${failsFrom} or more`;
  return `${passes}, and ${fails}; ${counted === 1 ? "1 detected mutant fails its run" : `${counted} detected mutants fail their run`}`;
}

interface SurvivorGroup {
  readonly trial: Trial;
  times: number;
}

/** Groups undetected mutants with the same fault and suggestion, so that the output lists each fault once. */
function groupSurvivors(survivors: readonly Trial[]): ReadonlyMap<string, SurvivorGroup> {
  const groups = new Map<string, SurvivorGroup>();
  for (const trial of survivors) {
    const key = JSON.stringify([trial.mutation, trial.what, trial.fate, trial.suggestion]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { trial, times: 1 });
    else group.times++;
  }
  return groups;
}

/** Column of the description of a fault, after its mark and mutation. */
const WHAT_COLUMN = 29;

function survivorLines({ trial, times }: SurvivorGroup, theme: Theme): readonly string[] {
  const { fate, mutation, what, suggestion } = trial;
  const often = times === 1 ? "" : ` (${count(times, "run")})`;
  const mark = fate === "judge" ? "? left to judges" : "▲ survived";
  const width = TERMINAL_WIDTH - WHAT_COLUMN;
  const [first = "", ...rest] = fillLines(`${printable(what)}${often}`.split(" "), " ", {
    firstWidth: width,
    width,
  });
  const fault = [
    `  ${theme.unsure(mark.padEnd(16))} ${mutation.padEnd(9)} ${first}`,
    ...rest.map((line) => " ".repeat(WHAT_COLUMN) + line),
  ];
  if (suggestion === null && fate === "survived" && mutation === "forge") {
    const judge = theme.hint("correctness: { hallucination_check: true }");
    return [
      ...fault,
      "    the answer contains no value of the changed result, so no text check",
      "    detects this fault. To let a judge check it:",
      `    ${judge}`,
    ];
  }
  if (suggestion === null) return fault;
  const { layer, check, limit } = suggestion;
  return [
    ...fault,
    `    ${theme.hint(`${layer}: { ${check}: ${printable(JSON.stringify(limit))} }`)} would detect`,
  ];
}

function totalOf(queries: readonly QueryStrength[]) {
  const sum = (of: (query: QueryStrength) => number) =>
    queries.reduce((total, query) => total + of(query), 0);
  const killed = sum((query) => query.killed);
  const survived = sum((query) => query.survived);
  const leftToJudges = sum((query) => query.leftToJudges);
  return { killed, survived, leftToJudges, strength: strengthOf(killed, survived) };
}

function percent(value: number | null): string {
  return value === null ? "unknown" : `${Math.round(value * 1000) / 10} %`;
}
