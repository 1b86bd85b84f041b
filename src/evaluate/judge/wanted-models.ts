import type { BoundCheck, CompiledQuery } from "../query/compiled.ts";
import { needsQuality } from "../quantities/score.ts";
import type { JudgeSettings } from "./settings.ts";

/**
 * Returns the models that the judge checks and the score of a spec may call; undefined in the set is the default model. Empty if the spec
 * needs no judge.
 */
export function wantedModels(
  queries: readonly Pick<CompiledQuery, "checks" | "turns" | "scoring">[],
  settings: JudgeSettings,
  sampling: boolean,
): ReadonlySet<string | undefined> {
  const judged = queries
    .flatMap((query) => [query, ...query.turns].flatMap(({ checks }) => checks))
    .filter(({ check, limit }) => check.judged === true && limit !== false);
  const wanted = new Set<string | undefined>();
  const rated = queries.some(({ scoring }) => scoring !== undefined && needsQuality(scoring));
  if (judged.length === 0 && !rated) return wanted;
  const own = judged.flatMap(ownModels);
  if (rated || own.some((models) => models.length === 0)) {
    const models = settings.ensemble?.models ?? [];
    const ensemble = models.length > 0 && (sampling || settings.ensemble?.enabled === true);
    if (ensemble) for (const model of models) wanted.add(model);
    if (!ensemble || sampling) wanted.add(settings.model);
  }
  if (settings.cascade !== undefined) wanted.add(settings.cascade.first);
  for (const model of own.flat()) wanted.add(model);
  return wanted;
}

/** Returns for each rubric of a check the models that it names; empty for a rubric that the models of the spec judge. */
function ownModels({ limit }: BoundCheck): readonly (readonly string[])[] {
  const written: readonly unknown[] = Array.isArray(limit) ? limit : [limit];
  return written.map((it) => {
    const { model, models, judge } = fieldsOf(it);
    return [model, ...(Array.isArray(models) ? models : []), fieldsOf(judge).model].filter(
      (name): name is string => typeof name === "string",
    );
  });
}

function fieldsOf(limit: unknown): { model?: unknown; models?: unknown; judge?: unknown } {
  return typeof limit === "object" && limit !== null ? limit : {};
}
