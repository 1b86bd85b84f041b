import type { ModelAnswer } from "../../model/model-exchange.ts";
import type { ModelFailure, ReceivedModelRequest } from "../protocols/protocol.ts";

/**
 * Context of a model request: the agent call that it belongs to, and its connection. `callId` is a segment of the agent process's base URL
 * (`/r/<id>/v1`); null if the base URL has no such segment.
 */
export interface CallContext {
  readonly callId: string | null;
  /** Request headers with lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborted when the client closes its connection before it has received the complete answer. */
  readonly signal: AbortSignal;
  /**
   * Resolves when the client has received the complete answer or has disconnected. The value is the time (by `performance.now`) at which
   * data was last sent; null if none was sent.
   */
  readonly ended: Promise<number | null>;
  /** Forwards the request to the provider; absent if the server has no providers. */
  readonly askProvider?: (how: AskingProvider) => Promise<Responded | ModelFailure>;
}

/** `pass_on`: the provider's answer is streamed to the client. `read`: the provider's answer is read and not sent to the client. */
export type AskingProvider = "pass_on" | "read";

/** How an injected fault changes the sending of an answer. */
export interface Disturbance {
  /**
   * Ends the connection after this many chunks of a stream or bytes of a body, normally or by a reset. `half`: after half of the answer.
   */
  readonly cut?: { readonly after: number | "half"; readonly how: "end" | "reset" };
  /** Milliseconds to wait before the body of an answer that is not streamed, or between two chunks of a stream. */
  readonly delayMs?: number;
  /** If true, no answer is sent, and the connection stays open until the client disconnects. */
  readonly hang?: boolean;
  /** Text that is sent instead of the answer's body. */
  readonly body?: string;
}

export interface Responded {
  readonly answer: ModelAnswer;
  readonly disturbance?: Disturbance;
}

/** Answers model requests: from recorded exchanges, with faults, or in a test. */
export interface Responder {
  respond(received: ReceivedModelRequest, context: CallContext): Promise<Responded | ModelFailure>;
}

/** Returns a responder that assigns requests without an agent call to the call that `callOf` returns. */
export function assigning(
  inner: Responder,
  callOf: (received: ReceivedModelRequest) => string | null,
): Responder {
  return {
    respond: (received, context) =>
      inner.respond(received, context.callId === null ? { ...context, callId: callOf(received) } : context),
  };
}
