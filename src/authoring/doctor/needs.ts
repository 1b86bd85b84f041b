import type { Check } from "../../evaluate/checks/check.ts";
import type { EvidenceName } from "../../../adapters/producer-type.ts";

/**
 * Evidence that a check needs, by key. Judge checks and checks without an entry need the evidence that `evidenceFor` returns.
 */
export const needsByKey: Readonly<Record<string, readonly EvidenceName[]>> = {
  run_status: [],
  grounded: ["answer", "tool_results"],
  max_tool_calls: [],
  expected_tool_calls: ["tool_names", "tool_arguments"],
  tool_call_accuracy: ["tool_names", "tool_arguments"],
  expected_handoff: ["agent_names"],
  expected_handoffs: ["agent_names"],
  expected_handoffs_available: ["handoffs_available"],
  max_handoff_count: ["agent_names"],
  max_total_tokens: ["usage"],
  max_llm_calls: ["model_calls"],
  max_latency_ms: [],
  max_cost_usd: ["cost"],
  max_cost_multiplier: ["cost"],
};

export function evidenceFor({ key, layer, judged }: Check): readonly EvidenceName[] {
  if (judged === true) return ["query", "answer"];
  const own = Object.hasOwn(needsByKey, key) ? needsByKey[key] : undefined;
  if (own !== undefined) return own;
  return layer === "correctness" ? ["answer"] : layer === "path" ? ["tool_names"] : [];
}

const fields: ReadonlyMap<string, EvidenceName> = new Map([
  ["answer", "answer"],
  ["query", "query"],
  ["messages", "messages"],
  ["tools", "tool_names"],
  ["tool_names", "tool_names"],
  ["tool_arguments", "tool_arguments"],
  ["tool_results", "tool_results"],
  ["retrievals", "retrieved_documents"],
  ["usage", "usage"],
  ["cost", "cost"],
  ["llm_calls", "model_calls"],
  ["handoffs", "agent_names"],
  ["handoffs_available", "handoffs_available"],
  ["conversation", "session_ids"],
]);

/** Returns the kind of evidence to which a missing field of a verdict belongs. */
export function evidenceOfField(field: string): EvidenceName | undefined {
  return fields.get(field);
}
