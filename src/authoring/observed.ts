import { RunQuantities } from "../evaluate/quantities/run-quantities.ts";
import type { AgentRun } from "../model/run.ts";

/** What recorded runs of one question did, as far as limits are made from it. */
export interface Observed {
  readonly runs: number;
  readonly most: Readonly<Record<Budget, number | null>>;
  /** Tools that every run used, in the order of the first. */
  readonly toolsOfAll: readonly string[];
  /** Agents that every run handed over to. */
  readonly handoffsOfAll: readonly string[];
  readonly mostLoops: number | null;
}

/** The limits that are made from observed runs, by their keys in a spec. */
export const budgetKeys = [
  "max_tool_calls",
  "max_llm_calls",
  "max_total_tokens",
  "max_cost_usd",
  "max_latency_ms",
] as const;
export type Budget = (typeof budgetKeys)[number];

/** Runs that may serve as a measure: they came to a good end and nothing of them is missing; all of them where none did. */
function exemplary(runs: readonly AgentRun[]): readonly AgentRun[] {
  const good = runs.filter(({ complete, status }) => complete && status !== "error");
  return good.length > 0 ? good : runs;
}

export function observe(runs: readonly AgentRun[]): Observed {
  const measures = exemplary(runs).map((run) => ({ run, quantities: new RunQuantities(run) }));
  const most = (measure: (one: (typeof measures)[number]) => number | null): number | null => {
    const known = measures.flatMap((one) => measure(one) ?? []);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    runs: measures.length,
    most: {
      max_tool_calls: most(({ quantities }) =>
        quantities.toolsMissing === "tools" ? null : quantities.toolNames.length,
      ),
      max_llm_calls: most(({ run }) => run.llmCalls),
      max_total_tokens: most(({ run }) => run.totalTokens),
      max_cost_usd: most(({ run }) => run.costUsd),
      max_latency_ms: most(({ run }) => run.durationMs),
    },
    toolsOfAll: inAll(measures.map(({ quantities }) => quantities.knownNames)),
    handoffsOfAll: inAll(measures.map(({ run }) => run.handoffs.map(({ to }) => to))),
    mostLoops: most(({ quantities }) => (quantities.knownNames === null ? null : quantities.loops)),
  };
}

/** Names that are in every list, each once; none when a list is unknown. */
function inAll(lists: readonly (readonly string[] | null)[]): readonly string[] {
  const [first] = lists;
  if (first === undefined || first === null) return [];
  return [...new Set(first)].filter((name) => lists.every((list) => list?.includes(name) === true));
}

/** AgentCI's headroom: half as many calls again, twice the tokens and the money; time varies most, and gets as much. */
const headroom: Readonly<Record<Budget, number>> = {
  max_tool_calls: 1.5,
  max_llm_calls: 1.5,
  max_total_tokens: 2,
  max_cost_usd: 2,
  max_latency_ms: 2,
};

/** The limit that leaves room above what was seen, rounded up to a number that people write; null where nothing was seen. */
export function limitFor(budget: Budget, most: number | null): number | null {
  if (most === null) return null;
  const room = most * headroom[budget];
  if (budget === "max_tool_calls" || budget === "max_llm_calls") return Math.ceil(room);
  return roundedUp(room);
}

/** Up to two significant digits: 4,211 → 4,300; 0.00146 → 0.0015. */
function roundedUp(value: number): number {
  if (value <= 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  const rounded = Math.ceil(value / step - 1e-9) * step;
  return Number(rounded.toPrecision(2));
}
