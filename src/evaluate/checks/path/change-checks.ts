import { isAtMost } from "../../../support/structures/compare-limit.ts";
import { z } from "zod";
import type { AgentRun } from "../../../model/run.ts";
import { type Check, defineCheck } from "../check.ts";
import { incomplete, pass, violated } from "../../result/finding.ts";
import { shareOfChanges } from "../../metrics/changes.ts";
import { share } from "../../rules/text.ts";

type Part = "failed" | "reverted";

/**
 * Returns the share of a run's changes that failed or were reverted, from 0 to 1, read from attributes of the root span. Null if the
 * attributes are absent or invalid.
 */
export function changesShare({ attributes }: AgentRun, part: Part): number | null {
  const of = (name: string): number | null => {
    const value = attributes.get(`tracejury.changes.${name}`);
    return typeof value === "number" ? value : null;
  };
  return shareOfChanges(of(part), of("total"));
}

function changeCheck(key: string, metric: string, part: Part, summary: string): Check {
  return defineCheck({
    key,
    layer: "path",
    metric,
    summary,
    details: `From the root span's \`tracejury.changes.total\` and \`tracejury.changes.${part}\`. Without changes, the share is 0.`,
    limit: z.number().min(0).max(1),
    evaluate({ run }, limit) {
      const value = changesShare(run, part);
      if (value === null)
        return incomplete(
          "changes",
          `the share of ${part} changes is unknown: the root span lacks valid values of tracejury.changes.total and tracejury.changes.${part}`,
          run,
        );
      const message = `share of ${part} changes ${share(value, limit)}, at most ${share(limit, value)} allowed`;
      return isAtMost(value, limit) ? pass(value, message) : violated(value, message, [run.rootSpanId]);
    },
  });
}

/** Check for ProjectScylla's change-fail percentage: failed / all changes ≤ limit, from 0 to 1. Without changes, the share is 0. */
export const maxChangeFailRate = changeCheck(
  "max_cfp",
  "cfp",
  "failed",
  "At most this share of the run's changes failed.",
);

/** Check for ProjectScylla's revert rate: reverted / all changes ≤ limit, from 0 to 1. Without changes, the share is 0. */
export const maxRevertRate = changeCheck(
  "max_pr_revert_rate",
  "pr_revert_rate",
  "reverted",
  "At most this share of the run's changes was reverted.",
);
