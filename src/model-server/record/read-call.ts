import { isArray, isObject, type JsonObject, type JsonValue, parseJsonText } from "../../model/json.ts";
import type { ModelAnswer, ModelRequest } from "../../model/model-exchange.ts";
import type { Protocol, ProtocolName, ReceivedModelRequest, StreamPiece } from "../protocols/protocol.ts";
import { protocols } from "../protocols/protocols.ts";
import { operationOf, type RecordedCall } from "./call-span.ts";
import { bodyBounds, bodyText, decodeBody } from "../server/decode-body.ts";
import type { OmittedContents } from "./omitted-contents.ts";
import type { PassedOn } from "./pass-on.ts";
import { countAt, nameAt, objectAt, objectsAt } from "../protocols/fields.ts";
import { readOpenAiFailure } from "../protocols/openai-failure.ts";

/** `gen_ai.provider.name` of providers that use another provider's protocol, by the end of their host names. */
const providersByHost: readonly (readonly [host: string, provider: string])[] = [
  ["openai.azure.com", "azure.ai.openai"],
  ["cognitiveservices.azure.com", "azure.ai.openai"],
  ["services.ai.azure.com", "azure.ai.inference"],
  ["groq.com", "groq"],
  ["deepseek.com", "deepseek"],
  ["mistral.ai", "mistral_ai"],
  ["x.ai", "x_ai"],
  ["perplexity.ai", "perplexity"],
  ["openrouter.ai", "openrouter"],
  ["aiplatform.googleapis.com", "gcp.vertex_ai"],
  ["amazonaws.com", "aws.bedrock"],
];

/** Copy of a body, or the reason why no copy exists. */
export type CopiedBody = Uint8Array | OmittedContents;

/** A forwarded call with copies of its bodies. The object can be sent to another process. */
export interface CopiedCall {
  readonly protocol: ProtocolName | "embeddings";
  readonly path: string;
  readonly target: string;
  readonly requestEncoding: string;
  readonly requestBody: CopiedBody;
  readonly responseBody: CopiedBody;
  readonly passed: PassedOn;
  readonly startUnixMs: number;
  readonly durationMs: number;
}

/**
 * Decodes a call. Parts that cannot be decoded are null.
 * @param mostBytes limit of each decompressed body
 */
export async function readCall(copied: CopiedCall, mostBytes: number): Promise<RecordedCall> {
  const { passed, startUnixMs, durationMs } = copied;
  const target = new URL(copied.target);
  const reader = new BodyTexts(mostBytes);
  const contents = await contentsOf(copied, target, reader);
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
}

type Contents = Omit<RecordedCall, "startUnixMs" | "endUnixMs" | "firstChunkMs" | "server" | "omitted">;

async function contentsOf(copied: CopiedCall, target: URL, texts: BodyTexts): Promise<Contents> {
  const { path, passed, requestBody, responseBody, requestEncoding } = copied;
  const protocol = protocols.find(({ name }) => name === copied.protocol);
  const body = await texts.jsonOf(requestBody, requestEncoding);
  if (protocol === undefined) {
    const answer = await texts.jsonOf(responseBody, passed.contentEncoding);
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
  { responseBody, passed }: CopiedCall,
  texts: BodyTexts,
): Promise<Outcome> {
  const { status } = passed;
  const interrupted = interruptionOf(passed);
  if (status === null) return { answer: null, error: interrupted };
  const text = await texts.textOf(responseBody, passed.contentEncoding);
  if (status >= 400) {
    const { message } = protocol.readFailure(
      status,
      (text === null ? undefined : texts.parsed(text)) ?? null,
    );
    return { answer: null, error: { type: String(status), message } };
  }
  if (text === null) return { answer: null, error: interrupted };
  if (isEventStream(passed)) return streamOutcome(protocol, piecesOf(text), interrupted);
  const body = texts.parsed(text);
  if (isArray(body)) return streamOutcome(protocol, body.map(pieceOf), interrupted);
  return { answer: body === undefined ? null : protocol.readAnswer(body), error: interrupted };
}

/** Converts an item of a JSON array into a chunk. Gemini streams such an array to clients that do not request server-sent events. */
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
  const ended = answer === null || pieces.some(({ data }) => endOfStream.test(data)) ? null : cutShort;
  return {
    answer,
    error: failure === null ? (interrupted ?? ended) : { type: failure.kind, message: failure.message },
  };
}

/**
 * Matches the events with which a provider ends a stream, in all protocols. A proxy can end a stream earlier without an error of the
 * connection. Quotation marks within texts are escaped, so a text does not match.
 */
