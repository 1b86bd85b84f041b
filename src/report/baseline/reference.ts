import type { Reference } from "../../evaluate/checks/check.ts";
import { RunQuantities } from "../../evaluate/quantities/run-quantities.ts";
import type { Baseline } from "./file/baseline.ts";

/** Returns the values of a saved run that relative checks compare with a newer run. */
export function referenceOf({ version, run }: Baseline): Reference {
  return {
    version,
    tools: new RunQuantities(run).knownNames,
    costUsd: run.costUsd,
    totalTokens: run.totalTokens,
    llmCalls: run.llmCalls,
    latencyMs: run.durationMs,
    answer: run.answer,
  };
}
