import { checksOf } from "../../model/outcome.ts";
import { RunQuantities } from "../../evaluate/quantities/run-quantities.ts";
import { costGap, usageRemedy } from "../../evaluate/rules/cost-gap.ts";
import { arrows, dollars, grouped, listed } from "../../evaluate/rules/text.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { evaluate } from "./evaluate.ts";
import { readSpec } from "../../config/command-settings.ts";
import { renderProblem } from "../../spec/document/problems/frame.ts";
import { TracejuryError } from "./settings.ts";

/** Result of an assertion. `message` says why it fails, or why its negation fails. */
export interface RunCheck {
  readonly pass: boolean;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** The run used all of these tools, in any order, possibly with others. */
export function usesTools(run: AgentRun, tools: readonly string[]): RunCheck {
  const used = namesOf(run);
  if (typeof used === "string") return { pass: false, message: used };
  const lacking = tools.filter((name) => !used.includes(name));
  const message =
    lacking.length === 0 ? `the run used ${listed(tools)}` : `the run did not use ${listed(lacking)}`;
  return {
    pass: lacking.length === 0,
    message: `${message}; it used ${arrows(used)}`,
    expected: tools,
    actual: used,
  };
}

/** The run made exactly these tool calls, in this order. */
export function usesExactlyTools(run: AgentRun, tools: readonly string[]): RunCheck {
  const used = namesOf(run);
  if (typeof used === "string") return { pass: false, message: used };
  const pass = used.length === tools.length && used.every((name, at) => name === tools[at]);
  return {
    pass,
    message: `expected ${arrows(tools)}, the run used ${arrows(used)}`,
    expected: tools,
    actual: used,
  };
}

/** The run handed over to these agents, in this order. */
export function handsOffTo(run: AgentRun, agents: readonly string[]): RunCheck {
  const targets = run.handoffs.map(({ to }) => to);
  const pass = targets.length === agents.length && targets.every((name, at) => name === agents[at]);
  const message = `expected hand-offs ${arrows(agents)}, the run made ${arrows(targets)}`;
  return { pass, message, expected: agents, actual: targets };
}

/** The answer contains this text, ignoring case, or matches the expression. */
export function answersWith(run: AgentRun, wanted: string | RegExp): RunCheck {
  const { answer } = run;
  if (answer === null) return { pass: false, message: "the telemetry lacks the answer" };
  const pass =
    typeof wanted === "string" ? answer.toLowerCase().includes(wanted.toLowerCase()) : wanted.test(answer);
  const message = `the answer ${pass ? "has" : "has not"} ${String(wanted)} in it: ${JSON.stringify(answer.slice(0, 300))}`;
  return { pass, message, expected: wanted, actual: answer };
}

/** The run cost less than this many US dollars. An unknown cost does not pass. */
export function costsLessThan(run: AgentRun, usd: number): RunCheck {
  const { costUsd } = run;
  if (costUsd === null) return { pass: false, message: unknownCost(run) };
  const message = `the run cost ${dollars(costUsd)}, ${dollars(usd)} is the limit`;
  return { pass: costUsd < usd, message, expected: usd, actual: costUsd };
}

function unknownCost(run: AgentRun): string {
  const { reason, remedy } = costGap(run);
  return `the cost of the run is unknown: ${reason}. ${remedy}`;
}

/** The run used fewer tokens than this. An unknown count does not pass. */
export function usesFewerTokensThan(run: AgentRun, tokens: number): RunCheck {
  const { totalTokens } = run;
  if (totalTokens === null)
    return { pass: false, message: `the tokens of the run are unknown. ${usageRemedy}` };
  const message = `the run took ${grouped(totalTokens)} tokens, ${grouped(tokens)} is the limit`;
  return { pass: totalTokens < tokens, message, expected: tokens, actual: totalTokens };
}

/** The run passes a query of a spec: no check fails or stays undecided. Warnings pass. */
export function matchesSpec(run: AgentRun, query: string, spec: string | CompiledSpec): RunCheck {
  const loaded = typeof spec === "string" ? loadSpec(spec) : spec;
  const verdict = evaluate(run, loaded, { query });
  if (verdict === null) return { pass: false, message: `no query of ${loaded.file} is about the run` };
  const pass = verdict.outcome === "pass" || verdict.outcome === "warn" || verdict.outcome === "skip";
  return {
    pass,
    message: `${query} of ${loaded.file}: ${verdict.outcome}\n${checksText(verdict)}`,
    actual: verdict.outcome,
  };
}

function checksText(verdict: Verdict): string {
  return checksOf(verdict)
    .map(({ outcome, check, message }) => `  ${outcome.padEnd(10)} ${check}: ${message}`)
    .join("\n");
}

/** Names of the used tools in order, or a text that says why they are unknown. */
function namesOf(run: AgentRun): readonly string[] | string {
  return new RunQuantities(run).knownNames ?? "the telemetry may lack tools of the run";
}

/**
 * Reads one spec file.
 * @throws TracejuryError with every problem of the file, its place and a fix
 */
export function loadSpec(file: string): CompiledSpec {
  const loaded = readSpec(file);
  if (loaded.ok) return loaded.spec;
  const told = loaded.problems.map((problem) => renderProblem(problem, loaded.texts.get(problem.file)));
  throw new TracejuryError(told.join("\n\n"));
}
