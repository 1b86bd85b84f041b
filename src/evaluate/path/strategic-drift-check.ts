import { z } from "zod";
import { type CheckContext, defineCheck } from "../check.ts";
import { pass, skip, violated } from "../finding.ts";
import { strategicDrift } from "../metrics/strategic-drift.ts";
import { toolsOnCourse } from "../references.ts";
import { share, tallied } from "../text.ts";
import { spansOf, toolsHidden } from "./tool-evidence.ts";

/**
 * ProjectScylla strategic drift: 1 − weight of the calls of expected or allowed tools over all calls ≤ limit. Expected are the
 * tools of `expected_tools`, `expected_tool_sequence`, `expected_tool_calls` and `expected_steps`, allowed those of `allowed_tools`.
 */
export const maxStrategicDrift = defineCheck({
  key: "max_strategic_drift",
  layer: "path",
  metric: "strategic_drift",
  summary: "At most this share of the calls went to tools that are neither expected nor allowed.",
  details:
    "1 − weight of the calls of expected or allowed tools / weight of all calls; 0 without calls. (ProjectScylla)",
  limit: z.number().min(0).max(1),
  undoable: true,
  evaluate(context, limit) {
    const course = toolsOnCourse(context);
    if (course === null) return skip("no expected or allowed tools in the spec to drift from");
    const names = context.metrics.knownNames;
    if (names === null) return toolsHidden(context);
    const value = driftOn(course, names);
    const measure = `strategic drift ${share(value)}, at most ${share(limit)} allowed`;
    if (value <= limit) return pass(value, measure);
    const off = names.filter((name) => !course.has(name));
    return violated(
      value,
      `${measure}: off course: ${tallied(off)}`,
      spansOf(context, (at) => !course.has(names[at] ?? "")),
    );
  },
});

/** Qualifies `max_strategic_drift`: tools that are no step of their own but not off course either. */
export const allowedTools = defineCheck({
  key: "allowed_tools",
  layer: "path",
  metric: "allowed_tools",
  summary: "Tools that do not count as drift, beside the expected ones.",
  details: "(ProjectScylla)",
  limit: z.array(z.string().min(1)),
  undoable: true,
  needs: ["max_strategic_drift"],
  qualifier: true,
  evaluate: () => pass(null, "names tools that max_strategic_drift lets pass"),
});

/** The drift of the run; null when the spec names no tools to drift from, or calls are hidden. */
export function driftOf(context: CheckContext): number | null {
  const course = toolsOnCourse(context);
  const names = context.metrics.knownNames;
  return course === null || names === null ? null : driftOn(course, names);
}

function driftOn(course: ReadonlyMap<string, number>, names: readonly string[]): number {
  return strategicDrift(
    names,
    (name) => course.has(name),
    (name) => course.get(name) ?? 1,
  );
}
