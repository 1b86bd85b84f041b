import type { AgentRun, ModelCall } from "../../model/run.ts";

/** More than any run uses; a number above is a fault of what counted it. */
const MOST_TOKENS = 1e12;
const MOST_USD = 1e9;
/** A hundred years. */
const MOST_MS = 3.2e12;

/** A number of tokens; null for what cannot be one: negative, not finite or absurdly large. */
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

/** Input and output tokens of a call; null when one is unknown or cannot be. */
export function tokensOfCall({ usage }: ModelCall): number | null {
  const [input, output] = [plausibleTokens(usage.input), plausibleTokens(usage.output)];
  return input === null || output === null ? null : input + output;
}

/** Whether the run or one of its calls has a count of tokens that cannot be. */
export function hasOddTokens(run: AgentRun): boolean {
  return isOdd(run.usage) || run.llm.some(({ usage }) => isOdd(usage));
}

function isOdd({ input, output }: AgentRun["usage"]): boolean {
  return [input, output].some((tokens) => tokens !== null && plausibleTokens(tokens) === null);
}

/** Tokens of the run; null also when they contain a count that cannot be. */
export function tokensOfRun(run: AgentRun): number | null {
  return hasOddTokens(run) ? null : plausibleTokens(run.totalTokens);
}

/** Cost of the run in US dollars; null also when it contains a cost that cannot be. */
export function costOfRun(run: AgentRun): number | null {
  const hasOddCost = run.llm.some(({ costUsd }) => costUsd !== null && plausibleCost(costUsd) === null);
  return hasOddCost ? null : plausibleCost(run.costUsd);
}
