import type { ModelFailure, ReceivedModelRequest } from "../protocols/protocol.ts";
import type { AskingProvider, CallContext, Disturbance, Responded, Responder } from "../server/responder.ts";
import { failureOf } from "./failures.ts";
import type { FaultKind } from "../../model/fault-kinds.ts";
import type { Fault } from "./fault.ts";
import { faultyAnswer } from "./faulty-answer.ts";
import { HeldAnswers } from "./held-answers.ts";

/** Maximum number of repetitions of a lasting fault. Without this limit, an agent that always retries would never end. */
export const MOST_REPEATS = 30;

/** Milliseconds between two chunks of a slow stream, and before a slow body. */
const SLOW_PIECE_MS = 1_000;
const SLOW_BODY_MS = 10_000;

/** What the model server received during one call of the agent. */
export interface FaultAccount {
  /** Number of received requests. */
  readonly requests: number;
  /** Number of requests with the fault. */
  readonly faults: number;
  /** For each request, whether the answer requests tools; null for an error. */
  readonly asked: readonly (boolean | null)[];
}

interface State {
  requests: number;
  faults: number;
  asked: (boolean | null)[];
  readonly held: HeldAnswers;
}

/**
 * Injects a fault at one model call in each call of the agent. When the agent repeats or continues the request, it gets the answer that the
 * fault replaced, as from a real model.
 */
export class FaultyResponder implements Responder {
  readonly #inner: Responder;
  readonly #fault: Fault | null;
  readonly #states = new Map<string, State>();

  /** @param fault null to only count requests */
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
      asked: states.flatMap(({ asked }) => asked),
    };
  }

  async respond(received: ReceivedModelRequest, context: CallContext): Promise<Responded | ModelFailure> {
    const state = this.#stateOf(context.callId);
    const at = ++state.requests;
    const responded = await this.#answer(received, context, state, at);
    state.asked[at - 1] = "status" in responded ? null : responded.answer.calls.length > 0;
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
    // The right answer is stored for the agent's retry, except if a slow answer still arrives or a real provider answers the retry.
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
    const state = { requests: 0, faults: 0, asked: [], held: new HeldAnswers() };
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
