import { z } from "zod";
import { isAtLeast, isAtMost } from "../../../support/structures/compare-limit.ts";
import type { AgentRun } from "../../../model/run.ts";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { pass, skip, violated } from "../../result/finding.ts";
import { type Alignment, strategicDrift } from "../../metrics/strategic-drift.ts";
import { expectedSteps as stepsOf, toolsOnCourse } from "../../rules/references.ts";
import { listed, share, tallied } from "../../rules/text.ts";
import { allToolSpans, distinctNames, spansOf, toolsHidden } from "./tools/tool-evidence.ts";
import { foldName, nearMissHint } from "../../rules/fold-name.ts";
import { type Progress, progress } from "../../metrics/progress.ts";

/** Schema of `goal_alignment`: how much calls of a tool serve the goal, from 0 to 1. */
const goalAlignment = z
  .number()
  .min(0)
  .max(1)
  .exactOptional()
  .describe("How much calls of the tool serve the goal, from 0 (not at all) to 1. Default: 1");

const weight = z.number().positive().exactOptional();
const stepText = z.union([
  z.string().min(1),
  z.strictObject({ tool: z.string().min(1), weight, goal_alignment: goalAlignment }),
  z.strictObject({ agent: z.string().min(1), weight }),
]);

export const expectedSteps = defineCheck({
  key: "expected_steps",
  layer: "path",
  metric: "progress",
  summary: "The run took the listed steps. A step is a called tool or an agent that took part.",
  details:
    "Progress, the weight of the taken steps divided by the weight of all steps, must be 1, or at least `min_progress`. The default weight of a step is 1. The metric `progress_raw` also counts repeated steps. Only `max_strategic_drift` uses `goal_alignment` of a step.",
  limit: z.array(stepText),
  evaluate(context) {
    if (context.settings["min_progress"] === undefined) return compare(context, 1);
    return skip("min_progress decides", progressOf(context)?.share ?? null);
  },
});

/** Check for ProjectScylla's progress rate r_prog. */
export const minProgress = defineCheck({
  key: "min_progress",
  layer: "path",
  metric: "progress",
  summary: "The run took at least this share of `expected_steps`, by weight.",
  details: "Skipped without `expected_steps`.",
  limit: z.number().min(0).max(1),
  needs: ["expected_steps"],
  evaluate: compare,
});

const PROGRESS = Symbol("progress");

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
    "1 − Σ(goal_alignment·weight) / Σ(weight) over the calls, and 0 without calls. `goal_alignment` of a tool comes from the root span (`tracejury.goal_alignment.TOOL`), otherwise from the spec; its default is 1 for expected and allowed tools, 0 for others. Skipped if the spec names no tools, unless there are calls and the root span grades every called tool.",
  limit: z.number().min(0).max(1),
  evaluate(context, limit) {
    const names = context.metrics.knownNames;
    const of = alignmentsOf(context);
    if (of === null) return skip("the spec names no expected or allowed tools");
    if (names === null) return toolsHidden(context);
    const value = strategicDrift(names, of);
    const measure = `strategic drift ${share(value)}, at most ${share(limit)} allowed`;
    if (isAtMost(value, limit)) return pass(value, measure);
    const off = names.filter((name) => of(name).alignment < 1);
    const message = `${measure}: calls that do not fully serve the goal: ${tallied(off.map((name) => graded(name, of(name))))}`;
    const found = violated(
      value,
      message,
      spansOf(context, (at) => of(names[at] ?? "").alignment < 1),
    );
    return { ...found, faults: distinctNames(off) };
  },
});

/** Modifies `max_strategic_drift`: calls of these tools do not count as drift, although the tools are not expected steps. */
export const allowedTools = defineCheck({
  key: "allowed_tools",
  layer: "path",
  metric: "allowed_tools",
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
  qualifier: true,
  evaluate: () => pass(null, "lists tools for max_strategic_drift"),
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
 * Returns a function that gives a tool's alignment with the goal. Null if the spec names no tools, and the run does not grade every called
 * tool.
 */
function alignmentsOf(context: CheckContext): ((name: string) => Alignment) | null {
  const { run, metrics } = context;
  const course = toolsOnCourse(context);
  const calls = metrics.knownNames ?? [];
  if (course === null && (calls.length === 0 || calls.some((name) => gradeOf(run, name) === null)))
    return null;
  return (name) => {
    const written = course?.get(name) ?? offCourse;
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

function compare(context: CheckContext, limit: number): Finding {
  const made = progressOf(context);
  if (made === null) return skip("no expected_steps in the spec");
  const measure = `progress ${share(made.share)}, at least ${share(limit)} required`;
  if (isAtLeast(made.share, limit)) return pass(made.share, measure);
  if (context.metrics.toolsMissing !== undefined) return toolsHidden(context);
  const hint = nearMissHint(made.open, context.metrics.toolNames);
  const message = `${measure}: steps not taken: ${listed(made.open)}${hint}`;
  return { ...violated(made.share, message, allToolSpans(context)), faults: made.open };
}

/** Returns the run's progress over `expected_steps`; null if the spec has none. */
export function progressOf(context: CheckContext): Progress | null {
  return context.metrics.once(PROGRESS, () => measure(context));
}

function measure(context: CheckContext): Progress | null {
  const steps = stepsOf(context);
  if (steps === null) return null;
  const tools = context.metrics.toolNames.filter((name) => name !== null);
  // If each step is a called tool, the agents need not be computed.
  if (steps.every((step) => !step.agent && tools.includes(step.name))) return progress(steps, tools);
  const agents = agentsReached(context);
  // The prefix `agent ` distinguishes an agent from a tool of the same name, because tool names have no spaces.
  const expected = steps.map((step) => {
    const isAgent = step.agent || (!tools.includes(step.name) && agents.includes(foldName(step.name)));
    return isAgent ? { name: `agent ${foldName(step.name)}`, weight: step.weight } : step;
  });
  const made = progress(expected, [...tools, ...agents.map((name) => `agent ${name}`)]);
  return made === null ? null : { ...made, open: made.open.map((name) => written(name, steps)) };
}

function written(open: string, steps: readonly { readonly name: string }[]): string {
  if (!open.startsWith("agent ")) return open;
  return steps.find((step) => `agent ${foldName(step.name)}` === open)?.name ?? open;
}

/** Returns the folded names of agents that took part: first agent, hand-off targets, and agents that calls name. */
function agentsReached({ run }: CheckContext): readonly string[] {
  const reached: string[] = [];
  if (run.agent !== null) reached.push(foldName(run.agent));
  for (const { to } of run.handoffs) reached.push(foldName(to));
  const named = new Set<string>();
  for (const { agent } of run.llm) if (agent !== null) named.add(agent);
  for (const { agent } of run.tools) if (agent !== null) named.add(agent);
  for (const name of named) if (!reached.includes(foldName(name))) reached.push(foldName(name));
  return reached;
}
