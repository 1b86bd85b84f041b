import type { JsonValue } from "./json.ts";
import type { Message, RequestedCall } from "./message.ts";
import type { Usage } from "./run.ts";

export interface ToolDefinition {
  readonly name: string;
  readonly description: string | null;
  /** JSON Schema of the arguments; undefined if the request or the telemetry has no schema. */
  readonly parameters: JsonValue | undefined;
}

/** A model request in one form for all providers. Parts that the telemetry does not contain are null. */
export interface ModelRequest {
  readonly model: string | null;
  /** All system and developer instructions, in order, separated by blank lines; null if there are none. */
  readonly system: string | null;
  /** Messages of the conversation without system messages, oldest first; null if unknown. */
  readonly messages: readonly Message[] | null;
  /** Offered tools; null if unknown, empty if no tools were offered. */
  readonly tools: readonly ToolDefinition[] | null;
  /** Whether the model may have been offered further tools, which `tools` does not list. */
  readonly hasMoreTools?: boolean;
  /** Sampling and output settings under OpenTelemetry's names, such as `temperature`, `top_p`, `max_tokens`, `stop_sequences` or `seed`. */
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

/** Why a model stopped, by OpenTelemetry's names of finish reasons. */
export type FinishReason = "stop" | "length" | "tool_call" | "content_filter" | "error";

/** A model response in one form for all providers. */
export interface ModelAnswer {
  /** The provider's id of the response; null if unknown. The model server then generates an id. */
  readonly id: string | null;
  readonly model: string | null;
  /** Text of the response; null if the response consists only of tool calls. */
  readonly text: string | null;
  /** Reasoning text of the model; null if none was returned. */
  readonly reasoning: string | null;
  /** Refusal text, if the provider returns refusals in a separate field; otherwise null. */
  readonly refusal: string | null;
  readonly calls: readonly RequestedCall[];
  readonly finish: FinishReason | null;
  readonly usage: Usage;
  /** Service tier of the call, such as `flex`, `priority` or `batch`; absent if it is the provider's default. */
  readonly serviceTier?: string;
}

/** Input and output of one model call of a recorded run. */
export interface RecordedExchange {
  readonly traceId: string;
  readonly spanId: string | null;
  /** Agent that made the call; null if unknown. */
  readonly agent: string | null;
  readonly request: ModelRequest;
  /** The response; null if the call failed, or if the telemetry does not contain the response. */
  readonly answer: ModelAnswer | null;
  /** Error message; null if the call did not fail. */
  readonly error: string | null;
  /** Reasons why the exchange cannot be replayed, such as truncated or missing parts; empty if it can. */
  readonly gaps: readonly string[];
}

/** A run that can return each of its model calls as a request with its response. */
export interface HoldsExchanges {
  /** Answered and failed model calls, by start time. */
  readonly exchanges: readonly RecordedExchange[];
}
