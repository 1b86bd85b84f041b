import { z } from "zod";
import type { AgentRun } from "../../../model/run.ts";
import { plausibleCost } from "../../quantities/run-quantities.ts";
import { costGap } from "../../rules/cost-gap.ts";
import { count, dollars, grouped } from "../../rules/text.ts";
import { type Check, type CheckContext, defineCheck } from "../check.ts";
import { wholeNumber } from "../limit-check.ts";
import { type Measure, withinBudget } from "./budget.ts";

/** A total of the run, and how messages name the total. */
interface Budgeted extends Pick<Check, "key" | "metric" | "summary" | "details">, Measure {
  readonly limit: z.ZodType<number>;
  /** Returns the total; null if the total is unknown. */
  readonly total: (context: CheckContext) => number | null;
  /** Returns the known part of an unknown total. */
  readonly known: (context: CheckContext) => number;
}

/** Declares the check that a total of the run is at most the limit. */
function budgetCheck({ key, metric, summary, details, limit, total, known, ...measure }: Budgeted): Check {
  return defineCheck({
    key,
    layer: "cost",
    metric,
    summary,
    ...(details === undefined ? {} : { details }),
    limit,
    undoable: false,
    prepare(most) {
      const budget = withinBudget(most, measure);
      return (context) => budget(context, total(context), known);
    },
  });
}

/** Checks for AgentCI's `max_total_tokens`, `max_llm_calls`, `max_latency_ms` and `max_cost_usd`. */
export const budgetChecks: readonly Check[] = [
  budgetCheck({
    key: "max_total_tokens",
    metric: "total_tokens",
    summary: "At most this many input and output tokens.",
    details:
      "Each model call counts once. Input tokens include cached and cache-write tokens; output tokens include reasoning tokens. A call without usage makes the check `incomplete`, unless the known tokens exceed the limit.",
    limit: wholeNumber,
    field: "usage",
    absence: "token usage was not captured",
    total: ({ metrics }) => metrics.totalTokens,
    known: ({ metrics }) => metrics.knownTokens,
    reported: ({ run }) => run.totalTokens,
    shown: (value) => count(value, "token"),
    shownLimit: grouped,
  }),
  budgetCheck({
    key: "max_llm_calls",
    metric: "llm_calls",
    summary: "At most this many completed model calls.",
    limit: wholeNumber,
    field: "llm_calls",
    absence: "model calls may be missing",
    total: ({ run }) => run.llmCalls,
    known: ({ metrics }) => metrics.knownModelCalls,
    reported: ({ run }) => run.llmCalls,
    shown: (value) => count(value, "model call"),
    shownLimit: grouped,
  }),
  budgetCheck({
    key: "max_latency_ms",
    metric: "latency_ms",
    summary: "The run took at most this many milliseconds.",
    details: "The time from the first start of a span of the run to the last end of a span.",
    limit: z.number().min(0),
    field: "duration",
    absence: "times were not captured",
    total: ({ metrics }) => metrics.durationMs,
    known: () => 0,
    reported: ({ run }) => run.durationMs,
    shown: milliseconds,
  }),
  budgetCheck({
    key: "max_cost_usd",
    metric: "cost_usd",
    summary: "The run cost at most this many US dollars.",
    details:
      "The cost in the telemetry; if there is none, the tokens multiplied by the price table. A reported cost of 0 counts only for a call that reports 0 input and 0 output tokens. If model calls are missing, the cost is unknown: the known part can exceed the limit and violate the check, but cannot pass it. If the price table lacks the price of a service tier or of cache writes for an hour, the cost is unknown, too.",
    limit: z.number().min(0),
    field: "cost",
    absence: (run) => costGap(run).reason,
    total: (context) => (isEstimated(context) ? null : context.metrics.costUsd),
    known: (context) => (isEstimated(context) ? certainCost(context.run) : context.metrics.knownCostUsd),
    reported: (context) => (isEstimated(context) ? null : context.run.costUsd),
    shown: dollars,
  }),
];

/** Whether the default price was used for a call, because the price table lacks its price. The true cost can be higher or lower. */
export function isEstimated({ metrics }: CheckContext): boolean {
  return metrics.lacks("prices");
}

/** Returns the cost in US dollars of the calls whose price is not the default price for want of another. */
function certainCost({ llm }: AgentRun): number {
  return llm.reduce((sum, { costUsd, serviceTier, usage }) => {
    const mayBeEstimated = serviceTier != null || (usage.longCacheWrite ?? 0) > 0;
    return mayBeEstimated ? sum : sum + (plausibleCost(costUsd) ?? 0);
  }, 0);
}

export function milliseconds(value: number): string {
  return `${grouped(Math.round(value * 10) / 10)} ms`;
}
