import type { JsonValue } from "./json.ts";
import type { Message, RequestedCall } from "./message.ts";
import type { Usage } from "./run.ts";

export interface ToolDefinition {
  readonly name: string;
  readonly description: string | null;
  /** JSON Schema of the arguments; undefined if the request or the telemetry has no schema. */
  readonly parameters: JsonValue | undefined;
}

/** A model request in one form for all providers. Parts that the telemetry lacks are null. */
export interface ModelRequest {
  readonly model: string | null;
  /** All system and developer instructions, in order, separated by a blank line; null if there are none. */
  readonly system: string | null;
  /** Messages of the conversation, oldest first, without system messages. */
  readonly messages: readonly Message[] | null;
  /** Offered tools; null if unknown, empty if no tools were offered. */
  readonly tools: readonly ToolDefinition[] | null;
  /** Whether the model may have been offered tools that `tools` does not list. */
  readonly hasMoreTools?: boolean;
  /**
   * Sampling and output settings by OpenTelemetry's names, such as `temperature`, `top_p`, `max_tokens`,
   * `stop_sequences` or `seed`.
   */
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

/** Why a model stopped, by OpenTelemetry's names of finish reasons. */
export type FinishReason = "stop" | "length" | "tool_call" | "content_filter" | "error";

/** A model response in one form for all providers. */
export interface ModelAnswer {
  /** The provider's id of the response; null if unknown, in which case the model server generates an id. */
  readonly id: string | null;
  readonly model: string | null;
  /** Text of the response; null if the response has only tool calls. */
  readonly text: string | null;
  /** Reasoning text of the model; null if none was returned. */
  readonly reasoning: string | null;
  /** Refusal text, if the provider returns it in its own field; null if there is none. */
  readonly refusal: string | null;
  readonly calls: readonly RequestedCall[];
  readonly finish: FinishReason | null;
  readonly usage: Usage;
  /** Service tier of the call, if it differs from the provider's default: `flex`, `priority`, `batch`. */
  readonly serviceTier?: string;
}

/** Input and output of one model call of a recorded run. */
export interface RecordedExchange {
  readonly traceId: string;
  readonly spanId: string | null;
  /** Agent that made the call; null if unknown. */
  readonly agent: string | null;
  readonly request: ModelRequest;
  /** Response. Null if the call failed, or the telemetry lacks the response. */
  readonly answer: ModelAnswer | null;
  /** Error message; null if the call did not fail. */
  readonly error: string | null;
  /**
   * Reasons why the exchange cannot be replayed, such as truncated or missing parts; empty if the exchange
   * can be replayed.
   */
  readonly gaps: readonly string[];
}

/** A run that can return its model calls as requests with their responses. */
export interface HoldsExchanges {
  /** Answered and failed calls, in order of start time. */
  readonly exchanges: readonly RecordedExchange[];
}
