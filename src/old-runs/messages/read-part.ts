import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { RequestedCall, ReturnedResult } from "../../model/message.ts";
import { classKey, readRepr } from "../text/python-repr.ts";
import { objectOf, pickText, plainName, textOf, withPublicNames } from "./pick.ts";
import { readCall, readResult, toolNameBeside, wrappedCall, wrappedResult } from "./read-call.ts";
import { wordList } from "../../support/structures/word-list.ts";

const noTexts: readonly string[] = [];
export const noCalls: readonly RequestedCall[] = [];
export const noResults: readonly ReturnedResult[] = [];

/** What the parts of one message come to. */
export class Parts {
  texts: readonly string[] = noTexts;
  calls: readonly RequestedCall[] = noCalls;
  results: readonly ReturnedResult[] = noResults;

  get isEmpty(): boolean {
    return this.texts.length + this.calls.length + this.results.length === 0;
  }

  addText(text: string): void {
    this.texts = added(this.texts, text);
  }

  addCall(call: RequestedCall): void {
    this.calls = added(this.calls, call);
  }

  addResult(result: ReturnedResult): void {
    this.results = added(this.results, result);
  }
}

/** Nearly all lists have one item or none: an array to which items are pushed takes room for many. */
function added<T>(items: readonly T[], item: T): readonly T[] {
  if (items.length === 0) return [item];
  (items as T[]).push(item);
  return items;
}

type PartKind = "text" | "call" | "result" | "none";

const kinds: ReadonlyMap<string, PartKind> = new Map<string, PartKind>([
  ...spelled("text", "text inputtext outputtext textcontent textblock textpart markdown refusal"),
  ...spelled(
    "call",
    `
    toolcall functioncall tooluse toolrequest customtoolcall mcpcall toolcallpart servertooluse
    servertoolcall responsefunctiontoolcall toolcallblock toolusecontent
    chatcompletionmessagetoolcall toolselection functioncallcontent localshellcall
  `,
  ),
  ...spelled(
    "result",
    `
    toolcallresponse toolresult functioncalloutput functionresult toolresponse functioncallresult
    customtoolcalloutput functionresponse toolcallresult functionexecutionresult
    servertoolcallresponse toolreturn retryprompt functionresultcontent toolcalloutput
    shellcalloutput localshellcalloutput computercalloutput computercallresult
  `,
  ),
  ...spelled(
    "none",
    `
    reasoning thinking redactedthinking image imageurl file blob uri audio stepstart inputimage
    inputfile document video
  `,
  ),
]);

function spelled(kind: PartKind, types: string): [string, PartKind][] {
  return wordList(types).map((type) => [type, kind]);
}

const printedParts = /^\[\s*\{\s*"type":\s*"\w+",/;

/** Adds what one part of a message says. */
export function addPart(part: JsonValue, to: Parts): void {
  if (typeof part === "string") {
    addText(part, to);
    return;
  }
  if (!isObject(part)) return;
  const outer = withPublicNames(part);
  const wrapped =
    objectOf(outer["message_content"]) ?? objectOf(outer["root"]) ?? objectOf(outer["guardContent"]);
  const inner = wrapped === undefined ? outer : withPublicNames(wrapped);
  const kind = kindOf(inner);
  if (kind === "call") {
    const call = readCall(inner);
    if (call !== undefined) to.addCall(call);
  } else if (kind === "result") to.addResult(readResult(inner));
  else if (kind === "text") {
    const text = inner["text"] ?? inner["content"] ?? inner["refusal"] ?? inner["value"];
    if (typeof text === "string") addText(text, to);
    else if (isObject(text)) addText(pickText(text, "value", "text") ?? "", to);
  }
}

/** Some producers print the library's call object, or the list of parts, as if it were the model's text. */
function addText(text: string, to: Parts): void {
  const parts = printedParts.test(text) ? parseJson(text) : undefined;
  if (isArray(parts) && parts.every((part) => isObject(part) && kindOf(part) !== "none")) {
    for (const part of parts) addPart(part, to);
    return;
  }
  const printed = /^\w*ToolCall\w*\(/.test(text) ? readRepr(text) : undefined;
  const call = isObject(printed) ? readCall(printed) : undefined;
  if (call === undefined) to.addText(text);
  else to.addCall(call);
}

/** What a part is. */
export function kindOf(given: JsonObject): PartKind {
  const part = withPublicNames(given);
  const type =
    textOf(part["type"]) ??
    textOf(part["part_kind"]) ??
    textOf(part["block_type"]) ??
    textOf(part["content_type"]) ??
    textOf(part["kind"]) ??
    textOf(part[classKey]);
  const known = type === undefined ? undefined : kinds.get(plainName(type));
  if (known !== undefined) return known;
  if (wrappedCall(part) !== undefined) return "call";
  if (wrappedResult(part) !== undefined) return "result";
  if (typeof part["text"] === "string" || holdsText(part["text"])) return "text";
  if (isNamedCall(part)) return "call";
  if (type === undefined && "call_id" in part && "is_error" in part) return "result";
  return type === undefined && typeof part["content"] === "string" ? "text" : "none";
}

/** Text with notes beside it: `{ text: { text: "…", qualifiers: […] } }`. */
function holdsText(value: JsonValue | undefined): boolean {
  return isObject(value) && pickText(value, "value", "text") !== undefined;
}

function isNamedCall(part: JsonObject): boolean {
  if ((textOf(part["name"]) ?? toolNameBeside(part)) === undefined) return false;
  return (
    (part["arguments"] ??
      part["args"] ??
      part["input"] ??
      part["tool_kwargs"] ??
      part["tool_arguments"] ??
      undefined) !== undefined
  );
}
