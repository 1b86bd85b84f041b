import type { Missing } from "./run.ts";

const details: ReadonlySet<string> = new Set([
  "service",
  "conversation_id",
  "cached_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "handoffs_available",
  "price_source",
]);

/**
 * Whether an entry is about a value that most telemetry leaves out and no layer of a verdict depends on by itself: reports for people list
 * these apart. Details of steps are named by their path in the run (`llm.finish_reason`).
 */
export function isDetail({ what }: Pick<Missing, "what">): boolean {
  return details.has(what) || what.includes(".");
}
