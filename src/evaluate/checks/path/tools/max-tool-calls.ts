import { z } from "zod";
import { defineCheck } from "../../check.ts";
import { knownByNumber, pass, violated } from "../../../result/finding.ts";
import { count, tallied } from "../../../rules/text.ts";
import { spansOf, toolsHidden } from "./tool-evidence.ts";

/** Check for AgentCI's `max_tool_calls`. */
export const maxToolCalls = defineCheck({
  key: "max_tool_calls",
  layer: "path",
  metric: "tool_calls",
  summary: "At most this many tool calls, repeats included.",
  details: "Hand-offs do not count, nor do calls that were requested but not executed.",
  limit: z.int().min(0),
  undoable: false,
  prepare(limit) {
    const measure = (calls: number): string => `${count(calls, "tool call")}, at most ${limit} allowed`;
    const within = knownByNumber((calls) => pass(calls, measure(calls)));
    return (context) => {
      const names = context.metrics.toolNames;
      const calls = names.length;
      if (calls > limit) {
        const beyond = spansOf(context, (at) => at >= limit);
        return violated(calls, `${measure(calls)}: ${tallied(names)}`, beyond);
      }
      return context.metrics.toolsMissing === "tools" ? toolsHidden(context) : within(calls);
    };
  },
});
