import { z } from "zod";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { skip } from "../../result/finding.ts";
import { withoutReference } from "../../rules/references.ts";
import { dollars, share } from "../../rules/text.ts";
import { withinBudget } from "./budget.ts";

/** AgentCI `max_cost_multiplier`: cost of the run over the baseline's ≤ limit; skipped without a baseline or when its cost is 0. */
export const maxCostMultiplier = defineCheck({
  key: "max_cost_multiplier",
  layer: "cost",
  metric: "cost_multiplier",
  summary: "The run cost at most this many times what the baseline cost.",
  details: "actual / baseline; skipped without a baseline, or when it cost nothing. (AgentCI)",
  limit: z.number().positive(),
  undoable: false,
  prepare(limit) {
    const budget = withinBudget(limit, {
      field: "cost",
      absence: "the price of a model call is not known",
      shown: times,
    });
    return (context) => {
      const { reference, run, metrics } = context;
      if ("missing" in reference) return withoutReference(context, null);
      const base = reference.costUsd;
      if (base === null) return skip(`baseline ${reference.version} has no cost`);
      if (base <= 0) return skip(`baseline ${reference.version} cost nothing`);
      const total = run.costUsd === null ? null : run.costUsd / base;
      return compared(
        context,
        budget(context, total, () => metrics.knownCostUsd / base),
        base,
      );
    };
  },
});

function compared({ run }: CheckContext, finding: Finding, base: number): Finding {
  if (run.costUsd === null) return finding;
  return { ...finding, message: `${finding.message}: ${dollars(run.costUsd)} against ${dollars(base)}` };
}

function times(value: number): string {
  return `${share(value)}× the baseline's cost`;
}
