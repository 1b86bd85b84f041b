import { z } from "zod";
import { defineCheck } from "../../check.ts";
import { knownByNumber, pass, violated } from "../../../result/finding.ts";
import { count, tallied } from "../../../rules/text.ts";
import { distinctNames, spansOf, toolsHidden } from "./tool-evidence.ts";
import { adjacentRepeatsAtMost, longestCycle } from "../../../metrics/loops.ts";

/** Check for AgentCI's `max_loops`. The message also names longer cycles such as A, B, A, B, which do not count. */
export const maxLoops = defineCheck({
  key: "max_loops",
  layer: "path",
  metric: "loops",
  summary: "In the whole run, at most this many calls repeat the tool of the call before.",
  details:
    "search, search, grade, grade, grade has 3 loops. A, B, A, B has 0; the metric `cycle_repeats` counts such cycles. The limit can be 0.",
  limit: z.int().min(0),
  // Undoable: a missing call can lie between two calls that look adjacent.
  prepare(limit) {
    const measure = (loops: number): string => `${count(loops, "loop")}, at most ${limit} allowed`;
    const within = knownByNumber((loops) => pass(loops, measure(loops)));
    return (context) => {
      const { loops, toolNames: names, toolsMissing } = context.metrics;
      if (loops > limit) {
        const isRepeat = (at: number): boolean => at > 0 && names[at] !== null && names[at] === names[at - 1];
        const repeated = names.filter((_, at) => isRepeat(at));
        const message = `${measure(loops)}; called again directly: ${tallied(repeated)}${cycle(names)}`;
        return { ...violated(loops, message, spansOf(context, isRepeat)), faults: distinctNames(repeated) };
      }
      if (toolsMissing === "tools") return toolsHidden(context);
      if (toolsMissing !== undefined && adjacentRepeatsAtMost(names) > limit) return toolsHidden(context);
      return within(loops);
    };
  },
});

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

function cycle(names: readonly (string | null)[]): string {
  const found = longestCycle(names);
  return found === undefined ? "" : `; also the cycle ${found.tools.join(" → ")} ×${found.turns}`;
}
