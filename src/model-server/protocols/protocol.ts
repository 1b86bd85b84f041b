import type { JsonValue } from "../../model/json.ts";
import type { ModelAnswer, ModelRequest } from "../../model/model-exchange.ts";

/** Name of an API format: how a provider writes requests and answers. A folder for each format contains its reader and writer. */
export type ProtocolName = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini-generate";

export interface ReceivedModelRequest {
  readonly protocol: ProtocolName;
  readonly request: ModelRequest;
  /**
   * The request exactly as the client sent it, if it relies on history that the server stores. Absent if the client sent the complete
   * history.
   */
  readonly sent?: ModelRequest;
  /** Whether the client requests a streamed answer. */
  readonly isStreamed: boolean;
  /**
   * Id of the response or conversation that this request continues (`previous_response_id`, `conversation` in the Responses API); null if
   * there is none.
   */
  readonly previousResponseId: string | null;
  /** The parsed body, for values that only this protocol uses. */
  readonly body: JsonValue;
}

/** An error of a provider, independent of the API format. */
export interface ModelFailure {
  readonly status: number;
  /** Kind of the error. Each protocol has its own names for the kinds. */
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
  /** Delay in seconds for `Retry-After`; null for none. */
  readonly retryAfterS: number | null;
}

/** One chunk of a streamed answer: the value of `data:`, and of `event:` if the protocol names events. */
export interface StreamPiece {
  readonly event: string | null;
  readonly data: string;
}

/** Reads a streamed answer chunk by chunk. */
export interface AnswerReader {
  push(piece: StreamPiece): void;
  /** Returns the answer from the chunks read before this call; null if they contain no answer. */
  answer(): ModelAnswer | null;
  /** Error that the stream has reported; null if it reported none. */
  readonly failure: ModelFailure | null;
}

/** The API format of a provider. All functions are pure and never throw: for a value that cannot be read, they return an error or null. */
export interface Protocol {
  readonly name: ProtocolName;
  /** `gen_ai.provider.name` of calls in this API format, if the address does not identify another provider. */
  readonly provider: string;
  /**
   * Whether a request to this path (without the query) is in this API format. Only the end of the path is compared, so any base path may
   * precede it.
   */
  readonly serves: (method: string, path: string) => boolean;
  readonly readRequest: (path: string, body: JsonValue) => ReceivedModelRequest | ModelFailure;
  /** Returns the complete answer as one body. Required values that the answer does not have, such as ids, come from `fresh`. */
  readonly writeAnswer: (answer: ModelAnswer, to: ReceivedModelRequest, fresh: Fresh) => JsonValue;
  /** Returns the answer as chunks, in the order and format of the provider. */
  readonly writeStream: (
    answer: ModelAnswer,
    to: ReceivedModelRequest,
    fresh: Fresh,
  ) => readonly StreamPiece[];
  readonly writeFailure: (failure: ModelFailure) => JsonValue;
  /** Reads a provider's answer that is not streamed. */
  readonly readAnswer: (body: JsonValue) => ModelAnswer | null;
  readonly readStream: () => AnswerReader;
  /** Reads a provider's error body. */
  readonly readFailure: (status: number, body: JsonValue) => ModelFailure;
}

/** Values that are new in each answer: ids and the time. */
export interface Fresh {
  /** Returns an id with this prefix (`chatcmpl-`, `call_`, `toolu_`), unique within the server. */
  readonly id: (prefix: string) => string;
  /** Time in whole seconds since 1970. */
  readonly unixS: number;
}
