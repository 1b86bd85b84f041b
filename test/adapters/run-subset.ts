import { runJson } from "../../src/report/json/run-json.ts";
import type { AgentRun } from "../../src/model/run.ts";

/** The part of a run that a fixture's expectation holds. */
export function subsetOf(run: AgentRun): Record<string, unknown> {
  const json = runJson(run) as Record<string, unknown>;
  const tools = json["tools"] as readonly Record<string, unknown>[];
  const handoffs = json["handoffs"] as readonly Record<string, unknown>[];
  const kept = Object.fromEntries(keptKeys.map((key) => [key, json[key]]));
  return {
    ...kept,
    tools: tools.map((tool) => only(tool, ["name", "arguments", "result", "error", "agent"])),
    handoffs: handoffs.map((handoff) => only(handoff, ["from", "to"])),
  };
}

const keptKeys = `agent final_agent query answer status llm_calls input_tokens output_tokens cached_tokens
models`.split(/\s/);

function only(object: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, object[key]]));
}
