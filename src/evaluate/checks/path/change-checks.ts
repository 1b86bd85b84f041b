import type { AgentRun } from "../../../model/run.ts";
import { shareOfChanges } from "../../metrics/changes.ts";
import { incomplete } from "../../result/finding.ts";
import type { Check } from "../check.ts";
import { rootSpan } from "../correctness/answer.ts";
import { fraction, limitCheck, shared } from "../limit-check.ts";

type Part = "failed" | "reverted";

/** Returns a share of the run's changes, from the root span's attributes; null if a number is unknown. */
export function changesShare({ attributes }: AgentRun, part: Part): number | null {
  const [changed, total] = [part, "total"].map((name) => attributes.get(`tracejury.changes.${name}`));
  return shareOfChanges(numberOf(changed), numberOf(total));
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function changeCheck(key: string, metric: string, part: Part, summary: string): Check {
  return limitCheck({
    key,
    layer: "path",
    metric,
    summary,
    details: `The root span reports the numbers of changes: \`tracejury.changes.${part}\` divided by \`tracejury.changes.total\`. Without changes, the share is 0.`,
    limit: fraction,
    bound: "at most",
    measured: () => ({
      shown: shared(`share of ${part} changes`),
      measure: ({ run }) =>
        changesShare(run, part) ??
        incomplete(
          "changes",
          `the share of ${part} changes is unknown: the root span lacks valid values of tracejury.changes.total and tracejury.changes.${part}`,
          run,
        ),
      proof: rootSpan,
    }),
  });
}

export const changeChecks = [
  changeCheck(
    "max_cfp",
    "cfp",
    "failed",
    "Maximum share of the changes reported by the root span that failed.",
  ),
  changeCheck(
    "max_pr_revert_rate",
    "pr_revert_rate",
    "reverted",
    "Maximum share of the changes reported by the root span that were reverted.",
  ),
];
