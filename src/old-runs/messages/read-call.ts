import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { RequestedCall, ReturnedResult } from "../../model/message.ts";
import { idOf, objectOf, textOf, withPublicNames } from "./pick.ts";
import { valueIn } from "./unfold.ts";
import { isPlaceholder } from "../text/placeholder.ts";

/** A tool call in any notation; `undefined` when the object names no tool and has no arguments. */
export function readCall(object: JsonObject): RequestedCall | undefined {
  const outer = withPublicNames(object);
  const inner = withPublicNames(callIn(outer) ?? outer);
  const core = withPublicNames(objectOf(inner["function"]) ?? inner);
  const name =
    textOf(core["name"]) ??
    textOf(core["function"]) ??
    toolNameBeside(core) ??
    textOf(core["recipient_name"]);
  const given = argumentsIn(core);
  if (name === undefined && given === undefined) return undefined;
  const id = callIdOf(inner) ?? callIdOf(outer);
  return { id: id ?? null, name: name ?? null, arguments: readArguments(given) };
}

/** The call inside a part or an entry of a list of calls. */
function callIn(object: JsonObject): JsonObject | undefined {
  return objectOf(object["function"]) ?? wrappedCall(object);
}

/** The call that a message part wraps under a key of its own. */
export function wrappedCall(object: JsonObject): JsonObject | undefined {
  return (
    objectOf(object["tool_call"]) ??
    objectOf(object["toolCall"]) ??
    objectOf(object["function_call"]) ??
    objectOf(object["functionCall"]) ??
    objectOf(object["toolUse"]) ??
    objectOf(object["tool_use"]) ??
    objectOf(object["toolRequest"]) ??
    objectOf(object["server_tool_call"])
  );
}

/** A tool's name where it stands among other things. */
export function toolNameBeside(object: JsonObject): string | undefined {
  return (
    textOf(object["tool_name"]) ??
    textOf(object["toolName"]) ??
    textOf(object["function_name"]) ??
    textOf(object["tool_function"])
  );
}

function argumentsIn(core: JsonObject): JsonValue | undefined {
  return (
    core["arguments"] ??
    core["args"] ??
    core["input"] ??
    core["tool_kwargs"] ??
    core["tool_args"] ??
    core["toolArgs"] ??
    core["tool_input"] ??
    core["tool_arguments"] ??
    core["kwargs"] ??
    core["parameters"] ??
    undefined
  );
}

/** The id that call and result share: where there are two, `call_id` is the one that comes back. */
export function callIdOf(object: JsonObject): string | undefined {
  return (
    idOf(object["call_id"]) ??
    idOf(object["toolCallId"]) ??
    idOf(object["tool_call_id"]) ??
    idOf(object["callId"]) ??
    idOf(object["toolUseId"]) ??
    idOf(object["tool_use_id"]) ??
    idOf(object["tool_id"]) ??
    idOf(object["ref"]) ??
    idOf(object["id"])
  );
}

/** Arguments as an object where they are one, also when they were written as text. */
function readArguments(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== "string") return value;
  if (value === "" || isPlaceholder(value)) return undefined;
  return parseJson(value) ?? valueIn(value) ?? value;
}

/** The result that a message part wraps under a key of its own. */
export function wrappedResult(object: JsonObject): JsonObject | undefined {
  return (
    objectOf(object["function_response"]) ??
    objectOf(object["functionResponse"]) ??
    objectOf(object["toolResult"]) ??
    objectOf(object["tool_result"]) ??
    objectOf(object["toolResponse"]) ??
    objectOf(object["tool_response"]) ??
    objectOf(object["tool_call_result"])
  );
}

/** A tool's answer in any notation. */
export function readResult(object: JsonObject): ReturnedResult {
  const outer = withPublicNames(object);
  const inner = withPublicNames(
    wrappedResult(outer) ?? objectOf(outer["server_tool_call_response"]) ?? outer,
  );
  const origin = objectOf(inner["origin"]);
  const output = outputIn(inner);
  const typed = isObject(output) ? textOf(output["type"]) : undefined;
  const isTyped = isObject(output) && typed !== undefined && "value" in output;
  const id = callIdOf(inner) ?? (origin === undefined ? undefined : callIdOf(origin)) ?? callIdOf(outer);
  const name =
    textOf(inner["name"]) ??
    textOf(inner["tool_name"]) ??
    textOf(inner["toolName"]) ??
    (origin && (textOf(origin["name"]) ?? textOf(origin["tool_name"])));
  return {
    callId: id ?? null,
    name: name ?? null,
    content: isTyped ? output["value"] : shownOnly(joinTexts(output)),
    isError: saysError(inner) || saysError(outer) || (isTyped && typed.startsWith("error")),
  };
}

/** Nothing, where a text was hidden. */
export function shownOnly(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" && isPlaceholder(value) ? undefined : value;
}

function outputIn(object: JsonObject): JsonValue | undefined {
  return (
    object["response"] ??
    object["result"] ??
    object["output"] ??
    object["content"] ??
    object["outputs"] ??
    object["value"] ??
    object["text"] ??
    undefined
  );
}

export function saysError(object: JsonObject): boolean {
  if (object["is_error"] === true || object["isError"] === true || object["error"] === true) return true;
  const status = object["status"];
  return typeof status === "string" && /^(?:error|failed|failure)$/i.test(status);
}

/** Parts that are all text are one text; one `json` part is its value. */
export function joinTexts(value: JsonValue | undefined): JsonValue | undefined {
  if (!isArray(value) || value.length === 0) return value;
  const texts: string[] = [];
  for (const part of value) {
    if (!isObject(part)) return value;
    if (value.length === 1 && part["json"] !== undefined) return part["json"];
    const inner = objectOf(part["message_content"]) ?? part;
    const text = textOf(inner["text"]) ?? (isTextual(inner) ? textOf(inner["content"]) : undefined);
    if (text === undefined) return value;
    texts.push(text);
  }
  return texts.join("\n");
}

function isTextual(part: JsonObject): boolean {
  const type = part["type"];
  return type === "text" || type === "output_text" || type === "input_text";
}
