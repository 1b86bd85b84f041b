import { loadRubrics, ownRubricFolder } from "../../judge/files/rubric-files.ts";
import type { JudgeNames } from "../../spec/compile/judge-names.ts";
import type { Config } from "../config.ts";

/** Settings that define the names of rubrics and providers. Paths are relative to the working folder. */
export type JudgeSources = Pick<Config["judge"], "rubrics"> & {
  readonly providers: Pick<Config["judge"]["providers"], "keys">;
};

/** Returns the rubric templates and providers that specs can name: the built-in and the configured ones. */
export async function judgeNamesOf(sources: readonly JudgeSources[]): Promise<JudgeNames> {
  const folders = sources.flatMap(({ rubrics }) => rubrics);
  const { rubrics } = await loadRubrics([ownRubricFolder(), ...folders]);
  const providers = sources.flatMap((source) => [...source.providers.keys()]);
  return {
    templates: [...rubrics.keys()].toSorted(),
    providers: [...new Set(["anthropic", "openai", ...providers])],
  };
}
