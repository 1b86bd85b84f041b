import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Message, MessageRole, RequestedCall, ReturnedResult } from "../../model/message.ts";
import { idOf, objectOf, textOf, withPublicNames } from "./pick.ts";
import { callIdOf, joinTexts, readCall, saysError, shownOnly } from "./read-call.ts";
import { addPart, kindOf, noCalls, Parts } from "./read-part.ts";
import { lastOf, roleOf } from "./roles.ts";

/** True for what any notation would call a message; a part of one is none. */
export function isMessage(value: JsonValue): value is JsonObject {
  if (!isObject(value) || isWholeResponse(value)) return false;
  if (typeof (value["role"] ?? value["_role"]) === "string") return true;
  if (isObject(value["kwargs"]) && lastOf(value["id"]) !== undefined) return true;
  const inner = value["message"];
  if (isObject(inner) && isMessage(inner)) return true;
  const hasContent =
    "content" in value || isObject(value["data"]) || "tool_calls" in value || "parts" in value;
  if (!hasContent || roleOf(value) === undefined) return false;
  const kind = kindOf(value);
  return kind !== "call" && kind !== "result";
}

/** What OpenAI's Responses API returned: producers that list it among messages give it a role. Its messages are within. */
function isWholeResponse(value: JsonObject): boolean {
  return value["object"] === "response" && isArray(value["output"]);
}

/** A tool that the model may call, which Langfuse's callback lists after the messages as if a tool had said it. */
export function isDefinition(value: JsonValue | undefined): boolean {
  const content = isObject(value) && value["role"] === "tool" ? value["content"] : undefined;
  return (
    isObject(content) &&
    content["type"] === "function" &&
    "parameters" in (objectOf(content["function"]) ?? {})
  );
}

/** One message in any notation; `role` where it does not give its own. */
export function readMessage(object: JsonObject, role: MessageRole): Message {
  const outer = withPublicNames(object);
  const core = coreOf(outer);
  const given = roleOf(outer) ?? (core === outer ? undefined : roleOf(core));
  const own = given ?? role;
  const parts = new Parts();
  const content = core["parts"] ?? core["contents"] ?? core["blocks"] ?? core["items"] ?? undefined;
  const plain = core["content"] ?? core["text"] ?? core["value"] ?? undefined;
  const hasContent = !isEmpty(content);
  if (own === "tool" && !hasResultParts(content) && !hasResultParts(plain)) {
    parts.addResult(resultMessage(core, hasContent ? content : plain));
  } else {
    addContent(hasContent ? content : plain, parts);
    if (parts.texts.length === 0 && hasContent) addContent(plain, parts);
  }
  const beside = callsBeside(core);
  return {
    role: own === "user" && parts.calls.length > 0 ? "assistant" : own,
    name:
      textOf(core["name"]) ??
      textOf(core["author"]) ??
      textOf(core["source"]) ??
      roleWord(core, given) ??
      null,
    text: joined(parts.texts, plain),
    calls: beside.length > 0 ? beside : parts.calls,
    results: parts.results,
  };
}

/** A word of the producer's own in place of a role: the name of who speaks. */
function roleWord(core: JsonObject, given: MessageRole | undefined): string | undefined {
  return given === undefined ? idOf(core["role"]) : undefined;
}

/** What is inside OpenInference's `message`, LangChain's `kwargs` and `data`, and a choice's `message`. */
function coreOf(object: JsonObject): JsonObject {
  const wrapped =
    objectOf(object["kwargs"]) ??
    objectOf(object["message"]) ??
    (isObject(object["data"]) && roleOf(object) !== undefined ? object["data"] : undefined);
  if (wrapped === undefined || wrapped === object) return object;
  const calls = object["tool_calls"];
  const inner = coreOf(withPublicNames(wrapped));
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
  const extra = objectOf(core["additional_kwargs"]);
  return {
    callId:
      idOf(core["tool_call_id"]) ??
      idOf(core["toolCallId"]) ??
      (extra && callIdOf(extra)) ??
      callIdOf(core) ??
      null,
    name: textOf(core["name"]) ?? textOf(core["tool_name"]) ?? (extra && textOf(extra["name"])) ?? null,
    content: shownOnly(joinTexts(content)),
    isError: saysError(core) || isRetryPrompt(content),
  };
}

/** The words that Pydantic AI puts behind what went wrong in a tool. */
function isRetryPrompt(content: JsonValue | undefined): boolean {
  return typeof content === "string" && content.endsWith("\n\nFix the errors and try again.");
}

/** Tool calls next to the content; they have ids where calls among the parts may have none. */
function callsBeside(core: JsonObject): readonly RequestedCall[] {
  const extra = objectOf(core["additional_kwargs"]);
  const list = filled(core["tool_calls"]) ?? filled(core["toolCalls"]) ?? filled(extra?.["tool_calls"]);
  if (list === undefined) {
    const single =
      objectOf(core["function_call"]) ??
      objectOf(core["functionCall"]) ??
      (extra && objectOf(extra["function_call"]));
    const call = single === undefined ? undefined : readCall(single);
    return call === undefined ? noCalls : [call];
  }
  const parts = new Parts();
  for (const item of list) {
    const call = isObject(item) ? readCall(item) : undefined;
    if (call !== undefined) parts.addCall(call);
  }
  return parts.calls;
}

function filled(list: JsonValue | undefined): readonly JsonValue[] | undefined {
  return isArray(list) && list.length > 0 ? list : undefined;
}

function joined(texts: readonly string[], plain: JsonValue | undefined): string | null {
  if (texts.length === 1) return texts[0] ?? "";
  if (texts.length > 1) return texts.filter((text) => text !== "").join("\n");
  return plain === "" ? "" : null;
}
