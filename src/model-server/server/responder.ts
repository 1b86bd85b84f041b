import type { ModelAnswer } from "../../model/model-exchange.ts";
import type { ModelFailure, ReceivedModelRequest } from "../protocols/protocol.ts";

/** One call of the agent under test: the segment of the base URL that its process was given (`/r/<id>/v1`); null without one. */
export interface CallContext {
  readonly callId: string | null;
  /** Request headers with lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborted when the client closes its connection before it has the whole answer. */
  readonly signal: AbortSignal;
  /** Resolves when the client has the whole answer, or is gone. */
  readonly ended: Promise<void>;
  /** Asks the provider, where requests are passed on. */
  readonly askProvider?: (how: AskingProvider) => Promise<Responded | ModelFailure>;
}

/** `pass_on`: the provider's answer goes to the client as it comes. `read`: it is only read. */
export type AskingProvider = "pass_on" | "read";

/** How a streamed or whole answer is disturbed on its way, for faults on purpose. */
export interface Disturbance {
  /** Ends the connection after this many pieces of a stream, or bytes of a body: by an end, or by a reset. `half`: in the middle of either. */
  readonly cut?: { readonly after: number | "half"; readonly how: "end" | "reset" };
  /** Between two pieces of a stream, and before a whole body. */
  readonly delayMs?: number;
  /** No answer at all until the client gives up. */
  readonly hang?: boolean;
  /** Sent in place of the answer's body. */
  readonly body?: string;
}

export interface Responded {
  readonly answer: ModelAnswer;
  readonly disturbance?: Disturbance;
}

/** Source of answers for model requests: recorded exchanges, faults, or a test. */
export interface Responder {
  respond(received: ReceivedModelRequest, context: CallContext): Promise<Responded | ModelFailure>;
}

/** Assigns requests without a call of the agent to the one that `callOf` finds. */
export function assigning(
  inner: Responder,
  callOf: (received: ReceivedModelRequest) => string | null,
): Responder {
  return {
    respond: (received, context) =>
      inner.respond(received, context.callId === null ? { ...context, callId: callOf(received) } : context),
  };
}
