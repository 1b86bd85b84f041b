/**
 * Assertions about runs that throw, for node:test, jest and any other runner.
 *
 * ```ts
 * import { assertUsesTools } from "tracejury/assert";
 * assertUsesTools(await receiver.nextRun(), ["search"]);
 * ```
 */
import { AssertionError } from "node:assert";
import type { AgentRun } from "./model/run.ts";
import * as checks from "./interfaces/library/run-checks.ts";
import type { CompiledSpec } from "./evaluate/query/compiled.ts";

/**
 * Asserts that the run used all of these tools, in any order. It may use other tools, too. @throws
 * AssertionError
 */
export function assertUsesTools(run: AgentRun, tools: readonly string[]): void {
  hold(checks.usesTools(run, tools), assertUsesTools);
}

/** Asserts that the run used none of these tools. @throws AssertionError */
export function assertUsesNoneOf(run: AgentRun, tools: readonly string[]): void {
  hold(checks.usesNoneOf(run, tools), assertUsesNoneOf);
}

/** Asserts that the run made exactly these tool calls, in this order. @throws AssertionError */
export function assertUsesExactlyTools(run: AgentRun, tools: readonly string[]): void {
  hold(checks.usesExactlyTools(run, tools), assertUsesExactlyTools);
}

/** Asserts that the run handed off to exactly these agents, in this order. @throws AssertionError */
export function assertHandsOffTo(run: AgentRun, agents: readonly string[]): void {
  hold(checks.handsOffTo(run, agents), assertHandsOffTo);
}

/**
 * Asserts that the answer contains the text, compared as by `expected_in_answer`, or matches the expression.
 * @throws AssertionError
 */
export function assertAnswersWith(run: AgentRun, wanted: string | RegExp): void {
  hold(checks.answersWith(run, wanted), assertAnswersWith);
}

/** Asserts that the run cost less than `usd` US dollars. @throws AssertionError */
export function assertCostsLessThan(run: AgentRun, usd: number): void {
  hold(checks.costsLessThan(run, usd), assertCostsLessThan);
}

/** Asserts that the run used fewer than `tokens` tokens. @throws AssertionError */
export function assertUsesFewerTokensThan(run: AgentRun, tokens: number): void {
  hold(checks.usesFewerTokensThan(run, tokens), assertUsesFewerTokensThan);
}

/**
 * Asserts that the run passes the given query of the spec. The spec is a file name or a loaded spec. Checks
 * that need a judge are undecided, unless `judge: "off"` leaves them out.
 * @throws AssertionError
 */
export function assertMatchesSpec(
  run: AgentRun,
  query: string,
  spec: string | CompiledSpec,
  options: checks.SpecCheckOptions = {},
): void {
  hold(checks.matchesSpec(run, query, spec, options), assertMatchesSpec);
}

function hold(
  { pass, message, expected, actual }: checks.RunCheck,
  stackStartFn: (...args: never[]) => void,
): void {
  if (!pass) throw new AssertionError({ message, expected, actual, stackStartFn });
}
