import { onTestFinished } from "vitest";
import type { ModelAnswer, ModelRequest, RecordedExchange } from "../../src/model/model-exchange.ts";
import type { ModelFailure, ReceivedModelRequest } from "../../src/model-server/protocols/protocol.ts";
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from "../../src/model-server/server/model-server.ts";
import type { CallContext, Responded, Responder } from "../../src/model-server/server/responder.ts";

/** An answer of plain values, with what is given. */
export function answerOf(given: Partial<ModelAnswer> = {}): ModelAnswer {
  return {
    id: null,
    model: null,
    text: null,
    reasoning: null,
    refusal: null,
    calls: [],
    finish: null,
    usage: { input: 11, output: 7, cached: 3, cacheWrite: null, reasoning: null },
    ...given,
  };
}

/** What was asked and answered, or ended in an error. */
export function exchangeOf(
  request: ModelRequest,
  answer: ModelAnswer | null,
  error: string | null = null,
): RecordedExchange {
  return { traceId: "t", spanId: null, agent: null, request, answer, error, gaps: [] };
}

/** The context of a call of a client that waits for its answer. */
export function contextOf(callId: string | null): CallContext {
  return { callId, headers: {}, signal: new AbortController().signal, ended: Promise.resolve(null) };
}

/** Answers requests one after the other, and keeps them. */
export class ScriptedResponder implements Responder {
  readonly received: ReceivedModelRequest[] = [];
  readonly contexts: CallContext[] = [];
  readonly #answers: (Responded | ModelFailure)[];

  constructor(answers: readonly (ModelAnswer | Responded | ModelFailure)[]) {
    this.#answers = answers.map((one) => ("usage" in one ? { answer: one } : one));
  }

  respond(received: ReceivedModelRequest, context: CallContext): Promise<Responded | ModelFailure> {
    this.received.push(received);
    this.contexts.push(context);
    const next = this.#answers.shift();
    if (next === undefined) throw new Error("no answer is left");
    return Promise.resolve(next);
  }
}

/** A server that ends with the test. */
export async function serverOf(
  responder: Responder,
  options: Partial<ModelServerOptions> = {},
): Promise<ModelServer> {
  const server = await startModelServer({ responder, ...options });
  onTestFinished(() => server.close(0));
  return server;
}
