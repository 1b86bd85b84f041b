import type { ModelAnswer } from "../../model/model-exchange.ts";
import type { ModelFailure, ProtocolName, ReceivedModelRequest } from "../protocols/protocol.ts";
import type { CallContext, Responded, Responder } from "../server/responder.ts";
import type { ReplaySession } from "./replay-session.ts";

/** Header with the number of earlier attempts, sent by the SDKs of OpenAI and Anthropic. */
const RETRIES = "x-stainless-retry-count";

/** Prefixes of response ids and call ids in each protocol. */
const prefixes: Readonly<Record<ProtocolName, { readonly response: string; readonly call: string }>> = {
  "openai-chat": { response: "chatcmpl-", call: "call_" },
  "openai-responses": { response: "resp_", call: "call_" },
  "anthropic-messages": { response: "msg_", call: "toolu_" },
  "gemini-generate": { response: "", call: "call_" },
};

/** Answers the model requests of open agent calls with recorded answers. */
export class ReplayResponder implements Responder {
  readonly #newId: (prefix: string) => string;
  readonly #sessions = new Map<string, ReplaySession>();

  /** @param newId returns a unique id with the given prefix */
  constructor(newId: (prefix: string) => string) {
    this.#newId = newId;
  }

  /** From now on, answers the requests of this agent call from a session. */
  open(callId: string, session: ReplaySession): void {
    this.#sessions.set(callId, session);
  }

  close(callId: string): void {
    this.#sessions.delete(callId);
  }

  respond(received: ReceivedModelRequest, context: CallContext): Promise<Responded | ModelFailure> {
    return Promise.resolve(this.#respond(received, context));
  }

  /**
   * Returns the open call whose recorded run is most similar to a request; null if no call is open. This is needed for an agent with one
   * address for all its calls, whose requests do not name their call.
   */
  likeliestCall({ request }: ReceivedModelRequest): string | null {
    const [first, ...others] = this.#sessions;
    if (first === undefined) return null;
    let likeliest = first[0];
    let least = first[1].distanceTo(request);
    for (const [callId, session] of others) {
      const distance = session.distanceTo(request);
      if (distance < least) [likeliest, least] = [callId, distance];
    }
    return likeliest;
  }

  #respond(
    received: ReceivedModelRequest,
    { callId, headers, signal }: CallContext,
  ): Responded | ModelFailure {
    const session = callId === null ? undefined : this.#sessions.get(callId);
    if (session === undefined)
      return failure(
        "not_found",
        404,
        "no recorded run is played back at this address now: the call of the agent has ended, or the base URL contains another call id",
      );
    const attempt = { isLost: () => signal.aborted, isRetry: Number(headers[RETRIES]) > 0 };
    const played = session.play(received.request, received.sent ?? null, attempt);
    if ("error" in played) return failure("invalid_request", 400, played.error);
    return { answer: this.#withFreshIds(played.answer, received.protocol) };
  }

  #withFreshIds(answer: ModelAnswer, protocol: ProtocolName): ModelAnswer {
    const { response, call } = prefixes[protocol];
    return {
      ...answer,
      id: this.#newId(response),
      calls: answer.calls.map((one) => ({ ...one, id: this.#newId(call) })),
    };
  }
}

function failure(kind: ModelFailure["kind"], status: number, message: string): ModelFailure {
  return { kind, status, message, retryAfterS: null };
}
