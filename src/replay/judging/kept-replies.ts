import { join } from "node:path";
import type { Config } from "../../config/config.ts";

export interface KeepOptions {
  /** False with `--no-judge-cache`. */
  readonly judgeCache?: boolean;
  readonly runs: number | "auto";
}

/**
 * Returns the configuration for `test`: if the configuration has no setting for the cache, replies of judge models are cached in the data
 * folder. With `--runs`, they are not, because equal answers of repeated runs must be judged independently; a configured cache is still
 * used.
 */
export function withKeptReplies(config: Config, { judgeCache, runs }: KeepOptions): Config {
  const { judge, dataDir } = config;
  if (judgeCache === false) return { ...config, judge: { ...judge, cache: false } };
  if (judge.cache !== null || runs !== 1) return config;
  const cache = join(dataDir, "judge-cache.jsonl");
  return { ...config, judge: { ...judge, cache, isOwnCache: true } };
}
