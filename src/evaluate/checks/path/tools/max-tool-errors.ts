import { z } from "zod";
import { defineCheck } from "../../check.ts";
import { knownByNumber, pass, violated } from "../../../result/finding.ts";
import { count, tallied } from "../../../rules/text.ts";
import { distinctNames, spansOf, toolsHidden } from "./tool-evidence.ts";

export const maxToolErrors = defineCheck({
  key: "max_tool_errors",
  layer: "path",
  metric: "tool_errors",
  summary: "At most this many tool calls ended in an error.",
  details:
    "A failed call counts even if a repetition succeeded; the metrics `retries` and `unrecovered_errors` separate the two cases.",
  limit: z.int().min(0),
  undoable: false,
  prepare(limit) {
    const measure = (errors: number): string => `${count(errors, "tool error")}, at most ${limit} allowed`;
    const within = knownByNumber((errors) => pass(errors, measure(errors)));
    return (context) => {
      const { toolErrors: errors, used, toolsMissing } = context.metrics;
      if (errors > limit) {
        const failed = used.filter((call) => call.error !== null).map((call) => call.name);
        const spans = spansOf(context, (at) => used[at]?.error !== null);
        const found = violated(errors, `${measure(errors)}: ${tallied(failed)}`, spans);
        return { ...found, faults: distinctNames(failed) };
      }
      return toolsMissing === "tools" ? toolsHidden(context) : within(errors);
    };
  },
});
