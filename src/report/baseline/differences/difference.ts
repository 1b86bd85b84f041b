import type { JsonValue } from "../../../model/json.ts";
import type { Layer } from "../../../model/outcome.ts";

/** Kinds of difference between a saved and a newer run. AgentCI and EvalView use the same names. */
export const differenceTypes = [
  "REGRESSION",
  "WARNING_ADDED",
  "ROUTING_CHANGED",
  "GUARDRAILS_CHANGED",
  "AVAILABLE_HANDOFFS_CHANGED",
  "RETRIEVAL_CHANGED",
  "TOOLS_CHANGED",
  "SEQUENCE_CHANGED",
  "ARGS_CHANGED",
  "OUTPUT_CHANGED",
  "STOP_REASON_CHANGED",
  "STEPS_CHANGED",
  "COST_SPIKE",
  "COST_CHANGED",
  "LATENCY_SPIKE",
  "MODEL_CHANGED",
  "DIALECT_CHANGED",
] as const;
export type DifferenceType = (typeof differenceTypes)[number];

export type DifferenceSeverity = "error" | "warn" | "info";

export interface Difference {
  readonly type: DifferenceType;
  readonly severity: DifferenceSeverity;
  readonly layer: Layer;
  readonly message: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** Similarity of the two texts or arguments, from 0 to 1. */
  readonly similarity?: number;
}
