import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { RequestedCall } from "../../model/message.ts";
import { plainName } from "./names.ts";
import { shownOnly } from "./parts.ts";
import { isCutText, isOpen, parseText } from "./parse-text.ts";

const MAX_DEPTH = 8;
/** Maximum length, in characters, of the mark at the end of a truncated text. */
const LONGEST_MARK = 64;

/** A tool's arguments. `isCut`: the producer truncated the arguments, so their end is unknown. */
export interface ToolArguments {
  readonly value: JsonValue | undefined;
  readonly isCut: boolean;
}

/**
 * Returns a tool's arguments without the wrappers of decorators and frameworks; undefined if none were recorded. An object that contains
 * the tool's name next to its arguments is such a wrapper.
 */
export function argumentsOf(raw: JsonValue | undefined, tool: string | null = null): ToolArguments {
  let value = raw;
  let isCut = false;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (value === undefined || value === null || value === "") return { value: undefined, isCut };
    isCut ||= isOpen(value);
    let inner: JsonValue | undefined;
    if (typeof value === "string") {
      const parsed = parseText(value);
      if (parsed === undefined) return { value: shownOnly(value), isCut: isCut || isCutText(value) };
      inner = parsed.value;
    } else if (isArray(value)) {
      if (value.length !== 1) break;
      inner = value[0];
    } else if (isObject(value)) {
      inner = argumentsIn(value, tool);
      if (inner === undefined) break;
    } else break;
    value = inner;
  }
  return { value: value ?? undefined, isCut: isCut || hasCutValue(value) };
}

/** Matches the end of a truncated text that states the length of the complete text, such as `…[954 chars]`. */
const statedLength = /(?:…|\.\.\.)\s?\[\+?\d+ (?:more )?char(?:acter)?s?\]$/;

/** Whether a value in the arguments is a truncated text that states the length of the complete text. */
function hasCutValue(value: JsonValue | undefined): boolean {
  if (!isObject(value)) return false;
  for (const key in value) {
    const text = value[key];
    if (typeof text === "string" && text.endsWith("]") && statedLength.test(text.slice(-LONGEST_MARK)))
      return true;
  }
  return false;
}

/** Keys of a tool call: `{ id, type, name, arguments }`. */
const keysOfCall = ["name", "arguments", "id", "type", "call_id"] as const;

/** Whether an object is a tool call. A type other than a call's, such as `fast`, is an argument of a tool. */
function isCall(object: JsonObject): boolean {
  const { type, arguments: inner } = object;
  if (!("arguments" in object) || !hasOnly(object, ...keysOfCall)) return false;
  if (hasOnly(object, "name", "arguments")) return true;
  const isTyped = typeof type === "string" && /^(?:function|tool)(?:$|_)/.test(type);
  return (isTyped || type === undefined) && (isObject(inner) || typeof inner === "string");
}

/** Returns the content of an envelope; null if the envelope is empty, undefined if the object is not an envelope. */
function argumentsIn(object: JsonObject, tool: string | null): JsonValue | undefined {
  if (object["name"] === tool && isCall(object)) return object["arguments"];
  if (isRedacted(object)) return null;
  const { args, kwargs, inputs, input_str: text, tool_call: call, type, value, input } = object;
  if (isToolWords(object)) return object["content"] === "" ? null : object["content"];
  if (type === "json" && hasOnly(object, "type", "value")) return value;
  if (type === "text" && typeof value === "string" && hasOnly(object, "type", "value"))
    return isObject(parseText(value)?.value) ? value : undefined;
  if (text !== undefined && inputs !== undefined) return isObject(inputs) ? inputs : text;
  // LangGraph's wrapper `tool_call_with_context`.
  if (isObject(call) && "args" in call) return call["args"];
  if (type === "tool_call" && isObject(args)) return args;
  if ((isArray(args) || isObject(kwargs)) && areFlags(object, "args", "kwargs")) {
    if (isObject(kwargs) && Object.keys(kwargs).length > 0) return kwargs;
    return isArray(args) && args.length > 0 ? args : {};
  }
  if (kwargs === undefined && "sanitize_inputs_outputs" in object) {
    const { args: _, sanitize_inputs_outputs: __, ...own } = object;
    return own;
  }
  // BeeAI writes `options` next to the tool's input.
  if (input !== undefined && hasOnly(object, "input", "type", ...(isObject(input) ? ["options"] : []))) {
    const inner = typeof input === "string" ? parseText(input)?.value : input;
    return isObject(inner) ? input : undefined;
  }
  return undefined;
}

/** Whether an object only states that the arguments were removed, `{ __redacted: "…" }`. */
function isRedacted(object: JsonObject): boolean {
  const [first, ...others] = Object.keys(object);
  return first !== undefined && others.length === 0 && /^_{1,2}redacted_{0,2}$/i.test(first);
}

/** Whether an object is a tool's text in the form of a message, `{ role: "tool", content: "…" }`. The role may also be `unknown`. */
export function isToolWords(object: JsonObject): boolean {
  const role = object["role"];
  if (role !== "tool" && role !== "unknown") return false;
  return typeof object["content"] === "string" && hasOnly(object, "role", "content");
}

/** Whether all keys of an object except `besides` are flags, as a decorator writes its settings. */
export function areFlags(object: JsonObject, ...besides: readonly string[]): boolean {
  for (const key in object) {
    const value = object[key];
    if (value !== null && typeof value !== "boolean" && !besides.includes(key)) return false;
  }
  return true;
}

export function hasOnly(object: JsonObject, ...allowed: readonly string[]): boolean {
  for (const key in object) if (!allowed.includes(key)) return false;
  return true;
}

/** Text that is equal for equal arguments. Absent and empty arguments are equal. */
export function argumentsKey(value: JsonValue | undefined): string {
  return value === undefined || value === null ? "{}" : canonicalJson(value);
}

/** Text that is equal for requests with equal names and arguments. */
export function signatureOf({ name, arguments: args }: Pick<RequestedCall, "name" | "arguments">): string {
  return `${plainName(name ?? "")} ${argumentsKey(argumentsOf(args).value)}`;
}
