import type { AgentRun } from "../../../model/run.ts";
import { isAtMost } from "../../../support/structures/compare-limit.ts";
import type { CheckContext, Finding } from "../check.ts";
import { incomplete, pass, violated } from "../../result/finding.ts";

/** Description of a budget. */
export interface Measure {
  /** Field of the run that is missing if the total is unknown. */
  readonly field: string;
  readonly shown: (value: number) => string;
  /** Reason why the total is unknown. */
  readonly absence: string | ((run: AgentRun) => string);
  /** Reported total, which may be an invalid count; null if there is none. */
  readonly reported: (context: CheckContext) => number | null;
  /** Format of the limit after "at most". Default: the format of the total. */
  readonly shownLimit?: (value: number) => string;
}

/** `total` is null if the total is unknown; `known` is then the part that is known. */
export type Budget = (
  context: CheckContext,
  total: number | null,
  known: (context: CheckContext) => number,
) => Finding;

/**
 * Compares a total with its limit; equality passes. If the total is unknown but the known part exceeds the
 * limit, the check is violated for good. Otherwise the check is undecided.
 */
export function withinBudget(
  limit: number,
  { field, absence, reported, shown, shownLimit = shown }: Measure,
): Budget {
  const allowed = `, at most ${shownLimit(limit)} allowed`;
  return (context, total, known) => {
    if (total !== null) {
      const message = shown(total) + allowed;
      return isAtMost(total, limit) ? pass(total, message) : violated(total, message, rootOf(context));
    }
    const part = known(context);
    if (!isAtMost(part, limit)) return violated(part, `at least ${shown(part)}${allowed}`, rootOf(context));
    const said = reported(context);
    if (said !== null)
      return incomplete(
        field,
        `unknown: what is reported (${said}) contains an impossible count${allowed}`,
        context.run,
      );
    const why = typeof absence === "string" ? absence : absence(context.run);
    const message =
      part > 0 ? `at least ${shown(part)}; the rest is unknown (${why})` : `unknown (${why})${allowed}`;
    return incomplete(field, message, context.run);
  };
}

function rootOf(context: CheckContext): readonly string[] {
  return [context.run.rootSpanId];
}
