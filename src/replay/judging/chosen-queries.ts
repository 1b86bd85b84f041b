import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { type Selection, selectQueries, type SpecQuery, unknownQueries } from "../../match/selection.ts";
import { UserError } from "../../support/process/io.ts";

const MOST_SHOWN = 10;

/**
 * Returns the queries that `--query` and `--tags` select.
 * @throws UserError if a value of `--query` selects no query; a typo would otherwise reduce the test silently
 */
export function chosenQueries(specs: readonly CompiledSpec[], selection: Selection): SpecQuery[] {
  const [unknown] = unknownQueries(specs, selection.queries);
  if (unknown === undefined) return selectQueries(specs, selection);
  const ids = specs.flatMap(({ queries }) => queries.map(({ id }) => id));
  const shown = `${ids.slice(0, MOST_SHOWN).join(", ")}${ids.length > MOST_SHOWN ? ", …" : ""}`;
  throw new UserError(
    `--query: no query has the id or text ${JSON.stringify(unknown)}`,
    `available: ${shown}`,
  );
}
