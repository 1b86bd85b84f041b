import type { JsonValue } from "./json.ts";
import type { Message, RequestedCall } from "./message.ts";
import type { Usage } from "./run.ts";

/** A tool that a model is offered. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string | null;
  /** JSON Schema of the arguments; undefined where the request, or the telemetry, has none. */
  readonly parameters: JsonValue | undefined;
}

/** A model request, independent of the provider. Parts that the telemetry lacks are null. */
export interface ModelRequest {
  readonly model: string | null;
  /** All system and developer instructions, in order, separated by a blank line; null for none. */
  readonly system: string | null;
  /** The history, oldest first, without system messages. */
  readonly messages: readonly Message[] | null;
  /** Null: unknown; empty: none on offer. */
  readonly tools: readonly ToolDefinition[] | null;
  /** Sampling and output settings under OpenTelemetry's names: `temperature`, `top_p`, `max_tokens`, `stop_sequences`, `seed`, … */
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

/** Why a model stopped, under OpenTelemetry's names of finish reasons. */
export type FinishReason = "stop" | "length" | "tool_call" | "content_filter" | "error";

/** A model response, independent of the provider. */
export interface ModelAnswer {
  /** The provider's id of the response; null lets a server make one. */
  readonly id: string | null;
  readonly model: string | null;
  /** Null where the answer is tool calls alone. */
  readonly text: string | null;
  /** The model's thoughts, where they were returned; null for none. */
  readonly reasoning: string | null;
  /** Refusal text from a separate field; null for none. */
  readonly refusal: string | null;
  readonly calls: readonly RequestedCall[];
  readonly finish: FinishReason | null;
  readonly usage: Usage;
  /** At which the call was served, where it is not what everybody gets: `flex`, `priority`, `batch`. */
  readonly serviceTier?: string;
}

/** One model call of a recorded run: what went in and what came out. */
export interface RecordedExchange {
  readonly traceId: string;
  readonly spanId: string | null;
  /** Who called; null where it is unknown. */
  readonly agent: string | null;
  readonly request: ModelRequest;
  /** Null where the telemetry does not hold it, or the call failed. */
  readonly answer: ModelAnswer | null;
  /** The error of a failed call; null for none. */
  readonly error: string | null;
  /** Reasons why the exchange cannot be replayed, such as cut or missing parts; empty if it is complete. */
  readonly gaps: readonly string[];
}

/** A run whose model calls can be read as exchanges. */
export interface HoldsExchanges {
  /** Answered and failed calls, in order of start. */
  readonly exchanges: readonly RecordedExchange[];
}
