import type { ResultJson } from "../../json/verdict-schema.ts";

/**
 * Returns the number of different runs in several results. Runs with equal ids count once. A result may count
 * runs whose ids it does not list. If two results share a listed run, their unlisted runs are assumed to be
 * the same.
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

/** Returns the ids of all runs in a result. For a conversation, returns the ids of the runs of its turns. */
export function runIdsOf({
  verdicts,
  ambiguous,
}: Pick<ResultJson, "verdicts" | "ambiguous">): readonly string[] {
  return [
    ...verdicts.flatMap(({ run_id: id, turn_run_ids: turns }) => turns ?? [id]),
    ...ambiguous.map(({ run_id: id }) => id),
  ];
}
