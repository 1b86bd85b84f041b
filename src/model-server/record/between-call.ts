import type { IncomingMessage, ServerResponse } from "node:http";
import type { ModelFailure, Protocol, ReceivedModelRequest } from "../protocols/protocol.ts";
import { bodyFailure, overloaded, parseBody } from "../server/answer-call.ts";
import { freshValues } from "../server/fresh-values.ts";
import { type BodyReader, type ReadBody } from "../server/request-body.ts";
import type { AskingProvider, Responded, Responder } from "../server/responder.ts";
import { abortWhenGone, preparedAnswer, sendFailure, sendRefusal, whenOver } from "../server/send-answer.ts";
import { answeredCall } from "./answered-call.ts";
import type { RecordedCall } from "./call-span.ts";
import type { Route } from "./route.ts";

export interface BetweenOptions {
  readonly protocol: Protocol;
  readonly route: Route;
  readonly between: Responder;
  readonly bodies: BodyReader;
  readonly largestBytes: number;
  /** Sends the body of the request to the provider. */
  readonly askProvider: (body: Buffer, how: AskingProvider, signal: AbortSignal) => Promise<RecordedCall>;
}

/**
 * Answers a request by a responder, for example one that injects a fault. The responder calls the provider or answers itself. Returns the
 * call as the client received it; null if the body was refused, or is not a request of the protocol.
 */
export async function answerBetween(
  request: IncomingMessage,
  response: ServerResponse,
  options: BetweenOptions,
): Promise<RecordedCall | null> {
  const { protocol, route, between, bodies, askProvider } = options;
  const startUnixMs = Date.now();
  const start = performance.now();
  const over = whenOver(response);
  const read = await bodies.read(request);
  if (typeof read === "string") {
    if (read === "gone") return null;
    await sendRefusal(request, response, protocol, bodyFailure(read, options.largestBytes));
    return null;
  }
  try {
    const signal = abortWhenGone(response);
    const received = await requestIn(read, request, options);
    if (received === null) {
      await askProvider(read.body, "pass_on", signal);
      return null;
    }
    const passedOn: { call?: RecordedCall } = {};
    const responded = await between.respond(received, {
      callId: route.callId,
      headers: request.headers,
      signal,
      ended: over,
      askProvider: async (how) => {
        const call = await askProvider(read.body, how, signal);
        if (how === "pass_on") passedOn.call = call;
        return respondedOf(call);
      },
    });
    if (passedOn.call !== undefined) return passedOn.call;
    await send(response, { protocol, route, received, responded, signal, reserve: read.reserve });
    const lastSentMs = await over;
    const { hostname: address } = route.target;
    const server = { address, port: null };
    const isLost = signal.aborted;
    const endMs = (isLost ? null : lastSentMs) ?? performance.now();
    const endUnixMs = startUnixMs + endMs - start;
    return answeredCall(received, responded, { startUnixMs, endUnixMs, isLost, server });
  } finally {
    read.release();
  }
}

async function requestIn(
  body: ReadBody,
  { headers }: IncomingMessage,
  { protocol, route, largestBytes }: BetweenOptions,
): Promise<ReceivedModelRequest | null> {
  const parsed = await parseBody(body, headers["content-encoding"], largestBytes);
  const read = "failure" in parsed ? null : protocol.readRequest(route.path, parsed.value);
  return read === null || "status" in read ? null : read;
}

function respondedOf({ answer, error }: RecordedCall): Responded | ModelFailure {
  if (answer !== null && error === null) return { answer };
  const status = Number(error?.type);
  const message = error?.message ?? "the provider's answer could not be decoded";
  return { status: status >= 400 ? status : 502, kind: "server", message, retryAfterS: null };
}

interface Sending {
  readonly protocol: Protocol;
  readonly route: Route;
  readonly received: ReceivedModelRequest;
  readonly responded: Responded | ModelFailure;
  readonly signal: AbortSignal;
  readonly reserve: ReadBody["reserve"];
}

async function send(
  response: ServerResponse,
  { protocol, route, received, responded, signal, reserve }: Sending,
): Promise<void> {
  if (signal.aborted) return;
  if ("status" in responded) {
    sendFailure(response, protocol, responded);
    return;
  }
  const query = route.target.searchParams;
  const sending = { response, query, signal, fresh: freshValues(), reserve };
  const answer = preparedAnswer(protocol, received, responded, sending);
  if (answer === null) sendFailure(response, protocol, overloaded);
  else await answer();
}
