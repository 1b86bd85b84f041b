import { z } from "zod";
import { defineCheck } from "../check.ts";

/**
 * Check for `todo: TEXT` of a query whose expectations are not written yet. The outcome is `incomplete`,
 * with TEXT as the remedy.
 */
export const todoCheck = defineCheck<string>({
  key: "todo",
  layer: "correctness",
  metric: "todo",
  summary: "The query has no `todo`.",
  limit: z.string(),
  undoable: true,
  evaluate: (_, remedy) => ({
    outcome: "incomplete",
    value: null,
    message: "the query has a `todo`: its expectations are not written yet",
    missing: ["reference"],
    remedy,
  }),
});
