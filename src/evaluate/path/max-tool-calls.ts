import { z } from "zod";
import { defineCheck } from "../check.ts";
import { pass, violated } from "../finding.ts";
import { count, tallied } from "../text.ts";
import { spansOf, toolsHidden } from "./tool-evidence.ts";

/** AgentCI `max_tool_calls`: number of tool calls, repeats counted, ≤ limit. Calls nobody ran and hand-offs do not count. */
export const maxToolCalls = defineCheck({
  key: "max_tool_calls",
  layer: "path",
  metric: "tool_calls",
  summary: "At most this many tool calls; repeats count.",
  limit: z.int().min(0),
  undoable: false,
  evaluate(context, limit) {
    const names = context.metrics.toolNames;
    const calls = names.length;
    if (calls > limit) {
      const message = `${count(calls, "tool call")}, at most ${limit} allowed: ${tallied(names)}`;
      return violated(
        calls,
        message,
        spansOf(context, (at) => at >= limit),
      );
    }
    if (context.metrics.toolsMissing === "tools") return toolsHidden(context);
    return pass(calls, `${count(calls, "tool call")}, at most ${limit} allowed`);
  },
});
