import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Message, MessageRole, RequestedCall, ReturnedResult } from "../../model/message.ts";
import { pick, pickObject, pickText } from "./pick.ts";
import { callIdOf, joinTexts, readCall, saysError } from "./read-call.ts";
import { addPart, kindOf, type Parts } from "./read-part.ts";
import { lastOf, roleOf } from "./roles.ts";

/** True for what any notation would call a message; a bare part of one is none. */
export function isMessage(value: JsonValue): value is JsonObject {
  if (!isObject(value)) return false;
  if (typeof (value["role"] ?? value["_role"]) === "string") return true;
  if (isObject(value["kwargs"]) && lastOf(value["id"]) !== undefined) return true;
  if (isObject(value["message"]) && isMessage(value["message"])) return true;
  const role = roleOf(value);
  const hasContent =
    "content" in value || isObject(value["data"]) || "tool_calls" in value || "parts" in value;
  return role !== undefined && hasContent && kindOf(value) !== "call" && kindOf(value) !== "result";
}

/** One message in any notation; `role` where it does not give its own. */
export function readMessage(object: JsonObject, role: MessageRole): Message {
  const core = coreOf(object);
  const own = roleOf(object) ?? roleOf(core) ?? role;
  const parts: Parts = { texts: [], calls: [], results: [] };
  const content = pick(core, "parts", "contents", "blocks", "items");
  const plain = pick(core, "content", "text", "value");
  if (own === "tool" && !hasResultParts(content) && !hasResultParts(plain)) {
    parts.results.push(resultMessage(core, isEmpty(content) ? plain : content));
  } else {
    addContent(isEmpty(content) ? plain : content, parts);
    if (parts.texts.length === 0 && !isEmpty(content)) addContent(plain, parts);
  }
  const beside = callsBeside(core);
  return {
    role: own === "user" && parts.calls.length > 0 ? "assistant" : own,
    name: pickText(core, "name", "author", "source") ?? null,
    text: textOf(parts, plain),
    calls: beside.length > 0 ? beside : parts.calls,
    results: parts.results,
  };
}

/** What is inside OpenInference's `message`, LangChain's `kwargs` and `data`, and a choice's `message`. */
function coreOf(object: JsonObject): JsonObject {
  const wrapped = pickObject(object, "kwargs", "message") ?? (roleOf(object) && pickObject(object, "data"));
  if (wrapped === undefined || wrapped === object) return object;
  const calls = object["tool_calls"];
  const inner = coreOf(wrapped);
  return calls === undefined || inner["tool_calls"] !== undefined ? inner : { ...inner, tool_calls: calls };
}

function addContent(content: JsonValue | undefined, parts: Parts): void {
  if (content === undefined) return;
  if (isArray(content)) for (const part of content) addPart(part, parts);
  else addPart(content, parts);
}

function isEmpty(content: JsonValue | undefined): boolean {
  return content === undefined || content === "" || (isArray(content) && content.length === 0);
}

function hasResultParts(content: JsonValue | undefined): boolean {
  return isArray(content) && content.some((part) => isObject(part) && kindOf(part) === "result");
}

function resultMessage(core: JsonObject, content: JsonValue | undefined): ReturnedResult {
  const extra = pickObject(core, "additional_kwargs");
  return {
    callId:
      pickText(core, "tool_call_id", "toolCallId") ?? (extra && callIdOf(extra)) ?? callIdOf(core) ?? null,
    name: pickText(core, "name", "tool_name") ?? (extra && pickText(extra, "name")) ?? null,
    content: joinTexts(content),
    isError: saysError(core),
  };
}

/** Tool calls next to the content; they have ids where calls among the parts may have none. */
function callsBeside(core: JsonObject): RequestedCall[] {
  const extra = pickObject(core, "additional_kwargs");
  const list = firstList(core["tool_calls"], core["toolCalls"], core["_tool_calls"], extra?.["tool_calls"]);
  const single =
    pickObject(core, "function_call", "functionCall") ?? (extra && pickObject(extra, "function_call"));
  const calls = list.length > 0 ? list : single === undefined ? [] : [single];
  const read: RequestedCall[] = [];
  for (const call of calls) {
    const one = isObject(call) ? readCall(call) : undefined;
    if (one !== undefined) read.push(one);
  }
  return read;
}

function firstList(...lists: readonly (JsonValue | undefined)[]): readonly JsonValue[] {
  for (const list of lists) if (isArray(list) && list.length > 0) return list;
  return [];
}

function textOf(parts: Parts, plain: JsonValue | undefined): string | null {
  if (parts.texts.length > 0) return parts.texts.filter((text) => text !== "").join("\n");
  return plain === "" ? "" : null;
}
