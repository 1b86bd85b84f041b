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

/** The run used all of these tools, in any order; it may use other tools. @throws AssertionError */
export function assertUsesTools(run: AgentRun, tools: readonly string[]): void {
  hold(checks.usesTools(run, tools), assertUsesTools);
}

/** The run used none of these tools. @throws AssertionError */
export function assertUsesNoneOf(run: AgentRun, tools: readonly string[]): void {
  hold(checks.usesNoneOf(run, tools), assertUsesNoneOf);
}

/** The run made exactly these tool calls, in this order. @throws AssertionError */
export function assertUsesExactlyTools(run: AgentRun, tools: readonly string[]): void {
  hold(checks.usesExactlyTools(run, tools), assertUsesExactlyTools);
}

/** The run handed over to these agents, in this order. @throws AssertionError */
export function assertHandsOffTo(run: AgentRun, agents: readonly string[]): void {
  hold(checks.handsOffTo(run, agents), assertHandsOffTo);
}

/** The answer contains this text, compared as by `expected_in_answer`, or matches the expression. @throws AssertionError */
export function assertAnswersWith(run: AgentRun, wanted: string | RegExp): void {
  hold(checks.answersWith(run, wanted), assertAnswersWith);
}

/** The run cost less than this many US dollars. @throws AssertionError */
export function assertCostsLessThan(run: AgentRun, usd: number): void {
  hold(checks.costsLessThan(run, usd), assertCostsLessThan);
}

/** The run took fewer tokens than this. @throws AssertionError */
export function assertUsesFewerTokensThan(run: AgentRun, tokens: number): void {
  hold(checks.usesFewerTokensThan(run, tokens), assertUsesFewerTokensThan);
}

/**
 * Passes if the run passes the given query of the spec. The spec is a file or a loaded spec. Checks with a judge are
 * undecided unless `judge: "off"` leaves them out.
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
