import type { ModelFailure, ProtocolName, ReceivedModelRequest } from "../protocols/protocol.ts";
import type { AskingProvider, CallContext, Disturbance, Responded, Responder } from "../server/responder.ts";
import type { FaultKind } from "../../model/fault-kinds.ts";
import type { Fault } from "./fault.ts";
import { faultyAnswer } from "./faulty-answer.ts";

/** Holds the correct answers that a fault replaced, until a later request gets them. */
class HeldAnswers {
  readonly #held = new Set<Held>();

  hold(received: ReceivedModelRequest, responded: Responded): void {
    this.#held.add({ messages: messagesOf(received), responded });
  }

  /**
   * Returns the held answer for a request. Prefers an answer to an equal request, then to a request that this one continues, then to a
   * request with the same first message. Returns null if no answer is held for the request.
   */
  take(received: ReceivedModelRequest): Responded | null {
    const messages = messagesOf(received);
    const closest = [...this.#held]
      .map((held) => ({ held, likeness: likeness(held.messages, messages) }))
      .filter((one) => one.likeness > 0)
      .sort((a, b) => b.likeness - a.likeness)[0];
    if (closest === undefined) return null;
    this.#held.delete(closest.held);
    return closest.held.responded;
  }
}

const limited = "Rate limit reached for requests.";

const failures: Partial<Record<FaultKind, (protocol: ProtocolName) => ModelFailure>> = {
  "rate-limit": () => failure(429, "rate_limit", limited),
  "rate-limit-retry-after": () => ({ ...failure(429, "rate_limit", limited), retryAfterS: 1 }),
  "server-error": () => failure(500, "server", "The server had an error while processing your request."),
  overloaded: (protocol) =>
    failure(protocol === "anthropic-messages" ? 529 : 503, "overloaded", "Overloaded"),
  "context-length": (protocol) => failure(400, "context_length", tooLong[protocol]),
};

const openAiTooLong =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130412 tokens.";

const tooLong: Readonly<Record<ProtocolName, string>> = {
  "openai-chat": openAiTooLong,
  "openai-responses":
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "anthropic-messages": "prompt is too long: 207412 tokens > 200000 maximum",
  "gemini-generate":
    "The input token count (1207412) exceeds the maximum number of tokens allowed (1048576).",
};

/** Maximum number of repetitions of a lasting fault. Without this limit, an agent that retries without limit would never end. */
export const MOST_REPEATS = 30;

/** Delay in milliseconds between two chunks, for the fault `slow` in a streamed answer. */
const SLOW_PIECE_MS = 1_000;
/** Delay in milliseconds before the body, for the fault `slow` in an answer that is not streamed. */
const SLOW_BODY_MS = 10_000;

/** What the model server received during one call of the agent. */
export interface FaultAccount {
  /** Number of received requests. */
  readonly requests: number;
  /** Number of requests in whose answers the fault was injected. */
  readonly faults: number;
  /** For each request, whether its answer requests tools; null for an error response. */
  readonly requestedTools: readonly (boolean | null)[];
}

interface State {
  requests: number;
  faults: number;
  requestedTools: (boolean | null)[];
  readonly held: HeldAnswers;
}

/**
 * Injects a fault into each call of the agent: at one model call, or at one and all later model calls. When the agent repeats or continues
 * the request with the fault, it gets the correct answer, as from a real model.
 */
export class FaultyResponder implements Responder {
  readonly #inner: Responder;
  readonly #fault: Fault | null;
  readonly #states = new Map<string, State>();

  /** @param fault null to inject nothing and only count requests */
  constructor(inner: Responder, fault: Fault | null) {
    this.#inner = inner;
    this.#fault = fault;
  }

