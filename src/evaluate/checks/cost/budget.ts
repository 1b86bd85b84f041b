import type { AgentRun } from "../../../model/run.ts";
import { isAtMost } from "../../../support/structures/compare-limit.ts";
import type { CheckContext, Finding } from "../check.ts";
import { incomplete, pass, violated } from "../../result/finding.ts";

/** Description of a budget. */
export interface Measure {
  /** The field that is missing when the whole is not known. */
  readonly field: string;
  readonly shown: (value: number) => string;
  /** Why the whole is not known, where the run lacks it. */
  readonly absence: string | ((run: AgentRun) => string);
  /** The whole as it was reported, which can be no such count; null when there is none. */
  readonly reported: (context: CheckContext) => number | null;
  /** Format of the limit after "at most". Default: that of the total. */
  readonly shownLimit?: (value: number) => string;
}

/** `total` is the whole, null when it is not known; `known` is then the part that is known for sure. */
export type Budget = (
  context: CheckContext,
  total: number | null,
  known: (context: CheckContext) => number,
) => Finding;

/**
 * A total against its limit; equality passes. Of a total that is not fully known, the known part alone may exceed the limit, which
 * nothing can undo; otherwise it cannot be determined.
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
