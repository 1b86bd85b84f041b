import { checksOf } from "../../model/outcome.ts";
import { RunQuantities } from "../../evaluate/quantities/run-quantities.ts";
import { forbiddenTest } from "../../evaluate/checks/path/tools/forbidden-tools.ts";
import { comparedText, shownText } from "../../evaluate/checks/correctness/compared-text.ts";
import { costGap, usageRemedy } from "../../evaluate/rules/cost-gap.ts";
import { withoutCutValues } from "../../evaluate/rules/cut-values.ts";
import { foldName, visibleName } from "../../evaluate/rules/fold-name.ts";
import { arrows, dollars, grouped, listed } from "../../evaluate/rules/text.ts";
import { occursWithWholeNumbers } from "../../evaluate/rules/whole-values.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { evaluate } from "./evaluate.ts";
import { readSpec } from "../../config/command-settings.ts";
import { renderProblem } from "../../spec/document/problems/frame.ts";
import { TracejuryError } from "./settings.ts";

/**
 * Result of an assertion. `message` explains why the assertion fails or, if it passes, why its negation
 * fails.
 */
export interface RunCheck {
  readonly pass: boolean;
  /**
   * Whether the assertion cannot be decided, for example because the telemetry lacks evidence, or because every run would pass. An
   * undecided assertion fails, and so does its negation.
   */
  readonly isUndecided: boolean;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

type Decided = Pick<RunCheck, "message" | "expected" | "actual">;

function decided(pass: boolean, found: Decided): RunCheck {
  return { pass, isUndecided: false, ...found };
}

function undecided(message: string): RunCheck {
  return { pass: false, isUndecided: true, message: `undecided: ${message}` };
}

const NO_END = "the run is not complete, and further spans may change the result";

/**
 * Checks that the run used all of these tools, in any order. The run may use other tools, too. An empty list
 * checks that the run used no tool.
 */
export function usesTools(run: AgentRun, tools: readonly string[]): RunCheck {
  if (tools.length === 0) return usesExactlyTools(run, tools);
  const { toolNames } = new RunQuantities(run);
  const used = toolNames.filter((name) => name !== null);
  const lacking = tools.filter((name) => !used.includes(visibleName(name)));
  const message =
    lacking.length === 0
      ? `the run used ${arrows(used)}`
      : `the run did not use ${listed(lacking)}; it used ${arrows(used)}`;
  const sure = namesOfRan(run);
  if (lacking.length === 0 && tools.some((name) => !sure.includes(visibleName(name))))
    return undecided(`${message}; ${NO_EXECUTION}`);
  const gap = lacking.length === 0 ? null : toolGap(run);
  if (gap !== null) return undecided(`${message}; ${gap}`);
  return decided(lacking.length === 0, { message, expected: tools, actual: used });
}

/**
 * Checks that the run used none of these tools. As in `forbidden_tools`, other spellings of a name match, too, and so do functions that
 * make hand-offs.
 */
export function usesNoneOf(run: AgentRun, tools: readonly string[]): RunCheck {
  if (tools.length === 0) return undecided("the list of tools is empty, so every run would pass");
  const quantities = new RunQuantities(run);
  const used = quantities.toolNames.filter((name) => name !== null);
  const handedOver = run.handoffs.flatMap(({ tool }) => tool ?? []);
  const wrapping = quantities.used.flatMap(({ through }) => through ?? []);
  const found = [...new Set([...used, ...handedOver, ...wrapping].filter(forbiddenTest(tools)))];
  const gap = found.length === 0 ? toolGap(run) : null;
  const what = found.length === 0 ? `used none of ${listed(tools)}` : `used ${listed(found)}`;
  const message = `the run ${what}; its calls: ${arrows(used)}`;
  if (gap !== null) return undecided(`${message}; ${gap}`);
  return decided(found.length === 0, { message, expected: [], actual: found });
}

/** Checks that the run made exactly these tool calls, in this order. */
export function usesExactlyTools(run: AgentRun, tools: readonly string[]): RunCheck {
  const { toolNames } = new RunQuantities(run);
  const used = toolNames.map((name) => name ?? "?");
  const wanted = tools.map(visibleName);
  const pass = used.length === wanted.length && used.every((name, at) => name === wanted[at]);
  const message = `expected ${arrows(tools)}, the run used ${arrows(used)}`;
  const sure = namesOfRan(run);
  if (sure.length < used.length && isBeginOf(sure, wanted) && isBeginOf(wanted, used))
    return undecided(`${message}; ${NO_EXECUTION}`);
  const gap = toolNames.includes(null) || isBeginOf(used, wanted) ? toolGap(run) : null;
  if (gap !== null) return undecided(`${message}; ${gap}`);
  return decided(pass, { message, expected: tools, actual: used });
}

const NO_EXECUTION = "the telemetry does not show whether every requested tool ran";

/** Returns the names of the tool calls that ran, without those of which the telemetry does not show whether they ran. */
function namesOfRan(run: AgentRun): readonly string[] {
  return new RunQuantities(run).used.flatMap(({ name, executed }) =>
    executed === null ? [] : (name ?? "?"),
  );
}

/** Returns why tool calls may be missing in the telemetry. Null if all tool calls are known. */
function toolGap(run: AgentRun): string | null {
  if (new RunQuantities(run).knownNames === null) return "the telemetry may lack tool calls of the run";
  return run.complete ? null : NO_END;
}

/** Whether `seen` could become `wanted` if further spans of the run arrived. */
function isBeginOf(seen: readonly string[], wanted: readonly string[]): boolean {
  let at = 0;
  for (const one of wanted) if (one === seen[at]) at++;
  return at === seen.length;
}

/**
 * Checks that the run made hand-offs to exactly these agents, in this order. Case and separators in names are
 * ignored.
 */
export function handsOffTo(run: AgentRun, agents: readonly string[]): RunCheck {
  const targets = run.handoffs.map(({ to }) => to);
  const seen = targets.map(foldName);
  const wanted = agents.map(foldName);
  const pass = seen.length === wanted.length && seen.every((name, at) => name === wanted[at]);
  const message = `expected hand-offs ${arrows(agents)}, the run made ${arrows(targets)}`;
  const isHidden = new RunQuantities(run).lacks("handoffs");
  const gap = isHidden ? "the telemetry may lack hand-offs of the run" : run.complete ? null : NO_END;
  if (gap !== null && isBeginOf(seen, wanted)) return undecided(`${message}; ${gap}`);
  return decided(pass, { message, expected: agents, actual: targets });
}

/**
 * Checks that the answer contains a text, or matches a regular expression. For a text, case and invisible characters are ignored. If the
 * text begins or ends with a number, the answer must contain this number, and not only a longer number around it.
 */
export function answersWith(given: AgentRun, wanted: string | RegExp): RunCheck {
  const run = withoutCutValues(given);
  const answer = run.answer ?? run.answerBegin ?? null;
  if (answer === null) return undecided("the telemetry lacks the answer");
  const { occurs, almost } = typeof wanted === "string" ? textIn(answer, wanted) : matchIn(answer, wanted);
  const contains = occurs ? "contains" : "does not contain";
  const message = `the answer ${contains} ${String(wanted)}: ${JSON.stringify(answer.slice(0, 300))}`;
  if (isBlank(wanted)) return undecided("every answer contains an empty text");
  if (almost !== null) return undecided(`${message}; the answer contains the text ${almost}`);
  if (!isWhole(run, wanted))
    return undecided(`${message}; the telemetry contains only the beginning of the answer`);
  if (!run.complete) return undecided(`${message}; ${NO_END}`);
  return decided(occurs, { message, expected: wanted, actual: answer });
}

/**
 * Whether the answer is complete, or the missing rest cannot change the result. The missing rest can continue a number at the end, and can
 * change what a regular expression matches.
 */
function isWhole({ answer, answerBegin = "" }: AgentRun, wanted: string | RegExp): boolean {
  return answer !== null || (typeof wanted === "string" && textIn(`${answerBegin}0`, wanted).occurs);
}

interface Occurrence {
  readonly occurs: boolean;
  /** Describes an occurrence that may not be meant, such as "only inside another number". Null if there is no such occurrence. */
  readonly almost: string | null;
}

function textIn(answer: string, wanted: string): Occurrence {
  const [text, term] = [shownText(answer), comparedText(wanted)];
  if (term.visible === "") return { occurs: false, almost: null };
  const occurs = [text, text.unmarked].some(
    (form) => form !== undefined && occursWithWholeNumbers(form.visible, term.visible, form.numbers),
  );
  if (occurs) return { occurs, almost: null };
  if (text.visible.includes(term.visible)) return { occurs, almost: "only inside another number" };
  return {
    occurs,
    almost: text.folded.includes(term.folded) ? "in another Unicode form, such as full-width letters" : null,
  };
}

/** Uses a copy of the expression, because a global expression would begin its search after its last match. */
function matchIn(answer: string, { source, flags }: RegExp): Occurrence {
  return { occurs: new RegExp(source, flags).test(answer), almost: null };
}

function isBlank(wanted: string | RegExp): boolean {
  return typeof wanted === "string" && comparedText(wanted).visible.trim() === "";
}

/**
 * Checks that the run cost less than `usd` US dollars. The result is undecided if the known cost is below the limit, but the run is not
 * complete or a part of its cost is unknown.
 */
export function costsLessThan(run: AgentRun, usd: number): RunCheck {
  const { costUsd, knownCostUsd } = new RunQuantities(run);
  if (!isLimit(usd)) return undecided(`${usd} is not an amount above 0`);
  const known = costUsd ?? knownCostUsd;
  const message = `the run cost ${dollars(known)}; the limit is ${dollars(usd)}`;
  // Decided even if a part of the cost is unknown: the known part already reaches the limit.
  if (known >= usd) return decided(false, { message, expected: usd, actual: known });
  if (costUsd === null) return undecided(unknownCost(run));
  return run.complete ? decided(true, { message, expected: usd, actual: costUsd }) : undecided(NO_END);
}

function isLimit(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

function unknownCost(run: AgentRun): string {
  const { reason, remedy } = costGap(run);
  return `the cost of the run is unknown: ${reason}. ${remedy}`;
}

/**
 * Checks that the run used fewer than `tokens` tokens. The result is undecided if the known number is below the limit, but the run is not
 * complete or a part of its tokens is unknown.
 */
export function usesFewerTokensThan(run: AgentRun, tokens: number): RunCheck {
  const { totalTokens, knownTokens } = new RunQuantities(run);
  if (!isLimit(tokens)) return undecided(`${tokens} is not a number of tokens above 0`);
  const known = totalTokens ?? knownTokens;
  const message = `the run used ${grouped(known)} tokens; it must use fewer than ${grouped(tokens)}`;
  if (known >= tokens) return decided(false, { message, expected: tokens, actual: known });
  if (totalTokens === null) return undecided(`the tokens of the run are unknown. ${usageRemedy}`);
  return run.complete ? decided(true, { message, expected: tokens, actual: totalTokens }) : undecided(NO_END);
}

export interface SpecCheckOptions {
  /** `off` skips checks that need a judge. By default, these checks are undecided, because no judge is called. */
  readonly judge?: "off";
}

/** Checks that the run passes a query of a spec: no check fails, and no check is undecided. Checks may warn. */
export function matchesSpec(
  run: AgentRun,
  query: string,
  spec: string | CompiledSpec,
  { judge }: SpecCheckOptions = {},
): RunCheck {
  const loaded = typeof spec === "string" ? loadSpec(spec) : spec;
  const verdict = evaluate(run, loaded, { query, judge: judge ?? "incomplete" });
  if (verdict === null) return undecided(`no query of ${loaded.file} matches the run`);
  const isOfTurns = loaded.queries.some(({ id, scope }) => id === query && scope === "conversation");
  if (isOfTurns && run.turns === undefined)
    return undecided(`${query} of ${loaded.file} is about conversations, but this is a single run`);
  const { outcome } = verdict;
  const isNotRun = checksOf(verdict).some((one) => one.check.startsWith("checks.") && one.outcome === "skip");
  if (isNotRun)
    return undecided(
      `${query} of ${loaded.file} has project checks, which this assertion does not run: use tracejury test`,
    );
  const message = `${query} of ${loaded.file}: ${outcome}\n${checksText(verdict)}`;
  if (outcome === "skip" || outcome === "incomplete" || outcome === "error") return undecided(message);
  return decided(outcome !== "fail", { message, actual: outcome });
}

function checksText(verdict: Verdict): string {
  return checksOf(verdict)
    .map(({ outcome, check, message }) => `  ${outcome.padEnd(10)} ${check}: ${message}`)
    .join("\n");
}

/**
 * Reads one spec file.
 * @throws TracejuryError with every problem of the file, its position and its fix
 */
export function loadSpec(file: string): CompiledSpec {
  const loaded = readSpec(file);
  if (loaded.ok) return loaded.spec;
  const messages = loaded.problems.map((problem) => renderProblem(problem, loaded.texts.get(problem.file)));
  throw new TracejuryError(messages.join("\n\n"));
}
