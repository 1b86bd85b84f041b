import type { AgentRun } from "../../model/run.ts";
import { callsRemedy, costGap, usageRemedy } from "../rules/cost-gap.ts";
import { contentRemedy, isContent, isContentOff } from "../rules/content-capture.ts";

/**
 * Remedies by missing field of the run. Remedies depend only on the run's data, so that replayed and live verdicts are equal byte for byte.
 */
const general: ReadonlyMap<string, string> = new Map([
  ["usage", usageRemedy],
  ["llm_calls", callsRemedy],
  ["tool_names", "Set the tool's name on its span: gen_ai.tool.name, or tool.name for OpenInference."],
  [
    "handoffs",
    "Instrument the agent framework itself: hand-offs are not visible from the model client's spans alone.",
  ],
  [
    "handoffs_available",
    "Record the tool definitions given to the model (gen_ai.tool.definitions): hand-off targets are listed there.",
  ],
  [
    "reference",
    "Save a baseline for this query (`tracejury save`), or write the expected tools into the spec.",
  ],
  [
    "agents",
    "Have the instrumentation name the agent on model and tool spans: gen_ai.agent.name, there or on a span above.",
  ],
  [
    "instructions",
    "Have the instrumentation record the system instructions (gen_ai.system_instructions, or a system message), or write them as `reference:` next to the rubric.",
  ],
  [
    "handoff_tools",
    "Record the messages of the model calls, or the function's name on its span, or forbid the hand-off with `max_handoff_count`.",
  ],
  ["tool_server", "Forbid the tool under the name that is in the telemetry."],
  ["tool_execution", "Instrument the tools, so that each call that ran has a span."],
  ["tool_durations", "Instrument the tools, so that each call has its own span."],
  [
    "token_components",
    "Set tracejury.tokens.<component> (tool_schema, skill_prompt, …) on the run's root span, and let the model client report usage.",
  ],
  [
    "expected_turns",
    'Send the queries of the turns exactly as in the spec, in the same order. For a query whose text varies, write `query: "*"`.',
  ],
  ["changes", "Set tracejury.changes.total, .failed and .reverted on the run's root span."],
  [
    "run",
    "Have the process flush its exporter before it ends, keep all spans of a run in one pipeline, and raise `assemble.idle` if the agent pauses for long.",
  ],
]);

/** Returns one sentence about how to record a missing field of this run. */
export function remedyFor(field: string, run: AgentRun): string {
  const known = general.get(field);
  if (known !== undefined) return known;
  if (field === "cost") return costGap(run).remedy;
  if (field === "tools") return toolsRemedy(run);
  if (isContent(field)) return contentRemedy(field, run);
  return `Have the instrumentation record ${field.replaceAll("_", " ")}.`;
}

function toolsRemedy(run: AgentRun): string {
  const spans = "Instrument the tools (a span for each call)";
  return isContentOff("messages", run)
    ? `${spans}, or switch content capture on so that calls can be read from messages.`
    : `${spans}.`;
}
