import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { MessageRole, RequestedCall, ReturnedResult } from "../../model/message.ts";
import * as field from "./fields.ts";
import { kindOf, lastOf, roleOf } from "./kinds.ts";
import { isAbsentName, isEncodedFile, isPlaceholder } from "./names.ts";
import { isCutText, isOpen } from "./parse-text.ts";
import { addPart, callOf, idOf, nameOf, saysError, shownOnly, textOf } from "./parts.ts";
import { readCounts, type TokenCounts } from "./usage.ts";

const noCalls: readonly RequestedCall[] = [];
const noResults: readonly ReturnedResult[] = [];

/** Matches texts of at least two words. A shorter text may be a chunk of a streamed answer, and two chunks may be equal. */
const isSentence = /\S\s+\S/;

/** One message of a conversation, read from any notation. Arguments and results are raw: the text or value as recorded. */
export class ReadMessage {
  role: MessageRole;
  /** Name of the agent, participant or tool that wrote the message; null if unknown. */
  name: string | null = null;
  /** All text parts joined, without reasoning; null if there is no text, or only a placeholder. */
  text: string | null = null;
  calls: readonly RequestedCall[] = noCalls;
  /** Tool calls that the provider runs itself. */
  served: readonly RequestedCall[] = noCalls;
  results: readonly ReturnedResult[] = noResults;
  usage: TokenCounts | null = null;
  model: string | null = null;
  id: string | null = null;
  finish: string | null = null;
  /** Whether the message is truncated, or messages after it are missing. */
  isCut = false;
  /** Whether the list of parts is present and empty. */
  hasNoParts = false;
  /** Whether a part is a file, an image or a recording. */
  hasMedia = false;
  /** If the model received the calls or results as text: the text from which they were read; otherwise null. */
  printed: string | null = null;
  #lastText: string | null = null;

  constructor(role: MessageRole) {
    this.role = role;
  }

  get isEmpty(): boolean {
    return this.text === null && this.calls.length === 0 && this.results.length === 0;
  }

