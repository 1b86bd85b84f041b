import { largest } from "../../support/structures/long-lists.ts";
import { RunQuantities } from "../../evaluate/quantities/run-quantities.ts";
import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { AgentRun, ToolCall } from "../../model/run.ts";

/**
 * Returns path checks that all runs meet: tools and their order, loops, tool errors and hand-offs.
 */
export function agreedPath(runs: readonly AgentRun[]): JsonObject {
  const quantities = runs.map((run) => new RunQuantities(run));
  return { ...agreedTools(runs, quantities), ...agreedHandoffs(runs, quantities) };
}

function agreedTools(runs: readonly AgentRun[], quantities: readonly RunQuantities[]): JsonObject {
  const names = quantities.flatMap(({ knownNames }) => (knownNames === null ? [] : [knownNames]));
  const [first] = names;
  if (first === undefined || names.length < runs.length) return {};
  const errors = { max_tool_errors: largest(quantities.map(({ toolErrors }) => toolErrors)) };
  if (names.every((list) => list.length === 0)) return { expected_tools: [] };
  if (names.every((list) => isSame(list, first))) {
    const isOpen = runs.length < RUNS_FOR_PARALLEL_ORDER && runs.some(({ tools }) => overlaps(tools));
    return {
      expected_tool_sequence: first,
      ...(isOpen ? { sequence_mode: "same-calls" } : {}),
      ...errors,
    };
  }
  if (names.every((list) => isSame([...list].sort(), [...first].sort())))
    return { expected_tool_sequence: first, sequence_mode: "same-calls", ...errors };
  const shared = [...new Set(first)].filter((name) => names.every((list) => list.includes(name)));
  return {
    ...(shared.length > 0 ? { expected_tools: shared } : {}),
    max_loops: largest(quantities.map(({ loops }) => loops)),
    ...errors,
  };
}

/** Number of runs with the same order of parallel calls from which the order becomes a check. */
const RUNS_FOR_PARALLEL_ORDER = 3;

/** Whether two adjacent calls of different tools overlap in time. */
export function overlaps(tools: readonly ToolCall[]): boolean {
  return tools.some((call, at) => {
    const next = tools[at + 1];
    if (next === undefined || call.name === next.name) return false;
    if (call.startUnixMs === null || next.startUnixMs === null || call.durationMs === null) return false;
    return next.startUnixMs < call.startUnixMs + call.durationMs;
  });
}

function agreedHandoffs(runs: readonly AgentRun[], quantities: readonly RunQuantities[]): JsonObject {
  if (quantities.some((one) => one.lacks("handoffs"))) return {};
  const targets = runs.map(({ handoffs }) => handoffs.map(({ to }) => to));
  const [first = []] = targets;
  if (targets.every((list) => isSame(list, first))) {
    if (first.length === 0) return runs.length > 1 ? { max_handoff_count: 0 } : {};
    return { expected_handoffs: first, max_handoff_count: first.length };
  }
  const shared = [...new Set(first)].filter((name) => targets.every((list) => list.includes(name)));
  return shared.length === 0 ? {} : { expected_handoffs: shared };
}

/** Returns the names of available tools that no run called, in the order of their definitions. */
export function toolsNeverUsed(runs: readonly AgentRun[]): readonly string[] {
  const used = new Set(runs.flatMap(({ tools }) => tools.map(({ name }) => name)));
  const offered = runs.flatMap(({ toolDefinitions }) => (toolDefinitions ?? []).flatMap(definedName));
  return [...new Set(offered)].filter((name) => !used.has(name));
}

/** Returns a list with the name in a tool definition. The list is empty if there is no name. */
export function definedName(definition: JsonValue): readonly string[] {
  if (!isObject(definition)) return [];
  const inner = definition["function"];
  const name = definition["name"] ?? (isObject(inner) ? inner["name"] : undefined);
  return typeof name === "string" && name !== "" ? [name] : [];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}
