import { isArray, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ModelAnswer, ModelRequest, ToolDefinition } from "../../model/model-exchange.ts";
import { keyValues } from "../../model/telemetry/any-value.ts";
import { recordingScope } from "../../model/telemetry/own-scope.ts";
import { SpanKind } from "../../model/telemetry/span-view.ts";
import type { ProtocolName } from "../protocols/protocol.ts";
import type { OmittedContents } from "./omitted-contents.ts";
import type { Message, RequestedCall, ReturnedResult } from "../../model/message.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** A model call with its request and response. Times are Unix milliseconds. */
export interface RecordedCall {
  /** Value of the attribute `gen_ai.operation.name`. */
  readonly operation: "chat" | "generate_content" | "embeddings";
  /** Value of the attribute `gen_ai.provider.name`. */
  readonly provider: string;
  /** Decoded request; null if the body was too large, or is not a request of the protocol. */
  readonly request: ModelRequest | null;
  readonly isStreamed: boolean;
  /** Id of the response that the request continues; null if there is none. */
  readonly previousResponseId: string | null;
  readonly answer: ModelAnswer | null;
  /** Attributes of an answer with embeddings; absent for other answers. */
  readonly embedded?: Readonly<Record<string, JsonValue>>;
  /**
   * False if the contents were omitted (reason: `omitted`). The span then has no attributes with messages, answer, system prompt or tools.
   */
  readonly hasContents?: boolean;
  /** Why messages of the call are missing; absent if none are missing. */
  readonly omitted?: OmittedContents;
  /** Error of the call; null if it succeeded. */
  readonly error: { readonly type: string; readonly message: string } | null;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  /** Time of the first chunk; null if no chunk arrived, or the answer was not streamed. */
  readonly firstChunkMs: number | null;
  /** Address of the provider, or of this server. The port is null if this server answered instead of the provider. */
  readonly server: { readonly address: string; readonly port: number | null };
}

/** Trace id, span id and parent of a call's span. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  /** Id of the parent span; null for a root span. */
  readonly parentSpanId: string | null;
  /** Value of `gen_ai.conversation.id`, if the call belongs to a conversation of several turns. */
  readonly conversationId?: string;
}

/** Maximum number of characters of one call's JSON. This is more than a million tokens, and can be searched for secrets within a second. */
export const LONGEST_CALL = 8 * 2 ** 20;

const ERROR = 2;

/** Parameters that OpenTelemetry's conventions name. For any other parameter, the attribute's name begins with `tracejury.`. */
const conventional: ReadonlySet<string> = new Set(
  wordList(`
    choice.count frequency_penalty max_tokens presence_penalty seed stop_sequences temperature top_k
    top_p
  `),
);

/** Returns the call as a client span of OpenTelemetry's GenAI conventions, in OTLP/JSON. */
export function callSpan(call: RecordedCall, place: SpanPlace): JsonObject {
  const { traceId, spanId, parentSpanId, conversationId } = place;
  const { operation, request, answer, error, startUnixMs, endUnixMs, hasContents = true } = call;
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name: request?.model == null ? operation : `${operation} ${request.model}`,
    kind: SpanKind.client,
    startTimeUnixNano: nanoseconds(startUnixMs),
    endTimeUnixNano: nanoseconds(endUnixMs),
    attributes: attributesJson({
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": call.provider,
      "server.address": call.server.address,
      ...(call.server.port === null ? {} : { "server.port": call.server.port }),
      ...(conversationId === undefined ? {} : { "gen_ai.conversation.id": conversationId }),
      ...(request === null ? {} : requestAttributes(request, hasContents)),
      ...(call.isStreamed ? { "gen_ai.request.stream": true } : {}),
      ...(call.firstChunkMs === null
        ? {}
        : { "gen_ai.response.time_to_first_chunk": call.firstChunkMs / 1000 }),
      ...(answer === null ? {} : answerAttributes(answer, hasContents)),
      ...call.embedded,
      ...(call.omitted === undefined ? {} : { "tracejury.contents.omitted": call.omitted }),
      ...(error === null ? {} : { "error.type": error.type }),
    }),
    status: error === null ? {} : { code: ERROR, message: error.message },
  };
}

/** Returns the number of characters in the texts of a call. The JSON of the call has at least this length. */
export function textLengthOf({ request, answer }: RecordedCall): number {
  const messages = request?.messages ?? [];
  const texts = [request?.system, answer?.text, ...messages.map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

/** Returns the call without messages: only with counts, names and parameters. */
export function withoutContents(call: RecordedCall, omitted: OmittedContents): RecordedCall {
  const { request, answer } = call;
  return {
    ...call,
    hasContents: false,
    omitted,
    request: request && { ...request, system: null, messages: null, tools: null },
    answer: answer && { ...answer, text: null, reasoning: null, refusal: null, calls: [] },
  };
}

/** Returns an OTLP/JSON request with these spans of one service. */
export function spansRequest(
  spans: readonly JsonObject[],
  resource: Readonly<Record<string, JsonValue>>,
): JsonObject {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesJson(resource) },
        scopeSpans: [{ scope: { name: recordingScope }, spans }],
      },
    ],
  };
}

