import type { AgentRun, ModelCall } from "../../model/run.ts";

/** Maximum plausible number of tokens of a run. A higher number is an error of the instrumentation. */
const MOST_TOKENS = 1e12;
const MOST_USD = 1e9;
/** Maximum plausible duration in milliseconds: a hundred years. */
const MOST_MS = 3.2e12;

/** Returns the number of tokens; null if it is implausible (negative, not finite or above the maximum). */
export function plausibleTokens(tokens: number | null): number | null {
  return within(tokens, MOST_TOKENS);
}

export function plausibleCost(costUsd: number | null): number | null {
  return within(costUsd, MOST_USD);
}

export function plausibleDuration(durationMs: number | null): number | null {
  return within(durationMs, MOST_MS);
}

function within(value: number | null, most: number): number | null {
  return value !== null && value >= 0 && value <= most ? value : null;
}

/** Returns the sum of a call's input and output tokens; null if a number is unknown or implausible. */
export function tokensOfCall({ usage }: ModelCall): number | null {
  const [input, output] = [plausibleTokens(usage.input), plausibleTokens(usage.output)];
  return input === null || output === null ? null : input + output;
}

/** Whether the run or one of its calls has an implausible number of tokens. */
export function hasOddTokens(run: AgentRun): boolean {
  return isOdd(run.usage) || run.llm.some(({ usage }) => isOdd(usage));
}

function isOdd({ input, output }: AgentRun["usage"]): boolean {
  return [input, output].some((tokens) => tokens !== null && plausibleTokens(tokens) === null);
}

/** Returns the number of tokens of the run; null if it is unknown, or contains an implausible number. */
export function plausibleTokensOfRun(run: AgentRun): number | null {
  return hasOddTokens(run) ? null : plausibleTokens(run.totalTokens);
}

/** Returns the cost of the run in US dollars; null if it is unknown, or contains an implausible cost. */
export function plausibleCostOfRun(run: AgentRun): number | null {
  const hasOddCost = run.llm.some(({ costUsd }) => costUsd !== null && plausibleCost(costUsd) === null);
  return hasOddCost ? null : plausibleCost(run.costUsd);
}
