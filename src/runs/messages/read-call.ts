import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { RequestedCall, ReturnedResult } from "../../model/message.ts";
import { pick, pickObject, pickText } from "./pick.ts";
import { valueIn } from "./unfold.ts";

const wrappers = [
  "function",
  "tool_call",
  "toolCall",
  "function_call",
  "functionCall",
  "toolUse",
  "tool_use",
  "toolRequest",
  "server_tool_call",
] as const;

/** Keys of a tool's name where it stands among other things. */
export const namesBeside = ["tool_name", "toolName", "function_name", "tool_function"] as const;

/** A tool call in any notation; `undefined` when the object names no tool and has no arguments. */
export function readCall(object: JsonObject): RequestedCall | undefined {
  const inner = pickObject(object, ...wrappers) ?? object;
  const core = pickObject(inner, "function") ?? inner;
  const name = pickText(core, "name", "function", ...namesBeside, "recipient_name");
  const given = pick(
    core,
    "arguments",
    "args",
    "input",
    "tool_kwargs",
    "tool_args",
    "toolArgs",
    "tool_input",
    "tool_arguments",
    "kwargs",
    "parameters",
  );
  if (name === undefined && given === undefined) return undefined;
  const id = callIdOf(inner) ?? callIdOf(object);
  return { id: id ?? null, name: name ?? null, arguments: readArguments(given) };
}

/** The id that call and result share: where there are two, `call_id` is the one that comes back. */
export function callIdOf(object: JsonObject): string | undefined {
  return pickText(
    object,
    "call_id",
    "toolCallId",
    "tool_call_id",
    "callId",
    "toolUseId",
    "tool_use_id",
    "tool_id",
    "ref",
    "id",
  );
}

/** Arguments as an object where they are one, also when they were written as text. */
function readArguments(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== "string") return value;
  if (value === "") return undefined;
  return parseJson(value) ?? valueIn(value) ?? value;
}

const resultWrappers = [
  "function_response",
  "functionResponse",
  "toolResult",
  "tool_result",
  "toolResponse",
  "tool_response",
  "tool_call_result",
  "server_tool_call_response",
] as const;

/** A tool's answer in any notation. */
export function readResult(object: JsonObject): ReturnedResult {
  const inner = pickObject(object, ...resultWrappers) ?? object;
  const origin = pickObject(inner, "origin");
  const output = pick(inner, "response", "result", "output", "content", "outputs", "value", "text");
  const typed = isObject(output) ? pickText(output, "type") : undefined;
  const isTyped = isObject(output) && typed !== undefined && "value" in output;
  const id = callIdOf(inner) ?? (origin === undefined ? undefined : callIdOf(origin)) ?? callIdOf(object);
  const name =
    pickText(inner, "name", "tool_name", "toolName") ?? (origin && pickText(origin, "name", "tool_name"));
  return {
    callId: id ?? null,
    name: name ?? null,
    content: isTyped ? output["value"] : joinTexts(output),
    isError: saysError(inner) || saysError(object) || (isTyped && typed.startsWith("error")),
  };
}

export function saysError(object: JsonObject): boolean {
  const status = object["status"];
  return (
    object["is_error"] === true ||
    object["isError"] === true ||
    object["error"] === true ||
    (typeof status === "string" && /^(?:error|failed|failure)$/i.test(status))
  );
}

/** Parts that are all text are one text; one `json` part is its value. */
export function joinTexts(value: JsonValue | undefined): JsonValue | undefined {
  if (!isArray(value) || value.length === 0) return value;
  const texts: string[] = [];
  for (const part of value) {
    if (!isObject(part)) return value;
    if (value.length === 1 && part["json"] !== undefined) return part["json"];
    const inner = pickObject(part, "message_content") ?? part;
    const text = pickText(inner, "text") ?? (isTextual(inner) ? pickText(inner, "content") : undefined);
    if (text === undefined) return value;
    texts.push(text);
  }
  return texts.join("\n");
}

function isTextual(part: JsonObject): boolean {
  const type = part["type"];
  return type === "text" || type === "output_text" || type === "input_text";
}
