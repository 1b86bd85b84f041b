/**
 * Matchers for vitest. Importing `tracejury/vitest` adds the matchers to `expect`.
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
  /** Passes if the run used all of these tools, in any order. The run may use other tools, too. */
  toUseTools(tools: readonly string[]): Result;
  /**
   * Passes if the run used none of these tools. `.not.toUseTools(tools)` differs: it passes if at least one
   * of the tools was not used.
   */
  toUseNoneOf(tools: readonly string[]): Result;
  /** Passes if the run made exactly these tool calls, in this order. */
  toUseExactlyTools(tools: readonly string[]): Result;
  /** Passes if the run made hand-offs to exactly these agents, in this order. */
  toHandOffTo(agents: readonly string[]): Result;
  /** Passes if the answer contains the text, ignoring case, or matches the regular expression. */
  toAnswerWith(wanted: string | RegExp): Result;
  /** Passes if the run cost less than `usd` US dollars. */
  toCostLessThan(usd: number): Result;
  toUseFewerTokensThan(tokens: number): Result;
  /**
   * Passes if the run passes a query of a spec. The spec is a file name or a loaded spec. Checks that need a
   * judge are undecided, unless `judge: "off"` leaves them out.
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

/**
 * Returns the result of a matcher. An undecided check fails, with and without `.not`. With `.not`, the result
 * has no expected and actual values, because vitest would show a difference where there is none.
 */
function found(
  { isNot = false }: Negatable,
  { pass, isUndecided, message, ...values }: checks.RunCheck,
): Found {
  return { ...(isNot ? {} : values), pass: isUndecided ? isNot : pass, message: () => message };
}

/** Returns a vitest matcher that calls a check. */
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
