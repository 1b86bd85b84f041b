import type { Reference } from "../evaluate/check.ts";
import { RunQuantities } from "../evaluate/run-quantities.ts";
import type { Baseline } from "./baseline.ts";

/** What checks compare a run with, from a saved one. */
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
