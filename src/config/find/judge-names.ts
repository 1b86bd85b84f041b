import { loadRubrics, ownRubricFolder } from "../../judge/files/rubric-files.ts";
import type { JudgeNames } from "../../spec/compile/judge-names.ts";
import type { Config } from "../config.ts";

/** Settings that define names of judges for specs. Paths are relative to the working folder. */
export type JudgeSources = Pick<Config["judge"], "rubrics"> & {
  readonly providers: Pick<Config["judge"]["providers"], "keys">;
};

/**
 * Returns the rubric templates and model providers that specs may name: built-in ones, and those of the
 * configurations.
 */
export async function judgeNamesOf(sources: readonly JudgeSources[]): Promise<JudgeNames> {
  const folders = sources.flatMap(({ rubrics }) => rubrics);
  const { rubrics } = await loadRubrics([ownRubricFolder(), ...folders]);
  const providers = sources.flatMap((source) => [...source.providers.keys()]);
  return {
    templates: [...rubrics.keys()].toSorted(),
    providers: [...new Set(["anthropic", "openai", ...providers])],
  };
}
