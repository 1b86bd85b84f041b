import { z } from "zod";
import { defineCheck } from "../check.ts";
import { knownByNumber, pass, violated } from "../../result/finding.ts";
import { adjacentRepeatsAtMost, longestCycle } from "../../metrics/loops.ts";
import { count, tallied } from "../../rules/text.ts";
import { distinctNames, spansOf, toolsHidden } from "./tools/tool-evidence.ts";

/** Check for AgentCI's `max_loops`. The message also names longer cycles such as A, B, A, B, which do not count. */
export const maxLoops = defineCheck({
  key: "max_loops",
  layer: "path",
  metric: "loops",
  summary: "In the whole run, at most this many calls repeat the tool of the call before.",
  details:
    "search, search, grade, grade, grade has 3 loops. A, B, A, B has 0; the metric `cycle_repeats` counts the repeats of such a cycle, here 1. The limit can be 0.",
  limit: z.int().min(0),
  // More data may undo a violation, because a missing call can be between two calls that look adjacent.
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

function cycle(names: readonly (string | null)[]): string {
  const found = longestCycle(names);
  return found === undefined ? "" : `; also the cycle ${found.tools.join(" → ")} ×${found.turns}`;
}
