import { z } from "zod";
import { defineCheck } from "../check.ts";

/** Check for `todo: TEXT`, which marks a query without expectations: the outcome is `incomplete`, with TEXT as the remedy. */
export const todoCheck = defineCheck<string>({
  key: "todo",
  layer: "correctness",
  summary: "The query has no `todo`.",
  limit: z.string(),
  evaluate: (_, remedy) => ({
    outcome: "incomplete",
    value: null,
    message: "the query has a `todo`: its expectations are not written yet",
    missing: ["reference"],
    remedy,
  }),
});
