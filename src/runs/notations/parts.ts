import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { RequestedCall, ReturnedResult } from "../../model/message.ts";
import * as field from "./fields.ts";
import { isMedia, kindOf, type PartKind } from "./kinds.ts";
import { isAbsentName, isPlaceholder } from "./names.ts";
import { isOpen, parseText } from "./parse-text.ts";

/** Accumulates the parts of a message. */
export interface PartSink {
  addText(text: string): void;
  /** `isServed`: whether the provider runs the call within the response. */
  addCall(call: RequestedCall, isServed?: boolean): void;
  addResult(result: ReturnedResult): void;
  /** Adds a file, an image or a recording. */
  addMedia(): void;
}

export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Returns `value` if it is an id; null if it is not a text, or is a placeholder for an absent id. */
export function idOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" && !isAbsentName(value, true) ? value : null;
}

/** Returns `value` if it is a name; null if it is not a text, is empty, or is a placeholder for a hidden name. */
export function nameOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" && !isPlaceholder(value) ? value : null;
}

/** Returns the value; undefined if it is a placeholder for a hidden text. */
export function shownOnly(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" && isPlaceholder(value) ? undefined : value;
}

export function addPart(part: JsonValue, to: PartSink): void {
  if (typeof part === "string") {
    addText(part, to);
    return;
  }
  if (!isObject(part)) return;
  if (part["type"] === "text") {
    const text = part["content"] ?? part["text"];
    if (typeof text === "string") {
      addText(text, to);
      return;
    }
  }
  const fields = field.fieldsOf(part);
  const inner = fields[field.PART];
  if (isObject(inner)) addFields(inner, field.fieldsOf(inner), to);
  else addFields(part, fields, to);
}

/** Adds a part of a message to `to`, and returns its kind. `fields`: the part's keys, as read by `fieldsOf`. */
export function addFields(part: JsonObject, fields: field.Fields, to: PartSink): PartKind {
  const kind = kindOf(part, fields);
  if (kind === "call") {
    const call = callOf(fields);
    if (call !== undefined) to.addCall(call);
  } else if (kind === "result") to.addResult(resultOf(part, fields));
  else if (kind === "run") addRun(part, fields, to);
  else if (kind === "text") {
    const text = fields[field.TEXT] ?? fields[field.CONTENT] ?? fields[field.REFUSAL] ?? fields[field.VALUE];
    if (typeof text === "string") addText(text, to);
  } else if (isMedia(fields)) to.addMedia();
  return kind;
}

