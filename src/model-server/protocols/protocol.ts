import type { JsonValue } from "../../model/json.ts";
import type { ModelAnswer, ModelRequest } from "../../model/model-exchange.ts";

/** A provider's notation of requests and answers. One file implements one, in both directions. */
export type ProtocolName = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini-generate";

/** A request as it was sent, read. */
export interface ReceivedModelRequest {
  readonly protocol: ProtocolName;
  readonly request: ModelRequest;
  /** The same as the client sent it, where it left the history to the server and `request` has it; absent otherwise. */
  readonly sent?: ModelRequest;
  /** The client wants the answer in pieces. */
  readonly isStreamed: boolean;
  /** The response, or the conversation, that this request goes on from (`previous_response_id`, `conversation` of Responses); null for none. */
  readonly previousResponseId: string | null;
  /** The body, for what only the protocol itself needs. */
  readonly body: JsonValue;
}

/** An error in the provider's own form. */
export interface ModelFailure {
  /** HTTP status. */
  readonly status: number;
  /** What kind of error it is; the protocol has its own word for it. */
  readonly kind:
    | "invalid_request"
    | "context_length"
    | "authentication"
    | "not_found"
    | "too_large"
    | "rate_limit"
    | "server"
    | "overloaded"
    | "timeout";
  readonly message: string;
  /** Seconds, for `Retry-After`; null for none. */
  readonly retryAfterS: number | null;
}

/** One piece of a streamed answer: `event:` where the protocol names its events, and `data:`. */
export interface StreamPiece {
  readonly event: string | null;
  readonly data: string;
}

/** Reads a streamed answer piece by piece. */
export interface AnswerReader {
  push(piece: StreamPiece): void;
  /** What has come so far; null when that is no answer. */
  answer(): ModelAnswer | null;
  /** The error that the stream itself reported; null for none. */
  readonly failure: ModelFailure | null;
}

/** One provider's notation. All functions are pure and never throw: what cannot be read is a failure or null. */
export interface Protocol {
  readonly name: ProtocolName;
  /** `gen_ai.provider.name` of calls in this notation, unless the address says otherwise. */
  readonly provider: string;
  /** Whether a request to this path, without query and base path, is in this notation. */
  readonly serves: (method: string, path: string) => boolean;
  readonly readRequest: (path: string, body: JsonValue) => ReceivedModelRequest | ModelFailure;
  /** The whole answer as one body. What the answer lacks and the body must have is taken from `fresh`. */
  readonly writeAnswer: (answer: ModelAnswer, to: ReceivedModelRequest, fresh: Fresh) => JsonValue;
  /** The same in pieces, in the order and form in which the provider sends them. */
  readonly writeStream: (
    answer: ModelAnswer,
    to: ReceivedModelRequest,
    fresh: Fresh,
  ) => readonly StreamPiece[];
  readonly writeFailure: (failure: ModelFailure) => JsonValue;
  /** Reads a provider's whole answer. */
  readonly readAnswer: (body: JsonValue) => ModelAnswer | null;
  readonly readStream: () => AnswerReader;
  /** Reads a provider's error body. */
  readonly readFailure: (status: number, body: JsonValue) => ModelFailure;
}

/** What is different in each answer: ids and the time. */
export interface Fresh {
  /** An id with the given prefix (`chatcmpl-`, `call_`, `toolu_`), without repetition within a server. */
  readonly id: (prefix: string) => string;
  /** Seconds since 1970, whole. */
  readonly unixS: number;
}
