import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject, type JsonObject, type JsonValue, parseJsonText } from "../../model/json.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import { clientNotation } from "../protocols/client-notation.ts";
import { answerEmbeddings, embeddingsLength, servesEmbeddings } from "../protocols/embeddings.ts";
import { modelListRequest, writeModels } from "../protocols/model-lists.ts";
import type { Fresh, ModelFailure, Protocol } from "../protocols/protocol.ts";
import { protocols } from "../protocols/protocols.ts";
import type { CallPath } from "./call-path.ts";
import { bodyBounds, bodyText, decodeBody, knownCodings } from "./decode-body.ts";
import type { LargeBodies } from "./large-bodies.ts";
import type { BodyProblem, BodyReader, ReadBody } from "./request-body.ts";
import type { Responder } from "./responder.ts";
import type { ResponseStore } from "./response-store.ts";
import { sendText } from "./send.ts";
import { ended, preparedAnswer, sendFailure, sendRefusal, whenOver } from "./send-answer.ts";
import { objectsAt } from "../protocols/fields.ts";

const CHARACTERS_A_TOKEN = 4;
/** Keys whose text values are not part of the prompt, and do not count in an estimate of tokens. */
const ignored = new Set(["model", "role", "type"]);

const paths: readonly (readonly [method: string, path: RegExp, kind: StoredRoute["kind"]])[] = [
  ["GET", /\/responses\/([^/]+)$/, "response"],
  ["POST", /\/conversations()$/, "conversation"],
  ["GET", /\/conversations\/([^/]+)$/, "conversation"],
  ["GET", /\/conversations\/([^/]+)\/items$/, "items"],
  ["POST", /\/conversations\/([^/]+)\/items$/, "items"],
];

export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly call: CallPath;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

export interface Answering {
  readonly responder: Responder;
  readonly bodies: BodyReader;
  readonly large: LargeBodies;
  readonly responses: ResponseStore;
  readonly largestBytes: number;
  readonly models?: () => readonly string[];
  readonly onError?: (error: unknown) => void;
  readonly fresh: () => Fresh;
}

/** Answers one request: a model call, or a request for embeddings, stored responses, or the list of models. */
export async function answerCall(incoming: Incoming, options: Answering): Promise<void> {
  const { request, response, call, signal } = incoming;
  const method = request.method ?? "GET";
  const list = modelListRequest(method, call.path, request.headers);
  if (list !== null)
    return sendText(response, 200, JSON.stringify(writeModels(list, options.models?.() ?? [])));
  const protocol = protocols.find(({ serves }) => serves(method, call.path));
  const answerBeside = protocol === undefined ? sideRoute(method, call.path, options) : null;
  const notation = protocol ?? clientNotation(call.path, request.headers);
  if (protocol === undefined && answerBeside === null) {
    return sendRefusal(request, response, notation, unknownPath(method, call.path));
  }
  const read = await options.bodies.read(request);
  if (typeof read === "string") {
    if (read === "gone") return;
    return sendRefusal(request, response, notation, bodyFailure(read, options.largestBytes));
  }
  try {
    const coding = request.headers["content-encoding"];
    // A compressed body may become large, so it counts as large.
    const bytes = coding === undefined ? read.body.length : Infinity;
    const body = await options.large.inTurn(bytes, () => parseBody(read, coding, options.largestBytes));
    const send =
      "failure" in body
        ? () => sendFailure(response, notation, body.failure)
        : protocol === undefined
          ? besideSend(answerBeside?.(body.value, read.reserve) ?? null, response, notation)
          : await answerModel(protocol, body.value, incoming, options, read.reserve);
    await send();
  } finally {
    // The memory stays reserved until the client has read the answer, because the memory for an answer can be larger than that for its
    // request.
    await ended(response, signal);
    read.release();
  }
}

/** Sends an answer. Does not reference the request, so that the request's memory can be freed while the client reads the answer. */
type Send = () => void | Promise<void>;

type Reserve = ReadBody["reserve"];

function besideSend(answer: JsonValue | ModelFailure, response: ServerResponse, notation: Protocol): Send {
  if (isFailure(answer)) return () => sendFailure(response, notation, answer);
  const text = JSON.stringify(answer);
  return () => sendText(response, 200, text);
}

