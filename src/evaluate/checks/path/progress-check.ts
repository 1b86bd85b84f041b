import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { z } from "zod";
import type { AgentRun } from "../../../model/run.ts";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { fraction } from "../limit-check.ts";
import { incomplete, pass, skip, violated } from "../../result/finding.ts";
import { foldName, nearMissHint } from "../../rules/fold-name.ts";
import { progress, type Progress } from "../../metrics/progress.ts";
import { expectedSteps as stepsOf } from "../../rules/references.ts";
import { listed, share } from "../../rules/text.ts";
import { goalAlignment } from "./strategic-drift-check.ts";
import { allToolSpans, toolsHidden } from "./tools/tool-evidence.ts";

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
  summary:
    "The run took the listed steps. A step is a called tool or an agent that took part; with the key `tool` or `agent`, only this.",
  details:
    "Progress, the weight of the taken steps divided by the weight of all steps, must be 1. If the spec has `min_progress`, `min_progress` decides, and `expected_steps` is skipped. The default weight of a step is 1. Names of tools are compared exactly, names of agents as in `expected_handoff`. The metric `progress_raw` counts each repetition of a step again. `goal_alignment` of a step is only for `max_strategic_drift`. `incomplete` if a step `agent` is missing and spans name no agent.",
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
  limit: fraction,
  needs: ["expected_steps"],
  evaluate: compare,
});

function compare(context: CheckContext, limit: number): Finding {
  const made = progressOf(context);
  if (made === null) return skip("no expected_steps in the spec");
  const measure = `progress ${share(made.share, limit)}, at least ${share(limit, made.share)} required`;
  if (isAtLeast(made.share, limit)) return pass(made.share, measure);
  if (context.metrics.toolsMissing !== undefined) return toolsHidden(context);
  if (isAtLeast(made.most, limit)) {
    const message = `${measure}, but no span names an agent; not seen: ${listed(made.openAgents)}`;
    return incomplete("agents", message, context.run);
  }
  const hint = nearMissHint(made.open, context.metrics.toolNames);
  const message = `${measure}: steps not taken: ${listed(made.open)}${hint}`;
  return violated(made.share, message, { ...allToolSpans(context), faults: made.open });
}

const PROGRESS = Symbol("progress");

export interface KnownProgress extends Progress {
  /** Open steps `{ agent }` that the run may have taken, because the telemetry does not name all agents. */
  readonly openAgents: readonly string[];
  /** The share with the steps of `openAgents`. */
  readonly most: number;
}

/** Returns the run's progress over `expected_steps`; null if the spec has no `expected_steps`. */
export function progressOf(context: CheckContext): KnownProgress | null {
  return context.metrics.once(PROGRESS, () => measure(context));
}

function measure(context: CheckContext): KnownProgress | null {
  const steps = stepsOf(context);
  if (steps === null) return null;
  const tools = context.metrics.toolNames.filter((name) => name !== null);
  // If each step is a called tool, the agents need not be computed.
  if (steps.every((step) => step.kind !== "agent" && tools.includes(step.name)))
    return known(progress(steps, tools));
  const agents = agentsReached(context);
  // The prefix `agent ` distinguishes an agent from a tool of the same name, because tool names have no spaces.
  const expected = steps.map((step) => {
    const { name, kind } = step;
    const isAgent =
      kind === "agent" || (kind !== "tool" && !tools.includes(name) && agents.includes(foldName(name)));
    return isAgent ? { name: `agent ${foldName(name)}`, weight: step.weight } : step;
  });
  const made = progress(expected, [...tools, ...agents.map((name) => `agent ${name}`)]);
  if (made === null) return null;
  const open = { ...made, open: made.open.map((name) => written(name, steps)) };
  const isHidden = ({ name, kind }: (typeof steps)[number]): boolean =>
    kind === "agent" && made.open.includes(`agent ${foldName(name)}`);
  const hidden = lacksAgents(context.run) ? steps.filter(isHidden) : [];
  const total = steps.reduce((sum, step) => sum + step.weight, 0);
  const weight = hidden.reduce((sum, step) => sum + step.weight, 0);
  return {
    ...open,
    openAgents: hidden.map(({ name }) => name),
    most: hidden.length === 0 ? made.share : made.share + weight / total,
  };
}

function known(made: Progress | null): KnownProgress | null {
  return made === null ? null : { ...made, openAgents: [], most: made.share };
}

function written(open: string, steps: readonly { readonly name: string }[]): string {
  if (!open.startsWith("agent ")) return open;
  return steps.find((step) => `agent ${foldName(step.name)}` === open)?.name ?? open;
}

/** Whether agents may have taken part that the telemetry does not name. The name of the service is not the name of an agent. */
export function lacksAgents({ agent, isNamedByService }: AgentRun): boolean {
  return agent === null || isNamedByService === true;
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
