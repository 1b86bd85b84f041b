import { first, type Listed } from "../../findings/listed.ts";
import { counted, printable, type Theme } from "../printable.ts";
import type { TestResult } from "../../json/result.ts";
import { groupBy } from "../../../../support/structures/group-by.ts";
import { coverageCommand, dumpWords, initCommand } from "./next-command.ts";

/**
 * Returns blocks of lines about runs without a verdict, queries and specs without a run, unreadable input,
 * and failed calls of the agent.
 * @param isShort summarises runs and queries, for reports of many runs
 */
export function withoutVerdict(
  result: TestResult,
  theme: Theme,
  isShort: boolean,
): readonly (readonly string[])[] {
  const { missing, ambiguous, unmatched, agentCalls = [] } = result;
  return [
    // Unreadable input comes first, because it may be the reason for missing queries.
    unreadableInput(result, theme),
    emptyInput(result, theme),
    isShort
      ? missingLine(missing)
      : block(
          theme.unsure("Queries without a run"),
          missing,
          ({ query, spec }) => `${spec} · ${printable(query)}`,
        ),
    block(
      theme.unsure("Specs that judged no run"),
      result.idleSpecs,
      ({ file, agent }) =>
        `${printable(file)} (for ${agent === "*" ? "any agent" : `the agent ${printable(agent)}`})`,
    ),
    block(theme.unsure("Runs that match several queries"), ambiguous, (run) => {
      return `${printable(run.query ?? "(query unknown)")} matches ${run.candidates.join(", ")} of ${run.spec}`;
    }),
    isShort
      ? unmatchedLines(result, theme)
      : [
          ...block(theme.dim("Runs that match no query"), unmatched, (run) => {
            return `${printable(run.query ?? "(query unknown)", 90)} (${printable(run.reason)})`;
          }),
          ...(result.tally.total === 0 ? nextSteps(result, theme) : []),
        ],
    block(
      theme.bad("Failed calls of the agent"),
      [...groupBy(agentCalls, ({ outcome, reason }) => (outcome === "ok" ? undefined : reason))],
      ([reason, calls]) => {
        const named = calls
          .slice(0, MOST_NAMED)
          .map(({ query_id: queryId, run }) => `${printable(queryId)}, run ${run}`);
        const rest = calls.length - named.length;
        return `${named.join("; ")}${rest > 0 ? ` and ${rest} more` : ""}: ${printable(reason, 300)}`;
      },
    ),
  ].filter((lines) => lines.length > 0);
}

/** Returns a block of lines about unreadable input. */
export function unreadableInput({ invalidInput }: TestResult, theme: Theme): readonly string[] {
  return block(theme.unsure("Input that could not be read"), invalidInput, ({ file, line, reason }) => {
    return `${printable(file)}${line === null ? "" : `:${line}`}: ${printable(reason)}`;
  });
}

/** Returns the next step if dumps were read, but contain no run. */
function emptyInput(result: TestResult, theme: Theme): readonly string[] {
  const { summary, dumps = [], invalidInput } = result;
  if (summary.runs > 0 || dumps.length === 0 || invalidInput.length > 0) return [];
  return [
    theme.unsure("The input contains no agent run"),
    `${theme.hint(`   → tracejury doctor ${dumpWords(result)}`)}   shows what the input contains, and why no run was found`,
  ];
}

const MOST_SHOWN = 20;

function block<Item>(title: string, items: Listed<Item>, shown: (item: Item) => string): readonly string[] {
  if (items.length === 0) return [];
  const lines = first(items, MOST_SHOWN).map((item) => `   ${shown(item)}`);
  const rest = items.length - lines.length;
  return [title, ...lines, ...(rest > 0 ? [`   … and ${rest} more`] : [])];
}

const MOST_NAMED = 3;

function missingLine(missing: TestResult["missing"]): readonly string[] {
  if (missing.length === 0) return [];
  const named = missing.slice(0, MOST_NAMED).map(({ queryId }) => printable(queryId, 48));
  const rest = missing.length - named.length;
  const more = rest > 0 ? ` and ${rest} more (--verbose lists them)` : "";
  return [` ${counted(missing.length, "query has", "queries have")} no run: ${named.join(", ")}${more}`];
}

/**
 * Returns the number of runs without a query for each reason, and the next steps. The steps depend on the
 * reason: runs of another agent need a spec, new questions need a query.
 */
function unmatchedLines(result: TestResult, theme: Theme): readonly string[] {
  const { unmatched } = result;
  if (unmatched.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { reason } of unmatched) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a);
  const shown = reasons.slice(0, MOST_NAMED);
  const rest = reasons.slice(MOST_NAMED).reduce((sum, [, count]) => sum + count, 0);
  return [
    ` ${counted(unmatched.length, "run")} matched no query`,
    ...shown.map(([reason, count]) => `   ×${count}  ${printable(reason, 160)}`),
    ...(rest > 0 ? [`   ×${rest}  for ${counted(reasons.length - shown.length, "other reason")}`] : []),
    ...nextSteps(result, theme),
  ];
}

/**
 * Returns the next steps for runs without a query: `coverage` for new questions; `init` or another `agent` in the spec for other agents.
 */
function nextSteps(result: TestResult, theme: Theme): readonly string[] {
  const { unmatched, specs, tally } = result;
  const agents = new Set<string | null>();
  let own = 0;
  for (const { otherAgent } of unmatched) {
    if (otherAgent === undefined) own++;
    else agents.add(otherAgent);
  }
  const names = [...agents].filter((name) => name !== null);
  const narrow = specs.find(({ agent }) => agent !== "*");
  const steps: string[] = [];
  if (agents.size > 0 && tally.total > 0) {
    for (const name of names.slice(0, MOST_NAMED))
      steps.push(`${theme.hint(`   → ${initCommand(result, name)}`)}   a spec for these runs`);
  } else if (agents.size > 0 && narrow !== undefined) {
    const named = names.slice(0, MOST_NAMED).map((name) => `agent: ${JSON.stringify(printable(name))}`);
    const any = 'agent: "*" for any agent';
    const what = named.length === 0 ? any : `${named.join(" or ")}, the agent of these runs, or ${any}`;
    steps.push(theme.hint(`   → in ${printable(narrow.file)}, write ${what}`));
  }
  const command = own === 0 ? null : coverageCommand(result);
  if (command !== null) steps.push(`${theme.hint(`   → ${command}`)}   prints queries for these runs`);
  return steps;
}
