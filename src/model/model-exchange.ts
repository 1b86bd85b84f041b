import type { JsonValue } from "./json.ts";
import type { Message, RequestedCall } from "./message.ts";
import type { Usage } from "./run.ts";

/** A tool that is offered to a model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string | null;
  /** JSON Schema of the arguments; undefined if the request or the telemetry has none. */
  readonly parameters: JsonValue | undefined;
}

/** A model request, independent of the provider. Parts that the telemetry lacks are null. */
export interface ModelRequest {
  readonly model: string | null;
  /** All system and developer instructions, in order, separated by a blank line; null if there is none. */
  readonly system: string | null;
  /** Messages of the conversation, oldest first, without system messages. */
  readonly messages: readonly Message[] | null;
  /** Offered tools; null if unknown, empty if there are none. */
  readonly tools: readonly ToolDefinition[] | null;
  /** Whether more tools than `tools` may have been offered. */
  readonly hasMoreTools?: boolean;
  /**
   * Sampling and output settings under OpenTelemetry's names: `temperature`, `top_p`, `max_tokens`,
   * `stop_sequences`, `seed`, …
   */
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

/** Reason why a model stopped, with OpenTelemetry's names of finish reasons. */
export type FinishReason = "stop" | "length" | "tool_call" | "content_filter" | "error";

/** A model response, independent of the provider. */
export interface ModelAnswer {
  /** The provider's id of the response; null if unknown. The model server then generates an id. */
  readonly id: string | null;
  readonly model: string | null;
  /** Text of the response; null if it has only tool calls. */
  readonly text: string | null;
  /** Reasoning text of the model, if it was returned; null if there is none. */
  readonly reasoning: string | null;
  /** Refusal text from a separate field; null if there is none. */
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
  /** Response; null if the call failed or the telemetry lacks the response. */
  readonly answer: ModelAnswer | null;
  /** Error message of a failed call; null if the call did not fail. */
  readonly error: string | null;
  /**
   * Reasons why the exchange cannot be replayed, such as truncated or missing parts; empty if it is complete.
   */
  readonly gaps: readonly string[];
}

/** A run that gives its model calls as exchanges. */
export interface HoldsExchanges {
  /** Answered and failed calls, in order of start time. */
  readonly exchanges: readonly RecordedExchange[];
}
