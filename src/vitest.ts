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
  /** The run used all of these tools, in any order, others beside them. */
  toUseTools(tools: readonly string[]): Result;
  /** The run made exactly these tool calls, in this order. */
  toUseExactlyTools(tools: readonly string[]): Result;
  /** The run handed over to these agents, in this order. */
  toHandOffTo(agents: readonly string[]): Result;
  /** The answer has this text in it, whatever the case, or matches the expression. */
  toAnswerWith(wanted: string | RegExp): Result;
  /** In US dollars. */
  toCostLessThan(usd: number): Result;
  toUseFewerTokensThan(tokens: number): Result;
  /** The run is well by a query of a spec, a file or a loaded one. */
  toMatchSpec(query: string, spec: string | CompiledSpec): Result;
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

function found({ message, ...rest }: checks.RunCheck): Found {
  return { ...rest, message: () => message };
}

expect.extend({
  toUseTools: (run: AgentRun, tools: readonly string[]) => found(checks.usesTools(run, tools)),
  toUseExactlyTools: (run: AgentRun, tools: readonly string[]) => found(checks.usesExactlyTools(run, tools)),
  toHandOffTo: (run: AgentRun, agents: readonly string[]) => found(checks.handsOffTo(run, agents)),
  toAnswerWith: (run: AgentRun, wanted: string | RegExp) => found(checks.answersWith(run, wanted)),
  toCostLessThan: (run: AgentRun, usd: number) => found(checks.costsLessThan(run, usd)),
  toUseFewerTokensThan: (run: AgentRun, tokens: number) => found(checks.usesFewerTokensThan(run, tokens)),
  toMatchSpec: (run: AgentRun, query: string, spec: string | CompiledSpec) =>
    found(checks.matchesSpec(run, query, spec)),
});
