import type { LlmCall } from "../calls/llm-call.ts";
import type { SpanFacts } from "../facts/span-facts.ts";

/** The spans of one run in a trace. */
export interface RunSpans {
  readonly root: SpanFacts;
  /** By start. */
  readonly nodes: readonly SpanFacts[];
  /** Model calls among them, by start. */
  readonly calls: readonly LlmCall[];
  /** A turn of a conversation whose turns share a parent span. */
  readonly isTurn: boolean;
  /** Further records of its session were not read. */
  readonly isCut?: boolean;
}
