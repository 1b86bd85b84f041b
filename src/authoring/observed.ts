import { largest } from "../support/structures/long-lists.ts";
import { RunQuantities } from "../evaluate/quantities/run-quantities.ts";
import type { AgentRun } from "../model/run.ts";

/** Values observed in the recorded runs of one query, from which limits are derived. */
export interface Observed {
  readonly runs: number;
  readonly most: Readonly<Record<Budget, number | null>>;
  /** Tools that every run called, in the order of the first run. */
  readonly toolsOfAll: readonly string[];
  /** Agents to which every run handed off. */
  readonly handoffsOfAll: readonly string[];
  readonly mostLoops: number | null;
}

export const budgetKeys = [
  "max_tool_calls",
  "max_llm_calls",
  "max_total_tokens",
  "max_cost_usd",
  "max_latency_ms",
] as const;
export type Budget = (typeof budgetKeys)[number];

/** Returns the runs that are complete and without an error. */
export function goodRuns(runs: readonly AgentRun[]): readonly AgentRun[] {
  return runs.filter(({ complete, status }) => complete && status !== "error");
}

/** Returns the good runs, from which limits are derived. If no run is good, returns all runs. */
function exemplary(runs: readonly AgentRun[]): readonly AgentRun[] {
  const good = goodRuns(runs);
  return good.length > 0 ? good : runs;
}

export function observe(runs: readonly AgentRun[]): Observed {
  const measures = exemplary(runs).map((run) => ({ run, quantities: new RunQuantities(run) }));
  const most = (measure: (one: (typeof measures)[number]) => number | null): number | null => {
    const known = measures.flatMap((one) => measure(one) ?? []);
    return known.length === 0 ? null : largest(known);
  };
  return {
    runs: measures.length,
    most: {
      max_tool_calls: most(({ quantities }) =>
        quantities.toolsMissing === "tools" ? null : quantities.toolNames.length,
      ),
      max_llm_calls: most(({ run }) => run.llmCalls),
      max_total_tokens: most(({ quantities }) => quantities.totalTokens),
      max_cost_usd: most(({ quantities }) => quantities.costUsd),
      max_latency_ms: most(({ quantities }) => quantities.durationMs),
    },
    toolsOfAll: inAll(measures.map(({ quantities }) => quantities.knownNames)),
    handoffsOfAll: inAll(measures.map(({ run }) => run.handoffs.map(({ to }) => to))),
    mostLoops: most(({ quantities }) => (quantities.knownNames === null ? null : quantities.loops)),
  };
}

/** Returns the names that every list contains, without duplicates. Empty if one of the lists is unknown. */
function inAll(lists: readonly (readonly string[] | null)[]): readonly string[] {
  const [first] = lists;
  if (first === undefined || first === null) return [];
  return [...new Set(first)].filter((name) => lists.every((list) => list?.includes(name) === true));
}

/**
 * Returns the margin of a limit above the observed maximum, as a share of the maximum. With n runs, the
 * margin is 1/(n + 1) for calls, the probability that the next run exceeds the maximum. Tokens, cost and time
 * vary more and get twice this margin. For one run, limits are therefore 1.5 or 2 times the
 * maximum, rounded up, as in AgentCI.
 */
function marginOf(budget: Budget, runs: number): number {
  const share = 1 / (runs + 1);
  return budget === "max_tool_calls" || budget === "max_llm_calls" ? share : 2 * share;
}

/**
 * Describes the margin in a sentence, which begins for example "Budgets: the largest of 3 runs plus 50 %, for
 * calls plus 25 %, …".
 */
export function marginText(runs: number): string {
  const percent = (budget: Budget): string => `${Math.round(marginOf(budget, runs) * 100)} %`;
  const seen = runs === 1 ? "the only run" : `the largest of ${runs} runs`;
  return `Budgets: ${seen} plus ${percent("max_total_tokens")}, for calls plus ${percent("max_llm_calls")}, for latency at least 200 ms more. Without this margin, each budget would fail up to one in ${runs + 1} further good runs, on average.`;
}

/** Minimum margin of a latency limit in milliseconds: the delay that a busy machine can cause. */
const LEAST_LATENCY_MARGIN_MS = 200;

/** Returns a limit above the observed maximum `most`, rounded up. Returns null if nothing was observed. */
export function limitFor(budget: Budget, most: number | null, runs: number): number | null {
  if (most === null) return null;
  const margin = most * marginOf(budget, runs);
  const room = most + (budget === "max_latency_ms" ? Math.max(margin, LEAST_LATENCY_MARGIN_MS) : margin);
  if (budget === "max_tool_calls" || budget === "max_llm_calls") return Math.max(0, Math.ceil(room - 1e-9));
  return roundedUp(room);
}

/** Rounds up to two significant digits: 4,211 becomes 4,300, and 0.00146 becomes 0.0015. */
function roundedUp(value: number): number {
  if (value <= 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  const rounded = Math.ceil(value / step - 1e-9) * step;
  return Number(rounded.toPrecision(2));
}
