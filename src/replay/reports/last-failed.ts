import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { documentBounds, parseJson } from "../../model/json.ts";
import { makePrivateFolder, writePrivateFile } from "../../support/process/private-files.ts";
import type { TestResult } from "../../report/render/json/result.ts";
import { decidedOf } from "../../report/render/findings/reported.ts";
import { standingIn } from "../../report/render/tally/standing.ts";
import { UserError } from "../../support/process/io.ts";

const FILE = "last-failed.json";

const saved = z.array(z.object({ spec: z.string(), query: z.string() }));

/** Queries that failed or had an error in the last test. */
export interface FailedQueries {
  has(spec: string, queryId: string): boolean;
}

/**
 * Returns the failed queries of the last `test`.
 * @throws UserError if none are saved
 */
export function readLastFailed(dataDir: string): FailedQueries {
  const path = join(dataDir, FILE);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const read = saved.safeParse(parseJson(text, documentBounds));
  if (!read.success)
    throw new UserError(
      `no failed query is saved in ${path}`,
      "run tracejury test without --last-failed first. After a test without failures, there is nothing to repeat",
    );
  const keys = new Set(read.data.map(({ spec, query }) => keyOf(spec, query)));
  return { has: (spec, queryId) => keys.has(keyOf(spec, queryId)) };
}

/**
 * Saves the failed queries for `--last-failed`, or removes the file of an earlier test if no query failed. Ignores errors of the file
 * system.
 */
export function saveLastFailed(result: TestResult, dataDir: string): void {
  const standing = standingIn(result);
  const failed = new Map<string, z.infer<typeof saved>[number]>();
  for (const reported of result.verdicts) {
    const { spec, query_id: query } = decidedOf(reported);
    const key = keyOf(spec, query);
    if (failed.has(key)) continue;
    const how = standing(reported);
    if (how === "failed" || how === "error") failed.set(key, { spec, query });
  }
  const path = join(dataDir, FILE);
  try {
    if (failed.size === 0) rmSync(path, { force: true });
    else {
      makePrivateFolder(dataDir);
      writePrivateFile(path, `${JSON.stringify([...failed.values()])}\n`);
    }
  } catch {
    // The error is ignored, because only `--last-failed` needs the file.
  }
}

function keyOf(spec: string, queryId: string): string {
  return `${spec}\n${queryId}`;
}
