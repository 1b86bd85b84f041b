import { documentBounds, isArray, type JsonValue, parseJsonText } from "../../model/json.ts";
import type { ModelAnswer } from "../../model/model-exchange.ts";
import type { Protocol, ReceivedModelRequest, StreamPiece } from "../protocols/protocol.ts";
import { operationOf, type RecordedCall } from "./call-span.ts";
import type { Capture, CaptureBudget } from "./capture.ts";
import { bodyText, decodeBody } from "../server/decode-body.ts";
import { piecesOf } from "./event-stream.ts";
import type { OmittedContents } from "./omitted-contents.ts";
import type { PassedOn } from "./pass-on.ts";
import { providerName } from "./provider-name.ts";
import { readEmbeddingAnswer, readEmbeddingRequest } from "./read-embeddings.ts";

/** A forwarded call with the copies of its bodies. */
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

/** Limits for decoding a call. */
export interface ReadBounds {
  /** Memory for the bodies of the one call that is read. */
  readonly budget: CaptureBudget;
  /** Whether the bodies are not read, because there is no time left. */
  readonly isLate: () => boolean;
}

/** Decodes a call. A part that cannot be decoded is null. */
export async function readCall(copied: CopiedCall, bounds: ReadBounds): Promise<RecordedCall> {
  const { target, passed, startUnixMs, durationMs } = copied;
  const reader = new BodyTexts(bounds);
  try {
    const contents = await contentsOf(copied, reader);
    return {
      ...contents,
      ...(reader.omitted === null ? {} : { omitted: reader.omitted }),
      startUnixMs,
      endUnixMs: startUnixMs + durationMs,
      firstChunkMs: isEventStream(passed) ? passed.firstByteMs : null,
      server: {
        address: target.hostname,
        port: Number(target.port) || (target.protocol === "https:" ? 443 : 80),
      },
    };
  } finally {
    reader.release();
  }
}

type Contents = Omit<RecordedCall, "startUnixMs" | "endUnixMs" | "firstChunkMs" | "server" | "omitted">;

async function contentsOf(copied: CopiedCall, texts: BodyTexts): Promise<Contents> {
  const { protocol, path, passed, target, asked, answered, requestEncoding } = copied;
  const body = await texts.jsonOf(asked, requestEncoding);
  if (protocol === "embeddings") {
    const answer = await texts.jsonOf(answered, passed.contentEncoding);
    return {
      operation: "embeddings",
      provider: providerName(target.hostname, "openai"),
      request: readEmbeddingRequest(body),
      isStreamed: false,
      previousResponseId: null,
      ...(passed.status === null
        ? { answer: null, error: interruptionOf(passed) }
        : readEmbeddingAnswer(passed.status, answer)),
    };
  }
  const received = requestOf(protocol, path, body);
  return {
    operation: operationOf(protocol.name),
    provider: providerName(target.hostname, protocol.provider),
    request: received?.request ?? null,
    isStreamed: received?.isStreamed ?? isEventStream(passed),
    previousResponseId: received?.previousResponseId ?? null,
    ...(await outcomeOf(protocol, copied, texts)),
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

async function outcomeOf(
  protocol: Protocol,
  { answered, passed }: CopiedCall,
  texts: BodyTexts,
): Promise<Outcome> {
  const { status } = passed;
  const interrupted = interruptionOf(passed);
  if (status === null) return { answer: null, error: interrupted };
  const text = await texts.textOf(answered, passed.contentEncoding);
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

/** Converts an item of Gemini's JSON array, which clients get that do not request server-sent events. */
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

/** Decodes the bodies of one call, and remembers why a body was not decoded. */
class BodyTexts {
  readonly #bounds: ReadBounds;
  #reservedBytes = 0;
  omitted: OmittedContents | null = null;

  constructor(bounds: ReadBounds) {
    this.#bounds = bounds;
  }

  async jsonOf(capture: Capture, coding: string): Promise<JsonValue | undefined> {
    const text = await this.textOf(capture, coding);
    return text === null ? undefined : parsed(text);
  }

  async textOf(capture: Capture, coding: string): Promise<string | null> {
    const { givenUp } = capture;
    if (givenUp !== null) return this.#omit(givenUp);
    if (capture.isEmpty) return "";
    if (this.#bounds.isLate()) return this.#omit("not_read_in_time");
    const reserve = (bytes: number): boolean => {
      if (!this.#bounds.budget.take(bytes)) return false;
      this.#reservedBytes += bytes;
      return true;
    };
    const plain = await decodeBody(capture.takeBody(), coding, { isPartial: true, reserve });
    const text = typeof plain === "string" ? null : bodyText(plain);
    this.release();
    return plain === "no_room" ? this.#omit("body_too_large") : text;
  }

  #omit(reason: OmittedContents): null {
    this.omitted ??= reason;
    return null;
  }

  release(): void {
    this.#bounds.budget.release(this.#reservedBytes);
    this.#reservedBytes = 0;
  }
}

function parsed(text: string): JsonValue | undefined {
  const read = parseJsonText(text, documentBounds);
  return read.problem === undefined ? read.value : undefined;
}