/** Returns the handler of a request that is not a model call; null for an unknown path. */
function sideRoute(
  method: string,
  path: string,
  { responses, fresh }: Answering,
): ((body: JsonValue, reserve: Reserve) => JsonValue | ModelFailure) | null {
  if (servesEmbeddings(method, path))
    return (body, reserve) => (reserve(embeddingsLength(body)) ? answerEmbeddings(body) : overloaded);
  const counted = servesTokenCount(method, path);
  if (counted !== null) return (body) => answerTokenCount(counted, body);
  const stored = storedRoute(method, path);
  if (stored === null) return null;
  return (body) => answerStored(stored, body, responses, fresh()) ?? notStored(path);
}

async function answerModel(
  protocol: Protocol,
  body: JsonValue,
  { request, response, call, signal }: Incoming,
  { responder, onError, fresh, responses }: Answering,
  reserve: Reserve,
): Promise<Send> {
  const isStored = protocol.name === "openai-responses";
  const whole = isStored ? responses.expand(body) : body;
  const read = protocol.readRequest(call.path, whole);
  const failing =
    (failure: ModelFailure): Send =>
    () =>
      sendFailure(response, protocol, failure);
  if ("status" in read) return failing(read);
  const sent = whole === body ? read : protocol.readRequest(call.path, body);
  const received = sent === read || "status" in sent ? read : { ...read, sent: sent.request };
  const context = { callId: call.callId, headers: request.headers, signal, ended: whenOver(response) };
  const responded = await responder.respond(received, context).catch((error: unknown): ModelFailure => {
    onError?.(error);
    return { status: 500, kind: "server", message: messageOf(error), retryAfterS: null };
  });
  if (signal.aborted) return () => undefined;
  if ("status" in responded) return failing(responded);
  const onSend = (response: JsonValue): void => {
    if (isStored) responses.add(body, response);
  };
  const { query } = call;
  const sending = { response, query, signal, fresh: fresh(), reserve, onSend };
  return preparedAnswer(protocol, received, responded, sending) ?? failing(overloaded);
}

function isFailure(answer: JsonValue | ModelFailure): answer is ModelFailure {
  return typeof answer === "object" && answer !== null && "kind" in answer;
}

/** Parses the JSON of a body. Returns an error if this is not possible. */
export async function parseBody(
  { body, reserve }: ReadBody,
  coding: string | undefined,
  largestBytes: number,
): Promise<{ readonly value: JsonValue } | { readonly failure: ModelFailure }> {
  if (body.length === 0) return { value: null };
  const plain = await plainBody({ body, reserve }, coding ?? "", largestBytes);
  if (!Buffer.isBuffer(plain)) return { failure: plain };
  // Reserves as much memory again, for the text and the values that are decoded from the body.
  if (!reserve(plain.length)) return { failure: overloaded };
  const parsed = parseJsonText(bodyText(plain), bodyBounds);
  if (parsed.problem === undefined) return { value: parsed.value };
  const message =
    parsed.problem === "syntax"
      ? "the body is not JSON"
      : "the body is nested too deeply or has too many values";
  return { failure: invalid(400, message) };
}

/** Decompresses a body within the memory budget of all requests. Returns an error if this is not possible. */
async function plainBody(
  { body, reserve }: Pick<ReadBody, "body" | "reserve">,
  coding: string,
  largestBytes: number,
): Promise<Buffer | ModelFailure> {
  const plain = await decodeBody(body, coding, { isPartial: false, largestBytes, reserve });
  if (plain === "no_room") return overloaded;
  if (plain === "too_large") return bodyFailure(plain, largestBytes);
  const name = coding.slice(0, 40);
  if (plain === "broken")
    return invalid(400, `the body is not valid ${name}, although content-encoding is ${name}`);
  if (plain !== "unknown_coding") return plain;
  return invalid(415, `content-encoding: ${name} is not supported. Use ${knownCodings.join(", ")} or none`);
}

function invalid(status: number, message: string): ModelFailure {
  return { status, kind: "invalid_request", message, retryAfterS: null };
}

export const overloaded: ModelFailure = {
  status: 503,
  kind: "overloaded",
  message: "too many large requests at the same time: send the request again later",
  retryAfterS: 1,
};

