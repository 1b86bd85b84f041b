import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { RequestedCall, ReturnedResult } from "../../model/message.ts";
import { classKey, readRepr } from "../text/python-repr.ts";
import { pick, pickObject, pickText, plainName } from "./pick.ts";
import { namesBeside, readCall, readResult } from "./read-call.ts";

/** What the parts of one message come to. */
export interface Parts {
  readonly texts: string[];
  readonly calls: RequestedCall[];
  readonly results: ReturnedResult[];
}

type PartKind = "text" | "call" | "result" | "none";

const kinds: ReadonlyMap<string, PartKind> = new Map<string, PartKind>([
  ...spelled(
    "text",
    "text",
    "inputtext",
    "outputtext",
    "textcontent",
    "textblock",
    "textpart",
    "markdown",
    "refusal",
  ),
  ...spelled(
    "call",
    "toolcall",
    "functioncall",
    "tooluse",
    "toolrequest",
    "customtoolcall",
    "mcpcall",
    "toolcallpart",
  ),
  ...spelled(
    "call",
    "servertooluse",
    "servertoolcall",
    "responsefunctiontoolcall",
    "toolcallblock",
    "toolusecontent",
  ),
  ...spelled(
    "call",
    "chatcompletionmessagetoolcall",
    "toolselection",
    "functioncallcontent",
    "localshellcall",
  ),
  ...spelled(
    "result",
    "toolcallresponse",
    "toolresult",
    "functioncalloutput",
    "functionresult",
    "toolresponse",
  ),
  ...spelled(
    "result",
    "customtoolcalloutput",
    "functionresponse",
    "toolcallresult",
    "functionexecutionresult",
  ),
  ...spelled(
    "result",
    "servertoolcallresponse",
    "toolreturn",
    "retryprompt",
    "functionresultcontent",
    "toolcalloutput",
  ),
  ...spelled(
    "none",
    "reasoning",
    "thinking",
    "redactedthinking",
    "image",
    "imageurl",
    "file",
    "blob",
    "uri",
    "audio",
  ),
  ...spelled("none", "stepstart", "inputimage", "inputfile", "document", "video"),
]);

function spelled(kind: PartKind, ...types: readonly string[]): [string, PartKind][] {
  return types.map((type) => [type, kind]);
}

const printedParts = /^\[\s*\{\s*"type":\s*"\w+",/;

const callKeys = [
  "function_call",
  "functionCall",
  "toolUse",
  "toolRequest",
  "tool_call",
  "toolCall",
  "tool_use",
];
const resultKeys = [
  "function_response",
  "functionResponse",
  "toolResult",
  "toolResponse",
  "tool_call_result",
  "tool_result",
];

/** Adds what one part of a message says. */
export function addPart(part: JsonValue, to: Parts): void {
  if (typeof part === "string") {
    addText(part, to);
    return;
  }
  if (!isObject(part)) return;
  const inner = pickObject(part, "message_content", "root", "guardContent") ?? part;
  const kind = kindOf(inner);
  if (kind === "call") {
    const call = readCall(inner);
    if (call !== undefined) to.calls.push(call);
  } else if (kind === "result") to.results.push(readResult(inner));
  else if (kind === "text") {
    const text = pick(inner, "text", "content", "refusal", "value");
    if (typeof text === "string") addText(text, to);
    else if (isObject(text)) addText(pickText(text, "value", "text") ?? "", to);
  }
}

/** Some producers fingerprint the library's call object, or the list of parts, as if it were the model's text. */
function addText(text: string, to: Parts): void {
  const parts = printedParts.test(text) ? parseJson(text) : undefined;
  if (isArray(parts) && parts.every((part) => isObject(part) && kindOf(part) !== "none")) {
    for (const part of parts) addPart(part, to);
    return;
  }
  const printed = /^\w*ToolCall\w*\(/.test(text) ? readRepr(text) : undefined;
  const call = isObject(printed) ? readCall(printed) : undefined;
  if (call === undefined) to.texts.push(text);
  else to.calls.push(call);
}

export function kindOf(part: JsonObject): PartKind {
  const type = pickText(part, "type", "part_kind", "block_type", "content_type", "kind", classKey);
  const known = type === undefined ? undefined : kinds.get(plainName(type));
  if (known !== undefined) return known;
  if (callKeys.some((key) => isObject(part[key] ?? part[`_${key}`]))) return "call";
  if (resultKeys.some((key) => isObject(part[key] ?? part[`_${key}`]))) return "result";
  if (typeof part["text"] === "string" || holdsText(part["text"])) return "text";
  if (isNamedCall(part)) return "call";
  return type === undefined && typeof part["content"] === "string" ? "text" : "none";
}

/** Text with notes beside it: `{ text: { text: "…", qualifiers: […] } }`. */
function holdsText(value: JsonValue | undefined): boolean {
  return isObject(value) && pickText(value, "value", "text") !== undefined;
}

function isNamedCall(part: JsonObject): boolean {
  const named = pickText(part, "name", ...namesBeside) !== undefined;
  return named && pick(part, "arguments", "args", "input", "tool_kwargs", "tool_arguments") !== undefined;
}
