import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { RequestedCall } from "../../model/message.ts";
import type { ModelAnswer, ModelRequest } from "../../model/model-exchange.ts";
import type { ProtocolName, ReceivedModelRequest } from "../protocols/protocol.ts";
import type { FaultKind } from "../../model/fault-kinds.ts";

type Received = Pick<ReceivedModelRequest, "request" | "protocol">;

/**
 * Returns the answer with the fault; null if this fault does not change the content of answers, or repeats a tool call but there is none.
 */
export function faultyAnswer(kind: FaultKind, answer: ModelAnswer, received: Received): ModelAnswer | null {
  const changed = changes[kind]?.(answer, received) ?? null;
  if (changed === null) return null;
  return { ...answer, text: null, reasoning: null, refusal: null, calls: [], ...changed };
}

/** For each fault, returns the changed parts of an answer. */
const changes: Partial<
  Record<FaultKind, (answer: ModelAnswer, received: Received) => Partial<ModelAnswer> | null>
> = {
  empty: () => ({ text: "", finish: "stop" }),
  length: ({ text }) => ({ text: firstHalf(text ?? ""), finish: "length" }),
  refusal: (_, { protocol }) => declined(protocol),
  "content-filter": () => ({ finish: "content_filter" }),
  "unknown-tool": (_, { request }) => asking({ id: null, name: unknownName(request), arguments: {} }),
  "bad-json": (answer, { request }) => asking(withBrokenArguments(someCall(answer, request))),
  "schema-violation": (answer, { request }) => asking(againstSchema(someCall(answer, request), request)),
  "same-tool-again": (_, { request }) => {
    const last = lastCall(request);
    return last === null ? null : asking({ ...last, id: null });
  },
};

function asking(call: RequestedCall): Partial<ModelAnswer> {
  return { calls: [call], finish: "tool_call" };
}

/** Returns a refusal. OpenAI's answers have a field for a refusal; in other API formats, the finish reason is a content filter. */
function declined(protocol: ProtocolName): Partial<ModelAnswer> {
  const isOpenAi = protocol === "openai-chat" || protocol === "openai-responses";
  const refusal = "I'm sorry, but I can't assist with that request.";
  return { refusal, finish: isOpenAi ? "stop" : "content_filter" };
}

/** Returns the first half of a text, without splitting a surrogate pair. */
function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2)).replace(/[\ud800-\udbff]$/, "");
}

/** Returns a plausible tool name that the request does not offer. */
function unknownName({ tools }: ModelRequest): string {
  const taken = new Set((tools ?? []).map(({ name }) => name));
  let name = "lookup_record";
  for (let number = 2; taken.has(name); number++) name = `lookup_record_${number}`;
  return name;
}

/** Returns the first tool call of the answer. If the answer has none, returns a call of the first tool that the request offers. */
function someCall(answer: ModelAnswer, { tools }: ModelRequest): RequestedCall {
  const [first] = answer.calls;
  if (first !== undefined) return { ...first, id: null };
  return { id: null, name: tools?.[0]?.name ?? "lookup_record", arguments: {} };
}

/**
 * Replaces the double quotation marks in the arguments by single ones, as models sometimes do. A JSON parser rejects the result at its
 * first key, so even a parser of incomplete JSON gets no argument.
 */
function withBrokenArguments(call: RequestedCall): RequestedCall {
  const text = JSON.stringify(call.arguments ?? {});
  return { ...call, arguments: text.includes('"') ? text.replaceAll('"', "'") : "{'}" };
}

/**
 * Gives the first required argument a value of another type; if no argument is required, the first argument is changed. If the tool
 * declares no arguments, an unexpected argument is added.
 */
function againstSchema(call: RequestedCall, { tools }: ModelRequest): RequestedCall {
  const schema = tools?.find(({ name }) => name === call.name)?.parameters;
  const properties = isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : {};
  const required = isObject(schema) && isArray(schema["required"]) ? schema["required"] : [];
  const key = [...required, ...Object.keys(properties)].find((one) => typeof one === "string");
  if (key === undefined) return { ...call, arguments: { unexpected: [null] } };
  const others: JsonObject = isObject(call.arguments) ? call.arguments : {};
  return { ...call, arguments: { ...others, [key]: otherType(properties[key]) } };
}

function otherType(schema: JsonValue | undefined): JsonValue {
  const type = isObject(schema) ? schema["type"] : undefined;
  const types = isArray(type) ? type : [type];
  return types.some((one) => typeof one === "string" && /^object$/i.test(one)) ? 7 : { unexpected: true };
}

/** Returns the last tool call in the history. */
function lastCall({ messages }: ModelRequest): RequestedCall | null {
  for (const { calls } of [...(messages ?? [])].reverse()) {
    const last = calls.at(-1);
    if (last !== undefined) return last;
  }
  return null;
}
