import type { LlmCall } from "../calls/llm-call.ts";
import type { SpanFacts } from "../facts/span-facts.ts";

/** The spans of one run in a trace. */
export interface RunSpans {
  readonly root: SpanFacts;
  /** By start time. */
  readonly nodes: readonly SpanFacts[];
  /** Model calls among them, by start. */
  readonly calls: readonly LlmCall[];
  /** Whether this is a turn of a conversation whose turns share a parent span. */
  readonly isTurn: boolean;
  /** Whether further records of the session were not read. */
  readonly isCut?: boolean;
}
