import { isAtMost } from "../../../support/structures/compare-limit.ts";
import { z } from "zod";
import type { AgentRun } from "../../../model/run.ts";
import { type CheckContext, defineCheck, defineQualifier } from "../check.ts";
import { fraction } from "../limit-check.ts";
import { pass, skip, violated } from "../../result/finding.ts";
import { type Alignment, strategicDrift } from "../../metrics/strategic-drift.ts";
import { toolsOnCourse } from "../../rules/references.ts";
import { entryFor } from "../../rules/tool-names.ts";
import { share, tallied } from "../../rules/text.ts";
import { distinctNames, spansOf, toolsHidden } from "./tools/tool-evidence.ts";

/** Schema of `goal_alignment`: how much calls of a tool serve the goal, from 0 to 1. */
export const goalAlignment = z
  .number()
  .min(0)
  .max(1)
  .exactOptional()
  .describe("How much calls of the tool serve the goal, from 0 (not at all) to 1. Default: 1");

/**
 * Check for ProjectScylla's strategic drift ≤ limit. `expected_tools`, `expected_tool_sequence`, `accepted_tool_sequences`,
 * `expected_tool_calls` and `expected_steps` name the expected tools; `allowed_tools` names further tools.
 */
export const maxStrategicDrift = defineCheck({
  key: "max_strategic_drift",
  layer: "path",
  metric: "strategic_drift",
  summary: "The weighted share of calls to tools that the spec neither expects nor allows is at most this.",
  details:
    "1 − Σ(goal_alignment·weight) / Σ(weight) over the calls, and 0 without calls. `goal_alignment` of a tool comes from the root span (`tracejury.goal_alignment.TOOL`), otherwise from the spec; its default is 1 for expected and allowed tools, 0 for others. If the spec names no tools, the check is skipped; with one exception: tools were called, and the root span has the `goal_alignment` of every called tool.",
  limit: fraction,
  evaluate(context, limit) {
    const names = context.metrics.knownNames;
    const of = alignmentsOf(context);
    if (of === null) return skip("the spec names no expected or allowed tools");
    if (names === null) return toolsHidden(context);
    const value = strategicDrift(names, of);
    const measure = `strategic drift ${share(value, limit)}, at most ${share(limit, value)} allowed`;
    if (isAtMost(value, limit)) return pass(value, measure);
    const off = names.filter((name) => of(name).alignment < 1);
    const message = `${measure}: calls that do not fully serve the goal: ${tallied(off.map((name) => graded(name, of(name))))}`;
    const spanIds = spansOf(context, (at) => of(names[at] ?? "").alignment < 1);
    return violated(value, message, { spanIds, faults: distinctNames(off) });
  },
});

/** Modifies `max_strategic_drift`: calls of these tools do not count as drift, although the tools are not expected steps. */
export const allowedTools = defineQualifier({
  key: "allowed_tools",
  summary: "Further tools that `max_strategic_drift` allows.",
  limit: z.array(
    z.union([
      z.string().min(1),
      z.strictObject({
        tool: z.string().min(1),
        weight: z.number().positive().exactOptional(),
        goal_alignment: goalAlignment,
      }),
    ]),
  ),
  needs: ["max_strategic_drift"],
});

/**
 * Returns the strategic drift of the run, from 0 to 1. Null if neither the spec nor the run grades tools, or if tool calls or names are
 * missing.
 */
export function driftOf(context: CheckContext): number | null {
  const of = alignmentsOf(context);
  const names = context.metrics.knownNames;
  return of === null || names === null ? null : strategicDrift(names, of);
}

const offCourse: Alignment = { alignment: 0, weight: 1 };

/**
 * Returns a function that gives a tool's alignment with the goal: the grade of the run, otherwise the value in the spec. Returns null if
 * the spec names no tools and the run has no calls, or has a call of a tool without a grade.
 */
function alignmentsOf(context: CheckContext): ((name: string) => Alignment) | null {
  const { run, metrics } = context;
  const course = toolsOnCourse(context);
  const calls = metrics.knownNames ?? [];
  if (course === null && (calls.length === 0 || calls.some((name) => gradeOf(run, name) === null)))
    return null;
  return (name) => {
    const written = (course && entryFor(name, course, context.preset)) ?? offCourse;
    return { ...written, alignment: gradeOf(run, name) ?? written.alignment };
  };
}

/** Returns the `goal_alignment` of a tool from the root span; null if the attribute is absent or not a number from 0 to 1. */
function gradeOf({ attributes }: AgentRun, name: string): number | null {
  const value = attributes.get(`tracejury.goal_alignment.${name}`);
  return typeof value === "number" && value >= 0 && value <= 1 ? value : null;
}

function graded(name: string, { alignment }: Alignment): string {
  return alignment === 0 ? name : `${name} (goal alignment ${share(alignment)})`;
}
