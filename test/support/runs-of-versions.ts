import { verdictJson } from "../../src/report/json/verdict-json.ts";
import type { VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { evaluated } from "./evaluated.ts";

/** One evaluated run for tests of comparisons. */
export interface VersionRun {
  readonly version: string;
  /** Id and text of its query. */
  readonly query: string;
  readonly passed?: boolean;
  readonly costUsd?: number | null;
  readonly tokens?: number;
  readonly latencyMs?: number;
  readonly model?: string;
  readonly traceId?: string;
  /** Whether the query `"*"` matched the run. */
  readonly isWildcard?: boolean;
}

/** Verdicts of these runs, as in `test --format json` and `export.file`. */
export function verdictsOfVersions(runs: readonly VersionRun[]): VerdictJson[] {
  return runs.map((run, at) => {
    const { version, query, passed = true, costUsd = null, isWildcard = false } = run;
    const json = verdictJson(
      evaluated(
        { id: isWildcard ? "any" : query, correctness: { expected_in_answer: ["way"] } },
        {
          runId: `run-${at}`,
          query,
          answer: passed ? "On its way." : "No.",
          attributes: { "service.version": version },
          costUsd,
          usage: run.tokens === undefined ? {} : { input: run.tokens, output: 0 },
          durationMs: run.latencyMs ?? 1000,
          models: run.model === undefined ? [] : [run.model],
        },
      ),
    );
    return isWildcard ? { ...json, match: { how: "wildcard", score: 1 } } : json;
  });
}
