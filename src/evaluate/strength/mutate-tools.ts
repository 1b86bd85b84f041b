import type { JsonValue } from "../../model/json.ts";
import type { AgentRun, ToolCall } from "../../model/run.ts";
import { short } from "../rules/text.ts";
import { falsified } from "./falsify.ts";
import type { Mutant } from "./mutant.ts";

/** Returns for each executed tool call one mutant without the call. */
export function dropped(run: AgentRun): readonly Mutant[] {
  return used(run).map((at) => ({
    mutation: "drop",
    what: `${named(run, at)} was left out`,
    run: withTools(run, run.tools.toSpliced(at, 1)),
  }));
}

/**
 * Returns for each executed tool call one mutant that makes the call three times in a row, like an agent that does not notice a finished
 * step.
 */
export function repeated(run: AgentRun): readonly Mutant[] {
  return used(run).map((at) => {
    const again = run.tools.slice(at, at + 1).map((call) => ({ ...call, retried: false }));
    return {
      mutation: "repeat",
      what: `${named(run, at)} was made three times in a row`,
      run: withTools(run, run.tools.toSpliced(at, 0, ...again, ...again)),
    };
  });
}

/** Returns for each pair of adjacent calls of different tools one mutant with swapped calls. */
export function swapped(run: AgentRun): readonly Mutant[] {
  const positions = used(run);
  return positions.flatMap((at, order) => {
    const next = positions[order + 1];
    const first = run.tools[at];
    const second = next === undefined ? undefined : run.tools[next];
    if (next === undefined || first === undefined || second === undefined || first.name === second.name)
      return [];
    const what = `${named(run, at)} came after ${short(second.name ?? "the next")}`;
    const swappedTools = run.tools.with(at, second).with(next, first);
    return [{ mutation: "swap" as const, what, run: withTools(run, swappedTools) }];
  });
}

/** Returns for each captured result one mutant with other values in the result, so that the answer lacks evidence. */
export function forged(run: AgentRun): readonly Mutant[] {
  return used(run).flatMap((at) => {
    const call = run.tools[at];
    if (call?.result === undefined || call.error !== null) return [];
    const result: JsonValue = falsified(call.result);
    const what = `values in the result of ${named(run, at)} were replaced by false ones`;
    return [
      { mutation: "forge" as const, what, run: withTools(run, run.tools.with(at, { ...call, result })) },
    ];
  });
}

/** Returns the indices of the calls that were executed. */
function used(run: AgentRun): readonly number[] {
  return run.tools.flatMap((call, at) => (call.executed === false ? [] : [at]));
}

function named(run: AgentRun, at: number): string {
  return `${short(run.tools[at]?.name ?? "an unnamed tool")} (call ${at + 1} of ${run.tools.length})`;
}

function withTools(run: AgentRun, tools: readonly ToolCall[]): AgentRun {
  return { ...run, tools };
}
