import { assess } from "../../evaluate/assess/assess.ts";
import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import { withVariables } from "../../evaluate/rules/variables.ts";
import { tryRun } from "../../evaluate/strength/strength.ts";
import type { Suggestion } from "../../evaluate/strength/suggest.ts";
import { capturesOf } from "../../match/rules/variables.ts";
import { isObject } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import { editQuery, writtenIndex } from "../query-text/edit-query.ts";

export interface Strengthening {
  /** YAML text of the spec. */
  readonly text: string;
  /**
   * Compiles the text of a spec into its queries, in the order of the file. Returns null if the text is
   * invalid.
   */
  readonly compile: (text: string) => readonly CompiledQuery[] | null;
  /** Index of the query to strengthen. */
  readonly at: number;
  readonly runs: readonly AgentRun[];
  readonly seed: number;
  /** Maximum number of mutants of each kind for a run. */
  readonly most: number;
}

export interface Strengthened {
  readonly text: string;
  readonly added: readonly Suggestion[];
}

const reference = { missing: "not-asked", version: null } as const;

/**
 * Adds the checks that `strength` suggests for undetected faults, one at a time. A check is added only if
 * every good run passes it. Existing checks are not removed or loosened.
 */
export function strengthen({ text, compile, at, runs, seed, most }: Strengthening): Strengthened {
  const refused = new Set<string>();
  const added: Suggestion[] = [];
  let current = text;
  for (;;) {
    const queries = compile(current) ?? [];
    const query = queries[at];
    const place = query && writtenIndex(current, queries, query);
    if (query === undefined || place === null || place === undefined) return { text: current, added };
    const tried = runs.map((run) => ({
      run,
      trials: tryRun(run, filled(query, run), { seed, most, reference }),
    }));
    const good = tried.flatMap(({ run, trials }) => (trials === undefined ? [] : [run]));
    const next = tried
      .flatMap(({ trials = [] }) => trials.flatMap(({ suggestion }) => suggestion ?? []))
      .find((suggestion) => !refused.has(JSON.stringify(suggestion)) && mayWrite(query, suggestion));
    if (next === undefined) return { text: current, added };
    refused.add(JSON.stringify(next));
    const edited = editQuery(current, place, [{ path: [next.layer, next.check], value: next.limit }]);
    const changed = edited === null ? undefined : compile(edited)?.[at];
    if (edited === null || changed === undefined) continue;
    if (!good.every((run) => passesCheck(run, filled(changed, run), next))) continue;
    current = edited;
    added.push(next);
  }
}

/**
 * Whether a suggested check may be added, or its limit replaced. A check that is written as a block is not
 * changed.
 */
function mayWrite(query: CompiledQuery, { layer, check }: Suggestion): boolean {
  const written = query.settings[layer][check];
  return written === undefined || typeof written === "number" || !isObject(written as never);
}

function passesCheck(run: AgentRun, query: CompiledQuery, { layer, check }: Suggestion): boolean {
  const { checks } = assess(run, query, reference).layers[layer];
  const own = checks.filter((result) => result.check === check);
  return own.length > 0 && own.every(({ outcome }) => outcome === "pass");
}

function filled(query: CompiledQuery, run: AgentRun): CompiledQuery {
  return withVariables(query, capturesOf(query, run.query));
}
