import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { queryOf } from "./query-of.ts";
import type { TrueRun } from "./recorded-truth.ts";

const options = { reference: { missing: "not-asked", version: null }, judge: "off" } as const;

/**
 * Tools that were called although a spec that forbids them passes, under the names in the telemetry. If as many runs were assembled as
 * truly happened, each call must be found in its own run.
 */
export function wronglyAllowed(truths: readonly TrueRun[], runs: readonly AgentRun[]): readonly string[] {
  if (runs.length === 0) return [];
  const ran = new Map<string, number>();
  for (const truth of truths) for (const name of toolsThatRan(truth)) ran.set(name, (ran.get(name) ?? 0) + 1);
  return [...ran]
    .filter(([name, times]) => {
      const caught = runs.filter((run) => !passesWithout(run, name)).length;
      return caught < (runs.length < truths.length ? 1 : times);
    })
    .map(([name]) => name);
}

function toolsThatRan({ tools }: TrueRun): Set<string> {
  const ran = tools.filter(
    ({ executed, result, error }) => executed !== false && (result ?? error) !== undefined,
  );
  return new Set(ran.map(({ name, name_in_data: shown }) => shown ?? name));
}

/** Whether the run passes a spec that forbids the tool. */
function passesWithout(run: AgentRun, tool: string): boolean {
  const query = queryOf({ path: { forbidden_tools: [tool] } });
  return evaluateQuery(run, query, options).layers.path.checks.some(
    ({ check, outcome }) => check === "forbidden_tools" && outcome === "pass",
  );
}