const endOfStream =
  /^\s*\[DONE\]|"(?:finish_reason|finishReason|stop_reason|blockReason)"\s*:\s*"|"type"\s*:\s*"(?:message_stop|response\.(?:completed|incomplete|failed|cancelled))"/;

const cutShort = { type: "incomplete", message: "the stream ended before the answer was complete" };

function isEventStream({ contentType }: PassedOn): boolean {
  return contentType.toLowerCase().startsWith("text/event-stream");
}

/** Decodes the bodies of one call, and records the reason if a body was not decoded. */
class BodyTexts {
  readonly #mostBytes: number;
  omitted: OmittedContents | null = null;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  async jsonOf(copy: CopiedBody, coding: string): Promise<JsonValue | undefined> {
    const text = await this.textOf(copy, coding);
    return text === null ? undefined : this.parsed(text);
  }

  parsed(text: string): JsonValue | undefined {
    const read = parseJsonText(text, bodyBounds);
    if (read.problem === "nodes") this.#omit("body_too_large");
    return read.problem === undefined ? read.value : undefined;
  }

  async textOf(copy: CopiedBody, coding: string): Promise<string | null> {
    if (typeof copy === "string") return this.#omit(copy);
    if (copy.length === 0) return "";
    const body = Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength);
    const options = { isPartial: true, largestBytes: this.#mostBytes, reserve: () => true };
    const plain = await decodeBody(body, coding, options);
    if (plain === "too_large") return this.#omit("body_too_large");
    return typeof plain === "string" ? null : bodyText(plain);
  }

  #omit(reason: OmittedContents): null {
    this.omitted ??= reason;
    return null;
  }
}

/** Returns the parts of a request for embeddings that are recorded. The texts are not recorded. */
function readEmbeddingRequest(body: JsonValue | undefined): ModelRequest | null {
  if (body === undefined || !isObject(body) || !("input" in body)) return null;
  const format = nameAt(body, "encoding_format");
  return {
    model: nameAt(body, "model"),
    system: null,
    messages: null,
    tools: null,
    parameters: format === null ? {} : { encoding_formats: [format] },
  };
}

type Answered = Pick<RecordedCall, "answer" | "error" | "embedded">;

/** Returns the parts of an answer with embeddings that are recorded: tokens, model and number of dimensions. */
function readEmbeddingAnswer(status: number, body: JsonValue | undefined): Answered {
  if (status >= 400) {
    const { message } = readOpenAiFailure(status, body ?? null);
    return { answer: null, error: { type: String(status), message } };
  }
  if (body === undefined || !isObject(body)) return { answer: null, error: null };
  const tokens = countAt(objectAt(body, "usage"), "prompt_tokens");
  const model = nameAt(body, "model");
  const dimensions = dimensionsOf(objectsAt(body, "data")[0] ?? {});
  const embedded = {
    ...(model === null ? {} : { "gen_ai.response.model": model }),
    ...(tokens === null ? {} : { "gen_ai.usage.input_tokens": tokens }),
    ...(dimensions === null ? {} : { "gen_ai.embeddings.dimension.count": dimensions }),
  };
  return { answer: null, error: null, embedded };
}

/** Returns the number of dimensions of an embedding: a list of numbers, or base64 with four bytes for each number. */
function dimensionsOf({ embedding }: JsonObject): number | null {
  if (isArray(embedding)) return embedding.length;
  return typeof embedding === "string" ? Math.floor((embedding.replace(/=+$/, "").length * 3) / 4 / 4) : null;
}

/** Returns the events of a `text/event-stream` body that have data. The last event may be incomplete. */
function piecesOf(text: string): StreamPiece[] {
  const pieces: StreamPiece[] = [];
  let event: string | null = null;
  let data: string[] = [];
  const flush = (): void => {
    if (data.length > 0) pieces.push({ event, data: data.join("\n") });
    event = null;
    data = [];
  };
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === "") flush();
    else if (line.startsWith("data:")) data.push(valueOf(line, 5));
    else if (line.startsWith("event:")) event = valueOf(line, 6);
  }
  flush();
  return pieces;
}

function valueOf(line: string, from: number): string {
  return line.slice(line[from] === " " ? from + 1 : from);
}

/** Returns the name of the provider at this host; for an unknown host, the name of the provider that defined the protocol. */
function providerName(host: string, protocolProvider: string): string {
  const known = providersByHost.find(([end]) => host === end || host.endsWith(`.${end}`));
  return known?.[1] ?? protocolProvider;
}
