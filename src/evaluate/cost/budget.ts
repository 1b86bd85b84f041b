import type { CheckContext, Finding } from "../check.ts";
import { incomplete, pass, violated } from "../finding.ts";

export interface Budget {
  /** The whole, when it is known. */
  readonly total: number | null;
  /** The part that is known for sure. */
  readonly known: number;
  /** The field that is missing when the whole is not known. */
  readonly field: string;
  readonly shown: (value: number) => string;
  /** How the limit is written behind "at most"; like the total when absent. */
  readonly shownLimit?: (value: number) => string;
}

/**
 * A total against its limit; equality passes. Of a total that is not fully known, the known part alone may exceed the limit, which
 * nothing can undo; otherwise it cannot be told.
 */
export function withinBudget(context: CheckContext, budget: Budget, limit: number): Finding {
  const { total, known, field, shown, shownLimit = shown } = budget;
  if (total !== null) {
    const message = `${shown(total)}, at most ${shownLimit(limit)} allowed`;
    return total <= limit ? pass(total, message) : violated(total, message, rootOf(context));
  }
  if (known > limit) {
    return violated(known, `at least ${shown(known)}, at most ${shownLimit(limit)} allowed`, rootOf(context));
  }
  const message =
    known > 0
      ? `at least ${shown(known)}; the rest is unknown`
      : `unknown, at most ${shownLimit(limit)} allowed`;
  return incomplete(field, message, context.run.dialects);
}

function rootOf(context: CheckContext): readonly string[] {
  return [context.run.rootSpanId];
}