export function bodyFailure(problem: Exclude<BodyProblem, "gone">, largestBytes: number): ModelFailure {
  if (problem === "over_budget") return overloaded;
  const message = `the request is larger than ${largestBytes} bytes`;
  return { status: 413, kind: "too_large", message, retryAfterS: null };
}

function notStored(path: string): ModelFailure {
  const message = `${path.slice(0, 200)}: this server has no response or conversation with this id; it stores only the newest ones, in memory`;
  return { status: 404, kind: "not_found", message, retryAfterS: null };
}

function unknownPath(method: string, path: string): ModelFailure {
  const message = `${method.slice(0, 10)} ${path.slice(0, 200)} is not supported. This server supports POST chat/completions, responses, messages, models/NAME:generateContent, models/NAME:streamGenerateContent and embeddings, and GET models`;
  return { status: 404, kind: "not_found", message, retryAfterS: null };
}

/** A request about stored responses or conversations. */
interface StoredRoute {
  readonly kind: "response" | "conversation" | "items";
  /** Id of the response or conversation; null to create a new conversation. */
  readonly id: string | null;
}

/** Returns the route of a request about stored objects; null for other requests. */
function storedRoute(method: string, path: string): StoredRoute | null {
  for (const [verb, form, kind] of paths) {
    const found = verb === method ? form.exec(path) : null;
    if (found !== null) return { kind, id: found[1] || null };
  }
  return null;
}

/** Returns the answer to a request about a stored object; null if the object is not stored. */
function answerStored(
  { kind, id }: StoredRoute,
  body: JsonValue,
  store: ResponseStore,
  fresh: Fresh,
): JsonValue | null {
  if (kind === "response") return store.response(id ?? "");
  if (id === null) {
    const opened = fresh.id("conv_");
    store.open(opened, body);
    return conversation(opened, body, fresh);
  }
  if (kind === "conversation") return store.items(id) === null ? null : conversation(id, null, fresh);
  const given = isObject(body) ? objectsAt(body, "items").map((item) => withId(item, fresh)) : [];
  if (given.length > 0) return store.append(id, given) ? listOf(given, fresh) : null;
  const items = store.items(id);
  return items === null ? null : listOf([...items].reverse(), fresh);
}

function conversation(id: string, body: JsonValue, { unixS }: Fresh): JsonObject {
  const metadata = isObject(body) ? (body["metadata"] ?? {}) : {};
  return { id, object: "conversation", created_at: unixS, metadata };
}

/** Returns items as a list page, in OpenAI's format. */
function listOf(items: readonly JsonObject[], fresh: Fresh): JsonObject {
  const data = items.map((item) => withId(item, fresh));
  return {
    object: "list",
    data,
    first_id: data[0]?.["id"] ?? null,
    last_id: data.at(-1)?.["id"] ?? null,
    has_more: false,
  };
}

function withId(item: JsonObject, fresh: Fresh): JsonObject {
  return typeof item["id"] === "string" ? item : { id: fresh.id("msg_"), type: "message", ...item };
}

/** Returns the protocol of a request that counts tokens; null for other requests. */
function servesTokenCount(method: string, path: string): "anthropic" | "gemini" | null {
  if (method !== "POST") return null;
  if (path.endsWith("/messages/count_tokens")) return "anthropic";
  return /\/(?:models|tunedModels)\/[^/:]+:countTokens$/.test(path) ? "gemini" : null;
}

/** Answers with an estimate from the length of all texts, because the model server has no tokeniser. */
function answerTokenCount(notation: "anthropic" | "gemini", body: JsonValue): JsonValue {
  const tokens = Math.ceil(charactersIn(body) / CHARACTERS_A_TOKEN);
  return notation === "anthropic" ? { input_tokens: tokens } : { totalTokens: tokens };
}

function charactersIn(value: JsonValue): number {
  if (typeof value === "string") return value.length;
  if (!isObject(value)) {
    return Array.isArray(value)
      ? value.reduce((sum: number, one: JsonValue) => sum + charactersIn(one), 0)
      : 0;
  }
  let sum = 0;
  for (const [key, inner] of Object.entries(value)) if (!ignored.has(key)) sum += charactersIn(inner);
  return sum;
}
