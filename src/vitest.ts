/**
 * Matchers for vitest: importing this adds them to `expect`.
 *
 * ```ts
 * import "tracejury/vitest";
 * expect(await receiver.nextRun()).toUseTools(["search"]);
 * expect(run).toMatchSpec("weather", "specs/rag-agent.yaml");
 * ```
 */
import { expect } from "vitest";
import * as checks from "./interfaces/library/run-checks.ts";
import type { AgentRun } from "./model/run.ts";
import type { CompiledSpec } from "./evaluate/query/compiled.ts";

interface RunMatchers<Result> {
  /** The run used all of these tools, in any order; it may use other tools. */
  toUseTools(tools: readonly string[]): Result;
  /** The run used none of these tools. `.not.toUseTools(tools)` passes if at least one tool was not used. */
  toUseNoneOf(tools: readonly string[]): Result;
  /** The run made exactly these tool calls, in this order. */
  toUseExactlyTools(tools: readonly string[]): Result;
  /** The run handed over to these agents, in this order. */
  toHandOffTo(agents: readonly string[]): Result;
  /** The answer contains this text, compared as by `expected_in_answer`, or matches the expression. */
  toAnswerWith(wanted: string | RegExp): Result;
  /** In US dollars. */
  toCostLessThan(usd: number): Result;
  toUseFewerTokensThan(tokens: number): Result;
  /**
   * The run passes a query of the spec, which is a file or a loaded spec. Checks with a judge are undecided unless `judge: "off"` leaves them
   * out.
   */
  toMatchSpec(query: string, spec: string | CompiledSpec, options?: checks.SpecCheckOptions): Result;
}

declare module "vitest" {
  // oxlint-disable-next-line no-explicit-any -- the type parameter has to be as vitest declares it
  interface Matchers<T = any> extends RunMatchers<T> {}
}

type Found = {
  readonly pass: boolean;
  readonly message: () => string;
  readonly expected?: unknown;
  readonly actual?: unknown;
};

interface Negatable {
  readonly isNot?: boolean;
}

/** What is undecided passes neither as it is nor negated. The values of a negation that fails do not differ, so they are not shown. */
function found(
  { isNot = false }: Negatable,
  { pass, isUndecided, message, ...values }: checks.RunCheck,
): Found {
  return { ...(isNot ? {} : values), pass: isUndecided ? isNot : pass, message: () => message };
}

/** Makes a matcher of a check. */
function matcher<Given extends readonly unknown[]>(
  check: (run: AgentRun, ...given: Given) => checks.RunCheck,
) {
  return function (this: Negatable, run: AgentRun, ...given: Given): Found {
    return found(this, check(run, ...given));
  };
}

expect.extend({
  toUseTools: matcher(checks.usesTools),
  toUseNoneOf: matcher(checks.usesNoneOf),
  toUseExactlyTools: matcher(checks.usesExactlyTools),
  toHandOffTo: matcher(checks.handsOffTo),
  toAnswerWith: matcher(checks.answersWith),
  toCostLessThan: matcher(checks.costsLessThan),
  toUseFewerTokensThan: matcher(checks.usesFewerTokensThan),
  toMatchSpec: matcher(checks.matchesSpec),
});