  /** Returns what was received during one call of the agent, or during all. */
  account(callId?: string): FaultAccount {
    const states = callId === undefined ? [...this.#states.values()] : [this.#stateOf(callId)];
    return {
      requests: states.reduce((sum, { requests }) => sum + requests, 0),
      faults: states.reduce((sum, { faults }) => sum + faults, 0),
      requestedTools: states.flatMap(({ requestedTools }) => requestedTools),
    };
  }

  async respond(received: ReceivedModelRequest, context: CallContext): Promise<Responded | ModelFailure> {
    const state = this.#stateOf(context.callId);
    const at = ++state.requests;
    const responded = await this.#answer(received, context, state, at);
    state.requestedTools[at - 1] = "status" in responded ? null : responded.answer.calls.length > 0;
    return responded;
  }

  async #answer(
    received: ReceivedModelRequest,
    context: CallContext,
    state: State,
    at: number,
  ): Promise<Responded | ModelFailure> {
    const kind = this.#due(state, at);
    if (kind === null) return this.#right(received, context, state, "pass_on");
    const failure = failureOf(kind, received.protocol);
    if (failure !== null) {
      state.faults++;
      return failure;
    }
    const right = await this.#right(received, context, state, "read");
    if ("status" in right) return right;
    const answer = faultyAnswer(kind, right.answer, received);
    const disturbance = disturbanceOf(kind, received.isStreamed);
    if (answer === null && disturbance === null) return right;
    state.faults++;
    // Stores the correct answer for the agent's retry. Not needed if the fault is only slow, or if a real provider answers the retry.
    if (kind !== "slow" && context.askProvider === undefined) state.held.hold(received, right);
    return {
      answer: answer ?? right.answer,
      ...(disturbance === null ? {} : { disturbance }),
    };
  }

  #due(state: State, at: number): FaultKind | null {
    if (this.#fault === null) return null;
    const { kind, at: place, isLasting } = this.#fault;
    const isDue = isLasting ? at >= place && state.faults < MOST_REPEATS : at === place;
    return isDue ? kind : null;
  }

  async #right(
    received: ReceivedModelRequest,
    context: CallContext,
    state: State,
    how: AskingProvider,
  ): Promise<Responded | ModelFailure> {
    if (context.askProvider !== undefined) return context.askProvider(how);
    return state.held.take(received) ?? (await this.#inner.respond(received, context));
  }

  #stateOf(callId: string | null): State {
    const key = callId ?? "";
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const state = { requests: 0, faults: 0, requestedTools: [], held: new HeldAnswers() };
    this.#states.set(key, state);
    return state;
  }
}

function disturbanceOf(kind: FaultKind, isStreamed: boolean): Disturbance | null {
  if (kind === "timeout") return { hang: true };
  if (kind === "reset") return { cut: { after: 0, how: "reset" } };
  if (kind === "stream-cut") return { cut: { after: "half", how: "reset" } };
  if (kind === "slow") return { delayMs: isStreamed ? SLOW_PIECE_MS : SLOW_BODY_MS };
  return null;
}

/** Returns the provider's error response for a fault; null if the fault is not an error of the provider. */
function failureOf(kind: FaultKind, protocol: ProtocolName): ModelFailure | null {
  return failures[kind]?.(protocol) ?? null;
}

function failure(status: number, kind: ModelFailure["kind"], message: string): ModelFailure {
  return { status, kind, message, retryAfterS: null };
}

interface Held {
  /** Messages of the request, each as one text. */
  readonly messages: readonly string[];
  readonly responded: Responded;
}

/**
 * Compares a request with an earlier request. 3: their messages are equal. 2: the request continues the earlier request. 1: only the first
 * message is the same. 0: nothing is the same.
 */
function likeness(held: readonly string[], messages: readonly string[]): number {
  if (held.every((message, at) => messages[at] === message)) return messages.length === held.length ? 3 : 2;
  return messages[0] === held[0] ? 1 : 0;
}

function messagesOf({ request }: ReceivedModelRequest): readonly string[] {
  return (request.messages ?? []).map((message) => JSON.stringify(message));
}