/** Returns `gen_ai.operation.name` for model calls in an API format. */
export function operationOf(protocol: ProtocolName): RecordedCall["operation"] {
  return protocol === "gemini-generate" ? "generate_content" : "chat";
}

type Attributes = Readonly<Record<string, JsonValue>>;

function requestAttributes(request: ModelRequest, hasContents: boolean): Attributes {
  const { model, parameters } = request;
  return {
    ...(model === null ? {} : { "gen_ai.request.model": model }),
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        `${conventional.has(name) ? "gen_ai" : "tracejury"}.request.${name}`,
        value,
      ]),
    ),
    ...(hasContents ? requestContents(request) : {}),
  };
}

function requestContents({ system, messages, tools }: ModelRequest): Attributes {
  return {
    ...(system === null
      ? {}
      : { "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: system }]) }),
    ...(messages === null ? {} : { "gen_ai.input.messages": JSON.stringify(messages.map(inputMessage)) }),
    ...(tools === null || tools.length === 0
      ? {}
      : { "gen_ai.tool.definitions": JSON.stringify(tools.map(toolDefinition)) }),
  };
}

function answerAttributes(answer: ModelAnswer, hasContents: boolean): Attributes {
  const { id, model, finish, usage, serviceTier } = answer;
  const counts = {
    input_tokens: usage.input,
    output_tokens: usage.output,
    "cache_read.input_tokens": usage.cached,
    "cache_creation.input_tokens": usage.cacheWrite,
    "reasoning.output_tokens": usage.reasoning,
  };
  return {
    ...(hasContents ? { "gen_ai.output.messages": JSON.stringify([outputMessage(answer)]) } : {}),
    ...(id === null ? {} : { "gen_ai.response.id": id }),
    ...(model === null ? {} : { "gen_ai.response.model": model }),
    ...(finish === null ? {} : { "gen_ai.response.finish_reasons": [finish] }),
    ...(serviceTier === undefined ? {} : { "tracejury.response.service_tier": serviceTier }),
    ...(usage.longCacheWrite == null
      ? {}
      : { "tracejury.usage.long_cache_creation.input_tokens": usage.longCacheWrite }),
    ...Object.fromEntries(
      Object.entries(counts).flatMap(([name, count]) =>
        count === null ? [] : [[`gen_ai.usage.${name}`, count]],
      ),
    ),
  };
}

/** Converts objects to JSON text, because backends show attribute values as text. */
function withoutObjects(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(withoutObjects);
  return typeof value === "object" ? JSON.stringify(value) : value;
}

function attributesJson(attributes: Attributes): JsonObject[] {
  return keyValues(Object.entries(attributes).map(([key, value]) => [key, withoutObjects(value)]));
}

function nanoseconds(unixMs: number): string {
  return `${Math.round(unixMs * 1000)}000`;
}

/** Returns a message in the format of `gen_ai.input.messages`. */
function inputMessage({ role, name, text, calls, results }: Message): JsonObject {
  return {
    role,
    ...(name === null ? {} : { name }),
    parts: [...textParts(text), ...calls.map(callPart), ...results.map(resultPart)],
  };
}

/** Returns an answer in the format of `gen_ai.output.messages`. */
function outputMessage({ text, reasoning, refusal, calls, finish }: ModelAnswer): JsonObject {
  return {
    role: "assistant",
    parts: [
      ...(reasoning === null ? [] : [{ type: "reasoning", content: reasoning }]),
      ...textParts(text),
      ...(refusal === null ? [] : [{ type: "refusal", refusal }]),
      ...calls.map(callPart),
    ],
    ...(finish === null ? {} : { finish_reason: finish }),
  };
}

/** Returns a tool in the format of `gen_ai.tool.definitions`. */
function toolDefinition({ name, description, parameters }: ToolDefinition): JsonObject {
  return {
    type: "function",
    name,
    ...(description === null ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
  };
}

function textParts(text: string | null): JsonObject[] {
  return text === null ? [] : [{ type: "text", content: text }];
}

function callPart({ id, name, arguments: given }: RequestedCall): JsonObject {
  return { type: "tool_call", id, name, ...present("arguments", given) };
}

function resultPart({ callId, name, content, isError }: ReturnedResult): JsonObject {
  return {
    type: "tool_call_response",
    id: callId,
    ...(name === null ? {} : { name }),
    ...present("response", content),
    ...(isError ? { is_error: true } : {}),
  };
}

function present(key: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}
