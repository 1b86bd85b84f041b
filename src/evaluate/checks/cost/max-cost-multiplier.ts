import { z } from "zod";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { incomplete, skip } from "../../result/finding.ts";
import { withoutReference } from "../../rules/references.ts";
import { costGap } from "../../rules/cost-gap.ts";
import { dollars, share } from "../../rules/text.ts";
import { plausibleCost } from "../../quantities/run-quantities.ts";
import { withinBudget } from "./budget.ts";

/** Check for AgentCI's `max_cost_multiplier`. */
export const maxCostMultiplier = defineCheck({
  key: "max_cost_multiplier",
  layer: "cost",
  metric: "cost_multiplier",
  summary: "The run cost at most this multiple of the baseline's cost.",
  details:
    "Skipped without a baseline, or if the baseline cost nothing. An unknown cost makes the check `incomplete`, unless the known part exceeds the limit.",
  limit: z.number().positive(),
  undoable: false,
  prepare(limit) {
    const budget = withinBudget(limit, {
      field: "cost",
      absence: (run) => costGap(run).reason,
      reported: ({ run }) => run.costUsd,
      shown: times,
    });
    return (context) => {
      const { reference, run, metrics } = context;
      if ("missing" in reference) return withoutReference(context, null);
      const base = plausibleCost(reference.costUsd);
      if (base === null) {
        const message = `the cost of baseline ${reference.version} is unknown`;
        return { ...incomplete("reference_cost", message, run), remedy: remedyOf(reference.version) };
      }
      if (base === 0) return skip(`baseline ${reference.version} cost nothing`);
      const total = metrics.costUsd === null ? null : metrics.costUsd / base;
      return compared(
        context,
        budget(context, total, () => metrics.knownCostUsd / base),
        base,
      );
    };
  },
});

function remedyOf(version: string): string {
  return `Give the prices of the baseline's models under \`prices:\` in the config, and save baseline ${version} again.`;
}

function compared({ metrics: { costUsd } }: CheckContext, finding: Finding, base: number): Finding {
  if (costUsd === null) return finding;
  return {
    ...finding,
    message: `${finding.message}: the run cost ${dollars(costUsd)}, the baseline ${dollars(base)}`,
  };
}

function times(value: number): string {
  return `${share(value)}× the baseline's cost`;
}
