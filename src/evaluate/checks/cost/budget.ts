import type { AgentRun } from "../../../model/run.ts";
import { isAtMost } from "../../../support/structures/compare-limit.ts";
import type { CheckContext, Finding } from "../check.ts";
import { incomplete, pass, violated } from "../../result/finding.ts";
import { rootSpan } from "../correctness/answer.ts";

/** The quantity that a budget limits, with words for messages. */
export interface Measure {
  /** Field that is reported as missing if the total is unknown. */
  readonly field: string;
  readonly shown: (value: number) => string;
  /** Reason why the total is unknown. */
  readonly absence: string | ((run: AgentRun) => string);
  /** Returns the reported total, even if it is not plausible; null if none was reported. */
  readonly reported: (context: CheckContext) => number | null;
  /** Formats the limit after "at most". Default: `shown`. */
  readonly shownLimit?: (value: number) => string;
}

/**
 * Compares the total of a run with the limit.
 * @param total null if the total is unknown
 * @param known returns the known part of an unknown total
 */
export type Budget = (
  context: CheckContext,
  total: number | null,
  known: (context: CheckContext) => number,
) => Finding;

/**
 * Returns a function that compares the total of a run with the limit. A total equal to the limit passes. If the total is unknown, a known
 * part above the limit is a violation; otherwise the check is `incomplete`.
 */
export function withinBudget(
  limit: number,
  { field, absence, reported, shown, shownLimit = shown }: Measure,
): Budget {
  const allowed = `, at most ${shownLimit(limit)} allowed`;
  return (context, total, known) => {
    if (total !== null) {
      if (isAtMost(total, limit)) return pass(total, shown(total) + allowed);
      const exact = shown(total) === shown(limit) ? ` (${total} > ${limit})` : "";
      return violated(total, shown(total) + exact + allowed, rootSpan(context));
    }
    const part = known(context);
    if (!isAtMost(part, limit)) return violated(part, `at least ${shown(part)}${allowed}`, rootSpan(context));
    const reportedTotal = reported(context);
    if (reportedTotal !== null) {
      const gap =
        context.run.missing.find(({ what }) => what === field)?.why ??
        "it contains a negative or too large count";
      return incomplete(
        field,
        `unknown: the reported value (${reportedTotal}) is not valid (${gap})${allowed}`,
        context.run,
      );
    }
    const why = typeof absence === "string" ? absence : absence(context.run);
    const message =
      part > 0 ? `at least ${shown(part)}; the rest is unknown (${why})` : `unknown (${why})${allowed}`;
    return incomplete(field, message, context.run);
  };
}
