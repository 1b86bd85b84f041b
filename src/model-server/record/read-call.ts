import { documentBounds, isArray, type JsonValue, parseJsonText } from "../../model/json.ts";
import type { ModelAnswer } from "../../model/model-exchange.ts";
import type { Protocol, ReceivedModelRequest, StreamPiece } from "../protocols/protocol.ts";
import { operationOf, type RecordedCall } from "./call-span.ts";
import type { Capture } from "./capture.ts";
import { decodeBody } from "../server/decode-body.ts";
import { piecesOf } from "./event-stream.ts";
import type { PassedOn } from "./pass-on.ts";
import { providerName } from "./provider-name.ts";
import { readEmbeddingAnswer, readEmbeddingRequest } from "./read-embeddings.ts";

/** A call that was passed on, as it was copied. */
export interface CopiedCall {
  readonly protocol: Protocol | "embeddings";
  readonly path: string;
  readonly target: URL;
  readonly requestEncoding: string;
  readonly asked: Capture;
  readonly answered: Capture;
  readonly passed: PassedOn;
  readonly startUnixMs: number;
  readonly durationMs: number;
}

/** Largest body that is read, inflated. */
const MOST_BYTES = 64 << 20;

/** What a call was. A part that cannot be read is null. */
export async function readCall(copied: CopiedCall): Promise<RecordedCall> {
  const { target, passed, startUnixMs, durationMs } = copied;
  return {
    ...(await contentsOf(copied)),
    startUnixMs,
    endUnixMs: startUnixMs + durationMs,
    firstChunkMs: isEventStream(passed) ? passed.firstByteMs : null,
    server: {
      address: target.hostname,
      port: Number(target.port) || (target.protocol === "https:" ? 443 : 80),
    },
  };
}

type Contents = Omit<RecordedCall, "startUnixMs" | "endUnixMs" | "firstChunkMs" | "server">;

async function contentsOf(copied: CopiedCall): Promise<Contents> {
  const { protocol, path, passed, target } = copied;
  const body = await jsonOf(copied.asked, copied.requestEncoding);
  if (protocol === "embeddings") {
    const answered = await jsonOf(copied.answered, passed.contentEncoding);
    return {
      operation: "embeddings",
      provider: providerName(target.hostname, "openai"),
      request: readEmbeddingRequest(body),
      isStreamed: false,
      previousResponseId: null,
      ...(passed.status === null
        ? { answer: null, error: interruptionOf(passed) }
        : readEmbeddingAnswer(passed.status, answered)),
    };
  }
  const received = requestOf(protocol, path, body);
  return {
    operation: operationOf(protocol.name),
    provider: providerName(target.hostname, protocol.provider),
    request: received?.request ?? null,
    isStreamed: received?.isStreamed ?? isEventStream(passed),
    previousResponseId: received?.previousResponseId ?? null,
    ...(await outcomeOf(protocol, copied)),
  };
}

function interruptionOf({ interruption }: PassedOn): RecordedCall["error"] {
  return interruption && { type: interruption.kind, message: interruption.message };
}

function requestOf(
  protocol: Protocol,
  path: string,
  body: JsonValue | undefined,
): ReceivedModelRequest | null {
  const read = body === undefined ? null : protocol.readRequest(path, body);
  return read === null || !("request" in read) ? null : read;
}

type Outcome = Pick<RecordedCall, "answer" | "error">;

async function outcomeOf(protocol: Protocol, { answered, passed }: CopiedCall): Promise<Outcome> {
  const { status } = passed;
  const interrupted = interruptionOf(passed);
  if (status === null) return { answer: null, error: interrupted };
  const text = await textOf(answered, passed.contentEncoding);
  if (status >= 400) {
    const { message } = protocol.readFailure(status, (text === null ? undefined : parsed(text)) ?? null);
    return { answer: null, error: { type: String(status), message } };
  }
  if (text === null) return { answer: null, error: interrupted };
  if (isEventStream(passed)) return streamOutcome(protocol, piecesOf(text), interrupted);
  const body = parsed(text);
  if (isArray(body)) return streamOutcome(protocol, body.map(pieceOf), interrupted);
  return { answer: body === undefined ? null : protocol.readAnswer(body), error: interrupted };
}

/** Gemini streams an array of answers to those who do not ask for events. */
function pieceOf(item: JsonValue): StreamPiece {
  return { event: null, data: JSON.stringify(item) };
}

function streamOutcome(
  protocol: Protocol,
  pieces: readonly StreamPiece[],
  interrupted: RecordedCall["error"],
): Outcome {
  const reader = protocol.readStream();
  for (const piece of pieces) reader.push(piece);
  const answer: ModelAnswer | null = reader.answer();
  const { failure } = reader;
  return {
    answer,
    error: failure === null ? interrupted : { type: failure.kind, message: failure.message },
  };
}

function isEventStream({ contentType }: PassedOn): boolean {
  return contentType.toLowerCase().startsWith("text/event-stream");
}

async function jsonOf(capture: Capture, coding: string): Promise<JsonValue | undefined> {
  const text = await textOf(capture, coding);
  return text === null ? undefined : parsed(text);
}

async function textOf(capture: Capture, coding: string): Promise<string | null> {
  const { body } = capture;
  if (body === null) return null;
  let sizeBytes = 0;
  const reserve = (bytes: number): boolean => (sizeBytes += bytes) <= MOST_BYTES;
  const plain = await decodeBody(body, coding, { isPartial: true, reserve });
  return Buffer.isBuffer(plain) ? plain.toString("utf8") : null;
}

function parsed(text: string): JsonValue | undefined {
  const read = parseJsonText(text, documentBounds);
  return read.problem === undefined ? read.value : undefined;
}
