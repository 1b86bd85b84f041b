import type { IncomingMessage, ServerResponse } from "node:http";
import { documentBounds, isObject, type JsonValue, parseJson } from "../../model/json.ts";
import type {
  Fresh,
  ModelFailure,
  Protocol,
  ReceivedModelRequest,
  StreamPiece,
} from "../protocols/protocol.ts";
import { eventStream, jsonArray } from "./event-stream.ts";
import { lastSentOf } from "./last-sent.ts";
import type { Responded } from "./responder.ts";
import { discardRest } from "./request-body.ts";
import { jsonHeaders, sendBody, sendStream } from "./send.ts";

/**
 * Returns a function that sends an answer in the API format of the request, with the injected fault if the answer has a `disturbance`.
 * Returns null if there is not enough memory for the answer.
 */
export function preparedAnswer(
  protocol: Protocol,
  received: ReceivedModelRequest,
  { answer, disturbance }: Responded,
  { response, query, signal, fresh, reserve, onSend }: AnswerSending,
): (() => Promise<void>) | null {
  if (disturbance?.hang === true) return () => untilGone(signal);
  const sending = { headers: requestIds(protocol, fresh), disturbance, signal };
  const own = disturbance?.body;
  if (own !== undefined) return () => sendBody(response, own, sending);
  if (!received.isStreamed) {
    const body = protocol.writeAnswer(answer, received, fresh);
    const text = JSON.stringify(body);
    if (!reserve(text.length)) return null;
    onSend?.(body);
    return () => sendBody(response, text, sending);
  }
  const pieces = protocol.writeStream(answer, received, fresh);
  if (!reserve(pieces.reduce((sum, { data }) => sum + data.length, 0))) return null;
  onSend?.(lastResponse(pieces));
  const isArray = protocol.name === "gemini-generate" && query.get("alt") !== "sse";
  return () => sendStream(response, pieces, isArray ? jsonArray : eventStream, sending);
}

export interface AnswerSending {
  readonly response: ServerResponse;
  /** Query parameters of the request. */
  readonly query: URLSearchParams;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  readonly fresh: Fresh;
  /** Reserves memory in bytes for the answer, until the client has received it; returns false if there is not enough. */
  readonly reserve: (bytes: number) => boolean;
  /** Receives the complete response before it is sent, to store it for later requests that refer to it. */
  readonly onSend?: (response: JsonValue) => void;
}

/** Returns the response in the last event of a stream of the Responses API. */
function lastResponse(pieces: readonly StreamPiece[]): JsonValue {
  const event = parseJson(pieces.at(-1)?.data ?? "", documentBounds);
  return isObject(event) ? (event["response"] ?? null) : null;
}

function requestIds({ name }: Protocol, fresh: Fresh): Readonly<Record<string, string>> {
  if (name === "gemini-generate") return {};
  return { [name === "anthropic-messages" ? "request-id" : "x-request-id"]: fresh.id("req_") };
}

/** Sends an error in the format of the protocol. */
export function sendFailure(response: ServerResponse, protocol: Protocol, failure: ModelFailure): void {
  writeFailure(response, protocol, failure);
  response.end();
}

/**
 * Refuses a request whose body was not read. Sends the error at once, but closes the connection only when the complete body has arrived. An
 * earlier close would reset the connection, and the client could miss the error.
 */
export async function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  protocol: Protocol,
  failure: ModelFailure,
): Promise<void> {
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (length !== "0" || coding !== undefined) response.setHeader("connection", "close");
  writeFailure(response, protocol, failure);
  await discardRest(request);
  response.end();
}

function writeFailure(response: ServerResponse, protocol: Protocol, failure: ModelFailure): void {
  const { status, retryAfterS } = failure;
  const text = JSON.stringify(protocol.writeFailure(failure));
  response.writeHead(status, {
    ...jsonHeaders(text),
    ...(retryAfterS === null ? {} : { "retry-after": String(retryAfterS) }),
  });
  response.write(text);
}

async function untilGone(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener("abort", resolve, { once: true });
  });
}

/** Returns a signal that is aborted when the client disconnects before it has received the complete answer. */
export function abortWhenGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on("error", () => undefined);
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Resolves when the client has received the complete answer or has disconnected. The value is the time at which data was last sent (see
 * `lastSentOf`).
 */
export function whenOver(response: ServerResponse): Promise<number | null> {
  const lastSent = lastSentOf(response);
  return new Promise((resolve) => {
    const onClose = (): void => resolve(lastSent());
    if (response.closed) onClose();
    else response.once("close", onClose);
  });
}

/** Resolves when the client has received the answer or has disconnected. If no answer was begun, resolves at once. */
export async function ended(response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (!response.writableEnded || response.writableFinished || gone.aborted) return;
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
  });
}
