import type { AgentRun } from "../../../model/run.ts";
import { isAtMost } from "../../../support/structures/compare-limit.ts";
import type { CheckContext, Finding } from "../check.ts";
import { incomplete, pass, violated } from "../../result/finding.ts";

/** What a budget limits, with words for messages. */
export interface Measure {
  /** Field that the result reports as missing if the total is unknown. */
  readonly field: string;
  readonly shown: (value: number) => string;
  /** Reason why the total is unknown. */
  readonly absence: string | ((run: AgentRun) => string);
  /** Returns the total as reported, even if the number is not plausible; null if no total was reported. */
  readonly reported: (context: CheckContext) => number | null;
  /** Formats the limit after "at most"; if absent, `shown` formats the limit. */
  readonly shownLimit?: (value: number) => string;
}

/**
 * Compares the total of a run with the limit.
 * @param total null if the total is unknown
 * @param known returns the part of an unknown total that is known
 */
export type Budget = (
  context: CheckContext,
  total: number | null,
  known: (context: CheckContext) => number,
) => Finding;

/**
 * Returns a budget for a limit; a total equal to the limit passes. If the total is unknown and the known
 * part exceeds the limit, the check is violated, and further spans cannot change the outcome. If the known
 * part is within the limit, an unknown total is undecided.
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
