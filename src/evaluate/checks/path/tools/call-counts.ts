import { adjacentRepeatsAtMost, longestCycle } from "../../../metrics/loops.ts";
import { tallied } from "../../../rules/text.ts";
import type { CheckContext, Finding } from "../../check.ts";
import { counted, limitCheck, wholeNumber } from "../../limit-check.ts";
import { distinctNames, spansOf, toolsHidden } from "./tool-evidence.ts";

/** Returns an `incomplete` finding if the known count is within the limit (`holds`) and tool calls may be missing; otherwise undefined. */
function ifCallsHidden(context: CheckContext, holds: boolean): Finding | undefined {
  return holds && context.metrics.toolsMissing === "tools" ? toolsHidden(context) : undefined;
}

/** Check for AgentCI's `max_tool_calls`. */
export const maxToolCalls = limitCheck({
  key: "max_tool_calls",
  layer: "path",
  metric: "tool_calls",
  summary: "At most this many tool calls, repeats included.",
  details: "Hand-offs do not count, nor do calls that were requested but not executed.",
  limit: wholeNumber,
  bound: "at most",
  undoable: false,
  measured: () => ({
    shown: counted("tool call"),
    measure: ({ metrics }) => metrics.toolNames.length,
    open: ifCallsHidden,
    proof: (context, _, limit) => ({
      text: `: ${tallied(context.metrics.toolNames)}`,
      spanIds: spansOf(context, (at) => at >= limit),
    }),
  }),
});

export const maxToolErrors = limitCheck({
  key: "max_tool_errors",
  layer: "path",
  metric: "tool_errors",
  summary: "At most this many tool calls ended in an error.",
  details:
    "A failed call counts even if the same call succeeded later; the metric `retries` counts failed calls that were repeated, `unrecovered_errors` tools whose last call failed.",
  limit: wholeNumber,
  bound: "at most",
  undoable: false,
  measured: () => ({
    shown: counted("tool error"),
    measure: ({ metrics }) => metrics.toolErrors,
    open: ifCallsHidden,
    proof: (context) => {
      const { used } = context.metrics;
      const failed = used.filter((call) => call.error !== null).map((call) => call.name);
      const spanIds = spansOf(context, (at) => used[at]?.error !== null);
      return { text: `: ${tallied(failed)}`, spanIds, faults: distinctNames(failed) };
    },
  }),
});

/** Check for AgentCI's `max_loops`. The message also names longer cycles such as A, B, A, B, which do not count. */
export const maxLoops = limitCheck({
  key: "max_loops",
  layer: "path",
  metric: "loops",
  summary: "At most this many tool calls of the whole run call the same tool as the call directly before.",
  details:
    "search, search, grade, grade, grade has 3 loops. A, B, A, B has 0; the metric `cycle_repeats` counts the repeats of such a cycle, here 1. The limit can be 0.",
  limit: wholeNumber,
  bound: "at most",
  // Not `undoable: false`: a call that arrives later can be between two calls that look adjacent, and so undo a violation.
  measured: () => ({
    shown: counted("loop"),
    measure: ({ metrics }) => metrics.loops,
    open: (context, holds, limit) => {
      const { toolNames, toolsMissing } = context.metrics;
      if (!holds || toolsMissing === undefined) return undefined;
      const mayExceed = toolsMissing === "tools" || adjacentRepeatsAtMost(toolNames) > limit;
      return mayExceed ? toolsHidden(context) : undefined;
    },
    proof: (context) => {
      const { toolNames: names } = context.metrics;
      const isRepeat = (at: number): boolean => at > 0 && names[at] !== null && names[at] === names[at - 1];
      const repeated = names.filter((_, at) => isRepeat(at));
      return {
        text: `; called again directly: ${tallied(repeated)}${cycle(names)}`,
        spanIds: spansOf(context, isRepeat),
        faults: distinctNames(repeated),
      };
    },
  }),
});

function cycle(names: readonly (string | null)[]): string {
  const found = longestCycle(names);
  return found === undefined ? "" : `; also the cycle ${found.tools.join(" → ")} ×${found.turns}`;
}
