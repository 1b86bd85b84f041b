import type { ResultJson } from "../../json/verdict-schema.ts";

/**
 * Returns the number of runs in several results; runs of one dump count once. A result also counts runs that
 * it does not name, because no selected query matches them. Unnamed runs are assumed to be the same runs in
 * results that share other runs.
 */
export function countRuns(results: readonly ResultJson[]): number {
  const dumps: { ids: Set<string>; unnamed: number }[] = [];
  for (const result of results) {
    const ids = new Set([...runIdsOf(result), ...result.unmatched.map(({ run_id: id }) => id)]);
    const own = { ids, unnamed: Math.max(0, result.summary.runs - ids.size) };
    for (let at = dumps.length - 1; at >= 0; at--) {
      const other = dumps[at];
      if (other === undefined || [...other.ids].every((id) => !ids.has(id))) continue;
      dumps.splice(at, 1);
      for (const id of other.ids) own.ids.add(id);
      own.unnamed = Math.max(own.unnamed, other.unnamed);
    }
    dumps.push(own);
  }
  return dumps.reduce((sum, { ids, unnamed }) => sum + ids.size + unnamed, 0);
}

/** Returns the ids of runs that a query matches; for conversations, of their turns. */
export function runIdsOf({
  verdicts,
  ambiguous,
}: Pick<ResultJson, "verdicts" | "ambiguous">): readonly string[] {
  return [
    ...verdicts.flatMap(({ run_id: id, turn_run_ids: turns }) => turns ?? [id]),
    ...ambiguous.map(({ run_id: id }) => id),
  ];
}