const printedCall = /^\w*ToolCall\w*\(/;
/** Matches class names that producers write instead of a part whose content they do not record. */
const partClass =
  /^(?:ToolCall(?:Request|Response|Part)?|ToolReturn(?:Part)?|ToolUse(?:Block)?|ToolResult(?:Block)?|FunctionCall|TextPart|TextBlock)$/;

const beginsParts = /^\s*\[?\s*\{(?=[^\n]*["']type["']\s*:\s*["'](?:input_|output_)?text["'])/;

/**
 * Adds a text. If the text is a printed call or a list of text parts, adds the call or the parts instead. Adds nothing if the text is only
 * the class name of a part. Some producers print the call object as the model's text, or write the text's parts as JSON or printed Python.
 */
function addText(text: string, to: PartSink): void {
  const first = text.charCodeAt(0);
  if ((first === 91 || first === 123) && beginsParts.test(text)) {
    const value = parseText(text)?.value;
    const parts = isArray(value) ? value : [value];
    if (parts.length > 0 && !isOpen(value) && parts.every(isTextPart)) {
      for (const { text: partText } of parts) to.addText(partText);
      return;
    }
  }
  if (first >= 65 && first <= 90) {
    if (partClass.test(text)) return;
    const printed = printedCall.test(text) ? parseText(text)?.value : undefined;
    const call = isObject(printed) && !isOpen(printed) ? callOf(field.fieldsOf(printed)) : undefined;
    if (call !== undefined) {
      to.addCall(call);
      return;
    }
  }
  to.addText(text);
}

function isTextPart(part: JsonValue | undefined): part is JsonObject & { readonly text: string } {
  return (
    isObject(part) &&
    (part["type"] === "text" || part["type"] === "output_text" || part["type"] === "input_text") &&
    typeof part["text"] === "string"
  );
}

/** Returns a tool call in any notation; undefined if the object names no tool and has no arguments. */
export function callOf(outer: field.Fields): RequestedCall | undefined {
  const wrapped = outer[field.CALL];
  const inner = isObject(wrapped) ? field.fieldsOf(wrapped) : outer;
  const called = inner[field.FUNCTION];
  const core = isObject(called) ? field.fieldsOf(called) : inner;
  const own = textOf(core[field.NAME]) ?? textOf(core[field.FUNCTION]);
  const name = own ?? textOf(inner[field.NAME]) ?? textOf(outer[field.NAME]);
  // If the tool's name is next to the wrapped object, this object contains the arguments.
  const isNamedBeside = own === null && name !== null && core === inner && isObject(wrapped);
  const given = isNamedBeside
    ? (core[field.ARGUMENTS] ?? wrapped)
    : (core[field.ARGUMENTS] ?? core[field.CALL_ARGUMENTS] ?? core[field.KWARGS]);
  if (name === null && given === undefined) return undefined;
  return {
    id: callIdOf(inner) ?? callIdOf(outer),
    name: nameOf(name ?? undefined),
    arguments: given === "" ? undefined : shownOnly(given),
  };
}

/** Returns the id that a call and its result share; null if there is none. If a call has two ids, results refer to `call_id`. */
function callIdOf(fields: field.Fields): string | null {
  return idOf(fields[field.CALL_ID]) ?? idOf(fields[field.ID]);
}

/** Returns a tool result in any notation. */
function resultOf(part: JsonObject, outer: field.Fields): ReturnedResult {
  const wrapped = outer[field.RESULT];
  const inner = isObject(wrapped) ? field.fieldsOf(wrapped) : outer;
  const origin = inner[field.ORIGIN];
  const source = isObject(origin) ? field.fieldsOf(origin) : undefined;
  const failure = part["type"] === "tool-error" ? part["error"] : undefined;
  const output = failure ?? outputIn(inner) ?? (isObject(wrapped) ? wrapped["results"] : undefined);
  const type = isObject(output) ? output["type"] : undefined;
  const isTyped = isObject(output) && typeof type === "string" && "value" in output;
  return {
    callId:
      idOf(inner[field.CALL_ID]) ?? (source && callIdOf(source)) ?? idOf(inner[field.ID]) ?? callIdOf(outer),
    name: nameOf(inner[field.NAME]) ?? nameOf(source?.[field.NAME]) ?? nameOf(outer[field.NAME]),
    content: shownOnly(isTyped ? output["value"] : output),
    isError:
      failure !== undefined ||
      saysError(inner) ||
      saysError(outer) ||
      isErrorType(type) ||
      outer[field.TYPE] === "retry-prompt",
  };
}

/** Whether a type means an error, such as Vercel's `error-text` or Anthropic's `web_search_tool_result_error`. */
function isErrorType(type: JsonValue | undefined): boolean {
  return typeof type === "string" && (type.startsWith("error") || type.endsWith("_error"));
}

function outputIn(fields: field.Fields): JsonValue | undefined {
  return fields[field.OUTPUT] ?? fields[field.CONTENT] ?? fields[field.VALUE] ?? fields[field.TEXT];
}

/** Whether flags or a status next to a result report a failure. */
export function saysError(fields: field.Fields): boolean {
  const status = fields[field.STATUS];
  return fields[field.ERROR] === true || (typeof status === "string" && failed.test(status));
}

const failed = /^(?:error|failed|failure|output-error)$/i;

/** Adds a call and, if the part has one, its result: `{ type: "mcp_call", name, arguments, output, error }`. */
function addRun(part: JsonObject, outer: field.Fields, to: PartSink): void {
  const wrapped = part["toolInvocation"];
  const fields = isObject(wrapped) ? field.fieldsOf(wrapped) : outer;
  const type = textOf(outer[field.TYPE]) ?? "";
  const call = callOf(fields);
  const name = call?.name ?? type.replace(/^tool-|_call$/g, "");
  const id = callIdOf(fields);
  to.addCall({ id, name, arguments: call?.arguments }, type.endsWith("_call"));
  const error = part["error"] ?? part["errorText"] ?? undefined;
  const output = error ?? fields[field.OUTPUT] ?? part["results"] ?? undefined;
  if (output !== undefined)
    to.addResult({
      callId: id,
      name,
      content: shownOnly(output),
      isError: error !== undefined || saysError(fields),
    });
}
