import type { AgentRun, ModelCall, ToolCall } from "../../model/run.ts";
import { sha256 } from "../../support/structures/sha256.ts";
import { createRandom } from "../../report/statistics/samples/random.ts";
import { foldName } from "../rules/fold-name.ts";
import { grouped, short } from "../rules/text.ts";
import type { Mutant, Mutation } from "./mutant.ts";
import { altered, invented, measuredOtherwise, misnamed, misstated } from "./mutate-answer.ts";
import type { JsonValue } from "../../model/json.ts";
import { falsified } from "./falsify.ts";

const makers: Readonly<Record<Mutation, (run: AgentRun) => readonly Mutant[]>> = {
  drop: dropped,
  repeat: repeated,
  swap: swapped,
  forge: forged,
  handoff: misrouted,
  tokens: inflated,
  answer: altered,
  number: misstated,
  unit: measuredOtherwise,
  name: misnamed,
  invention: invented,
};

/**
 * Returns mutants of a good run, at most `most` of each kind. The selection depends only on `seed` and run id, so that it is reproducible.
 * @param run run as a plain object
 */
export function mutantsOf(run: AgentRun, seed: number, most: number): readonly Mutant[] {
  return Object.entries(makers).flatMap(([mutation, make]) => {
    const all = make(run);
    if (all.length <= most) return all;
    const random = createRandom(Number.parseInt(sha256(`${seed} ${mutation} ${run.runId}`).slice(0, 8), 16));
    const left = all.map((_, at) => at);
    const chosen = Array.from({ length: most }, () => left.splice(random.below(left.length), 1)[0] ?? 0);
    return chosen.sort((a, b) => a - b).flatMap((at) => all[at] ?? []);
  });
}

/** Changes the target of each hand-off to another available agent, otherwise to an agent that does not exist. */
function misrouted(run: AgentRun): readonly Mutant[] {
  return run.handoffs.map((handoff, at) => {
    const other =
      run.handoffsAvailable?.find((name) => foldName(name) !== foldName(handoff.to)) ?? "another_agent";
    return {
      mutation: "handoff",
      what: `the run was handed over to ${short(other)} instead of ${short(handoff.to)}`,
      run: { ...run, handoffs: run.handoffs.with(at, { ...handoff, to: other }) },
    };
  });
}

const INFLATION = 5;

/** Returns the run with five times the tokens and cost. */
function inflated(run: AgentRun): readonly Mutant[] {
  const total = run.totalTokens;
  if (total === null || total === 0) return [];
  return [
    {
      mutation: "tokens",
      what: `the run took ${grouped(total * INFLATION)} tokens instead of ${grouped(total)}`,
      run: {
        ...run,
        totalTokens: total * INFLATION,
        costUsd: times(run.costUsd),
        usage: inflatedUsage(run.usage),
        llm: run.llm.map((call) => ({
          ...call,
          usage: inflatedUsage(call.usage),
          costUsd: times(call.costUsd),
        })),
      },
    },
  ];
}

function inflatedUsage(usage: ModelCall["usage"]): ModelCall["usage"] {
  const { input, output, cached, cacheWrite, reasoning } = usage;
  return {
    input: times(input),
    output: times(output),
    cached: times(cached),
    cacheWrite: times(cacheWrite),
    reasoning: times(reasoning),
  };
}

function times(value: number | null): number | null {
  return value === null ? null : value * INFLATION;
}

/** Returns for each executed tool call one mutant without the call. */
function dropped(run: AgentRun): readonly Mutant[] {
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
function repeated(run: AgentRun): readonly Mutant[] {
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
function swapped(run: AgentRun): readonly Mutant[] {
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
function forged(run: AgentRun): readonly Mutant[] {
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