  addText(text: string): void {
    if (isPlaceholder(text) || (this.role === "user" && isEncodedFile(text))) return;
    const plain = this.role === "assistant" ? withoutThoughts(text) : withoutQuotes(text);
    // Some producers record each part twice, so a repetition of the last text is ignored.
    if (plain === this.#lastText && isSentence.test(plain)) return;
    this.#lastText = plain;
    this.text =
      this.text === null || this.text === "" ? plain : plain === "" ? this.text : `${this.text}\n${plain}`;
    if (isCutText(plain)) this.isCut = true;
  }

  addCall(call: RequestedCall, isServed = false): void {
    this.calls = added(this.calls, call);
    if (isServed) this.served = added(this.served, call);
  }

  addResult(result: ReturnedResult): void {
    this.results = added(this.results, result);
  }

  addMedia(): void {
    this.hasMedia = true;
  }

  /** Appends the next chunk of a streamed message. A chunk may begin in the middle of a word. */
  addChunk(chunk: ReadMessage): void {
    if (chunk.text !== null) this.text = (this.text ?? "") + chunk.text;
    for (const call of chunk.calls) this.addCall(call, chunk.served.includes(call));
    this.usage = chunk.usage ?? this.usage;
    this.model = chunk.model ?? this.model;
    this.finish = chunk.finish ?? this.finish;
    this.isCut ||= chunk.isCut;
  }
}

/**
 * Adds an item, and returns the list. Nearly all lists have one item, so the first item gets a new list of one: `push` to an empty list
 * would reserve memory for many items.
 */
function added<T>(items: readonly T[], item: T): readonly T[] {
  if (items.length === 0) return [item];
  (items as T[]).push(item);
  return items;
}

/**
 * Removes JSON quotes around a text that is not an answer, for example around a prompt that the producer wrote as JSON. An answer keeps its
 * quotes, because the agent may have written them.
 */
function withoutQuotes(text: string): string {
  const value = text.charCodeAt(0) === 34 ? parseJson(text) : undefined;
  return typeof value === "string" ? value : text;
}

const thoughts = /^\s*(?:<(think|thinking|thought|reasoning)>[\s\S]*?(?:<\/\1>\s*|$))+/;
const thoughtsEnd = "</think>";

/**
 * Returns an answer without the reasoning before it. If the reasoning's opening tag is part of the prompt, only the closing tag is in the
 * answer.
 */
function withoutThoughts(text: string): string {
  if (text.charCodeAt(0) <= 60 && thoughts.test(text)) return text.replace(thoughts, "");
  const end = text.indexOf(thoughtsEnd);
  return end < 0 ? text : text.slice(end + thoughtsEnd.length).trimStart();
}

/** Whether an object is a message in any notation, and not a part of a message. */
export function isMessage(object: JsonObject, fields: field.Fields): boolean {
  // A response of OpenAI's Responses API. Some producers list the response among messages and give it a role; its messages are in `output`.
  if (object["object"] === "response" && isArray(object["output"])) return false;
  if (typeof fields[field.ROLE] === "string") return true;
  if (isObject(fields[field.KWARGS]) && lastOf(fields[field.ID]) !== undefined) return true;
  const inner = fields[field.MESSAGE];
  if (isObject(inner) && isMessage(inner, field.fieldsOf(inner))) return true;
  if (isRequest(object, fields)) return true;
  const isFilled =
    fields[field.CONTENT] !== undefined ||
    fields[field.TEXT] !== undefined ||
    isObject(fields[field.DATA]) ||
    isObject(inner) ||
    fields[field.CALLS] !== undefined ||
    fields[field.PARTS] !== undefined;
  if (!isFilled || roleOf(object, fields) === undefined) return false;
  const kind = kindOf(object, fields);
  return kind === "text" || kind === "none";
}

/**
 * Whether an object without a role is a model's message: it has a list of tool requests, and no other list or object. Only a model requests
 * tools.
 */
function isRequest(object: JsonObject, fields: field.Fields): boolean {
  const calls = fields[field.CALLS];
  if (!isArray(calls) || calls.length === 0 || !calls.every(isObject)) return false;
  return Object.values(object).every(
    (value) => value === calls || typeof value !== "object" || value === null,
  );
}

/** Reads one message in any notation. `role` is the default role. */
export function readMessage(object: JsonObject, outer: field.Fields, role: MessageRole): ReadMessage {
  const recordedRole = roleOf(object, outer);
  let core = outer;
  let given = recordedRole;
  for (let depth = 0; depth < 4; depth++) {
    const inner = coreIn(core, given);
    if (inner === undefined) break;
    core = field.fieldsOf(inner);
    given ??= roleOf(inner, core);
  }
  const isResult = given === "user" && idOf(core[field.CALL_ID]) !== null;
  const message = new ReadMessage(isResult ? "tool" : (given ?? role));
  const parts = core[field.PARTS];
  const plain = core[field.CONTENT] ?? core[field.TEXT] ?? core[field.VALUE];
  if (message.role === "tool") addToolMessage(message, core, isFilled(parts) ? parts : plain);
  else {
    addContent(isFilled(parts) ? parts : (plain ?? (isArray(parts) ? parts : undefined)), message);
    if (message.text === null && isFilled(parts)) addContent(plain, message);
    if (plain === "") message.text ??= "";
  }
  addCallsBeside(message, core, outer);
  if (message.role === "user" && message.calls.length > 0) message.role = "assistant";
  message.name =
    textOf(core[field.NAME]) ??
    textOf(core[field.SPEAKER]) ??
    (given === undefined ? idOf(core[field.ROLE]) : null);
  describe(message, core);
  if (core !== outer) describe(message, outer);
  return message;
}

/**
 * Returns the object that contains the message's content: OpenInference's `message`, LangChain's `kwargs` or `data`, or a choice's
 * `message`. Undefined if there is none.
 */
function coreIn(fields: field.Fields, role: MessageRole | undefined): JsonObject | undefined {
  const inner =
    fields[field.KWARGS] ?? fields[field.MESSAGE] ?? (role === undefined ? undefined : fields[field.DATA]);
  return isObject(inner) ? inner : undefined;
}

/** Fills in model, usage, id and finish reason from the response around the message, if the message lacks them. */
export function describe(message: ReadMessage, fields: field.Fields): void {
  message.id ??= idOf(fields[field.ID]);
  describeResponse(message, fields);
  const metadata = fields[field.METADATA];
  if (isObject(metadata)) describeResponse(message, field.fieldsOf(metadata));
}

/** Matches finish reasons that mean that the message has tool requests. */
const requesting = /^(?:tool|function)_?(?:calls?|use)$/i;

function describeResponse(message: ReadMessage, fields: field.Fields): void {
  const model = fields[field.MODEL];
  if (model !== undefined) message.model ??= textOf(model);
  const finish = fields[field.FINISH];
  if (finish !== undefined) message.finish ??= textOf(finish);
  // If requests were not recorded, the message's text can be an absent value printed as text, such as `None`.
  if (message.text !== null && requesting.test(message.finish ?? "") && isAbsentName(message.text))
    message.text = null;
  const usage = fields[field.USAGE];
  if (usage !== undefined && message.usage === null && isObject(usage)) message.usage = readCounts(usage);
}

function isFilled(content: JsonValue | undefined): boolean {
  return content !== undefined && content !== "" && !(isArray(content) && content.length === 0);
}

function addContent(content: JsonValue | undefined, message: ReadMessage): void {
  if (content === undefined) return;
  if (!isArray(content)) addPart(content, message);
  else if (content.length === 0) message.hasNoParts = !isOpen(content);
  else
    for (const part of message.role === "assistant" ? withJoinedTexts(content) : content)
      addPart(part, message);
}

/** Joins successive parts that have only a text. Gemini streams one answer as several such parts. */
function withJoinedTexts(parts: readonly JsonValue[]): readonly JsonValue[] {
  if (parts.length < 2 || !parts.some((part, at) => isPiece(part) && isPiece(parts[at + 1]))) return parts;
  const joined: JsonValue[] = [];
  let isOpen = false;
  for (const part of parts) {
    const last = joined[joined.length - 1];
    if (isOpen && isPiece(part) && isPiece(last)) joined[joined.length - 1] = { text: last.text + part.text };
    else joined.push(part);
    isOpen = isPiece(part);
  }
  return joined;
}

function isPiece(part: JsonValue | undefined): part is JsonObject & { readonly text: string } {
  if (!isObject(part) || typeof part["text"] !== "string") return false;
  for (const key in part) if (key !== "text") return false;
  return true;
}

/** Adds the content of a tool message: results as parts with their call ids, or a single result. */
function addToolMessage(message: ReadMessage, core: field.Fields, content: JsonValue | undefined): void {
  if (isArray(content)) addContent(content, message);
  if (message.results.length > 0) return;
  message.text = null;
  if (message.calls.length > 0) {
    message.role = "assistant";
    return;
  }
  const extra = core[field.EXTRA];
  const inner = isObject(extra) ? field.fieldsOf(extra) : undefined;
  const given = content ?? core[field.OUTPUT];
  message.addResult({
    callId:
      idOf(core[field.CALL_ID]) ??
      idOf(inner?.[field.CALL_ID]) ??
      idOf(inner?.[field.ID]) ??
      idOf(core[field.ID]),
    name: nameOf(core[field.NAME]) ?? nameOf(inner?.[field.NAME]),
    content: shownOnly(given),
    isError: saysError(core),
  });
}

/** Adds the tool calls next to the content, if there are any. They replace calls among the content's parts, which may lack the ids. */
function addCallsBeside(message: ReadMessage, core: field.Fields, outer: field.Fields): void {
  const extra = core[field.EXTRA];
  if ((core[field.CALLS] ?? outer[field.CALLS] ?? core[field.CALL] ?? extra) === undefined) return;
  const inner = isObject(extra) ? field.fieldsOf(extra) : undefined;
  const list = filled(core[field.CALLS]) ?? filled(outer[field.CALLS]) ?? filled(inner?.[field.CALLS]);
  const single = list === undefined ? (core[field.CALL] ?? inner?.[field.CALL]) : undefined;
  const beside = list ?? (isObject(single) ? [single] : undefined);
  if (beside === undefined) return;
  const calls: RequestedCall[] = [];
  for (const item of beside) {
    const call = isObject(item) ? callOf(field.fieldsOf(item)) : undefined;
    if (call !== undefined) calls.push(call);
  }
  if (calls.length > 0) message.calls = calls;
}

function filled(list: JsonValue | undefined): readonly JsonValue[] | undefined {
  return isArray(list) && list.length > 0 ? list : undefined;
}
