import { z } from "zod";
import { defineCheck } from "../check.ts";
import { costGap } from "../../rules/cost-gap.ts";
import { count, dollars, grouped } from "../../rules/text.ts";
import { withinBudget } from "./budget.ts";

const wholeNumber = z.int().min(0);

/** Check for AgentCI's `max_total_tokens`. */
export const maxTotalTokens = defineCheck({
  key: "max_total_tokens",
  layer: "cost",
  metric: "total_tokens",
  summary: "At most this many input and output tokens.",
  details:
    "Each model call counts once. Input includes cached and cache-write tokens, output reasoning tokens. A call without usage makes the check `incomplete`, unless the known tokens exceed the limit.",
  limit: wholeNumber,
  undoable: false,
  prepare(limit) {
    const budget = withinBudget(limit, {
      field: "usage",
      absence: "token usage was not captured",
      reported: ({ run }) => run.totalTokens,
      shown: tokens,
      shownLimit: grouped,
    });
    return (context) => budget(context, context.metrics.totalTokens, ({ metrics }) => metrics.knownTokens);
  },
});

/** Check for AgentCI's `max_llm_calls`. */
export const maxLlmCalls = defineCheck({
  key: "max_llm_calls",
  layer: "cost",
  metric: "llm_calls",
  summary: "At most this many completed model calls.",
  limit: wholeNumber,
  undoable: false,
  prepare(limit) {
    const budget = withinBudget(limit, {
      field: "llm_calls",
      absence: "model calls may be missing",
      reported: ({ run }) => run.llmCalls,
      shown: modelCalls,
      shownLimit: grouped,
    });
    return (context) => budget(context, context.run.llmCalls, ({ metrics }) => metrics.knownModelCalls);
  },
});

/** Check for AgentCI's `max_latency_ms`. */
export const maxLatencyMs = defineCheck({
  key: "max_latency_ms",
  layer: "cost",
  metric: "latency_ms",
  summary: "The run took at most this many milliseconds.",
  details: "From the first start to the last end of a span.",
  limit: z.number().min(0),
  undoable: false,
  prepare(limit) {
    const budget = withinBudget(limit, {
      field: "duration",
      absence: "times were not captured",
      reported: ({ run }) => run.durationMs,
      shown: milliseconds,
    });
    return (context) => budget(context, context.metrics.durationMs, () => 0);
  },
});

/** Check for AgentCI's `max_cost_usd`. */
export const maxCostUsd = defineCheck({
  key: "max_cost_usd",
  layer: "cost",
  metric: "cost_usd",
  summary: "The run cost at most this many US dollars.",
  details:
    "From the telemetry, otherwise from the price table. A reported cost of 0 counts only for a call that reports 0 input and 0 output tokens. If model calls are missing, the cost is unknown, and its known part can only fail the check.",
  limit: z.number().min(0),
  undoable: false,
  prepare(limit) {
    const budget = withinBudget(limit, {
      field: "cost",
      absence: (run) => costGap(run).reason,
      reported: ({ run }) => run.costUsd,
      shown: dollars,
    });
    return (context) => budget(context, context.metrics.costUsd, ({ metrics }) => metrics.knownCostUsd);
  },
});

function tokens(value: number): string {
  return count(value, "token");
}

function modelCalls(value: number): string {
  return count(value, "model call");
}

function milliseconds(value: number): string {
  return `${grouped(Math.round(value * 10) / 10)} ms`;
}
