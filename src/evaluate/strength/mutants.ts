import type { AgentRun, ModelCall } from "../../model/run.ts";
import { sha256 } from "../../support/structures/sha256.ts";
import { createRandom } from "../../report/statistics/samples/random.ts";
import { foldName } from "../rules/fold-name.ts";
import { grouped, short } from "../rules/text.ts";
import type { Mutant, Mutation } from "./mutant.ts";
import { altered, invented, measuredOtherwise, misnamed, misstated } from "./mutate-answer.ts";
import { dropped, forged, repeated, swapped } from "./mutate-tools.ts";

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
