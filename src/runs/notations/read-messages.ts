import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { MessageRole } from "../../model/message.ts";
import { wordList } from "../../support/structures/word-list.ts";
import { hasOnly } from "./arguments.ts";
import * as field from "./fields.ts";
import { kindOf, roleNamed } from "./kinds.ts";
import { isOpen, parseText, unfold } from "./parse-text.ts";
import { addFields, textOf } from "./parts.ts";
import { describe, isMessage, ReadMessage, readMessage } from "./read-message.ts";
import { withPrintedSteps } from "./printed-steps.ts";

const MAX_DEPTH = 12;
const MAX_MESSAGES = 10_000;
const MAX_NODES = 100_000;

/**
 * Reads the messages in a value of any notation. The value is a list of messages, one message, parts of a message, a request, a response,
 * or text that contains one of these. `fallback` is the default role. Plain text becomes one message.
 */
export function readMessages(value: JsonValue | undefined, fallback: MessageRole): ReadMessage[] {
  if (typeof value !== "string") return messagesWithin(value, fallback);
  const parsed = parseText(value);
  const found = parsed === undefined ? [] : readFurtherMessages(parsed.value, fallback);
  if (found.length > 0) return found;
  const message = new ReadMessage(fallback);
  // Some recorders write every value as JSON, so a text in JSON quotes is parsed. Texts in messages are not parsed, because their author
  // may have written the quotes.
  message.addText(typeof parsed?.value === "string" ? parsed.value : value);
  if (parsed?.isCut === true) message.isCut = true;
  return withPrintedSteps([message]);
}

/** Like `readMessages`, but returns no message for plain text and plain data. */
export function messagesWithin(value: JsonValue | undefined, fallback: MessageRole): ReadMessage[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "string") return readFurtherMessages(value, fallback);
  const parsed = parseText(value);
  return parsed === undefined ? [] : readFurtherMessages(parsed.value, fallback);
}

/** Reads the messages that continue the list `before`. */
export function readFurtherMessages(
  value: JsonValue,
  fallback: MessageRole,
  before: readonly ReadMessage[] = [],
): ReadMessage[] {
  return new Reading(before).all(value, fallback);
}

/** Keys of messages in requests and responses, in order of preference. */
const envelopes = field.ranksOf(
  wordList(`
  messages input_messages output_messages contents generations choices candidates replies message
  llm_input_messages new_messages chat_history conversation history items request response update
  output outputs input inputs result kwargs data content arg prompt raw value
`).flatMap((key) => [key, `_${key}`]),
);

/** Keys of a separate system prompt in several APIs. */
const systemKeys = wordList("system instructions systemInstruction system_instruction");

/** Reads the messages in one value, with limits on depth, visited values and messages. */
class Reading {
  readonly #found: ReadMessage[] = [];
  readonly #isBegun: boolean;
  #nodes = 0;

  /** `before`: messages of the same list that were read earlier. */
  constructor(before: readonly ReadMessage[]) {
    this.#isBegun = !before.every(isSystem);
  }

  all(value: JsonValue, role: MessageRole): ReadMessage[] {
    this.#visit(value, role, 0);
    return withPrintedSteps(this.#found);
  }

  /**
   * Whether reading may continue. False if a limit is reached. At the limit of values or of messages, also marks the last message as
   * truncated.
   */
  #mayGoOn(depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (++this.#nodes <= MAX_NODES && this.#found.length < MAX_MESSAGES) return true;
    this.#noteCut(0);
    return false;
  }

  /** Marks the last message as truncated, if it is not among the first `before` messages. */
  #noteCut(before: number): void {
    const last = this.#found[this.#found.length - 1];
    if (last !== undefined && this.#found.length > before) last.isCut = true;
  }

  #visit(value: JsonValue, role: MessageRole, depth: number): void {
    if (!this.#mayGoOn(depth)) return;
    if (typeof value === "string") {
      const parsed = parseText(value);
      if (parsed === undefined || typeof parsed.value === "string") return;
      this.#visit(parsed.value, role, depth + 1);
    } else if (isArray(value)) this.#visitList(value, role, depth);
    else if (isObject(value)) this.#visitObject(value, field.fieldsOf(value), role, depth);
  }

  #visitObject(object: JsonObject, fields: field.Fields, role: MessageRole, depth: number): void {
    if (isMessage(object, fields)) this.#addMessage(object, fields, role);
    else if (this.#addModelRequest(object, fields)) return;
    else if (kindOf(object, fields) !== "none") this.#addPart(object, fields, new ReadMessage(role));
    else this.#visitEnvelope(object, fields, role, depth);
  }

  /** Adds a message, or the history that is its text. */
  #addMessage(object: JsonObject, fields: field.Fields, role: MessageRole): void {
    const message = readMessage(object, fields, role);
    // `parts` contains the complete message. If `parts` is complete, it does not matter that keys after it were truncated.
    const parts = fields[field.PARTS];
    if (isOpen(object) && (!isArray(parts) || isOpen(parts))) message.isCut = true;
    if (isDefinition(message)) return;
    const history = this.#mayQuote(message) ? quotedHistory(message.text) : undefined;
    if (history === undefined) this.#found.push(message);
    else this.#visitList(history, message.role, 0);
  }

  /** Whether the message may have the whole history as its text: no message but the system prompt is before it. */
  #mayQuote({ role, calls, results }: ReadMessage): boolean {
    const isText = role === "user" && calls.length === 0 && results.length === 0;
    return isText && !this.#isBegun && this.#found.every(isSystem);
  }

  #addPart(part: JsonObject, fields: field.Fields, message: ReadMessage): void {
    const isNew = this.#found[this.#found.length - 1] !== message;
    const kind = addFields(part, fields, message);
    // A message with a hidden text still counts as a message.
    if (isNew && (kind === "text" || !message.isEmpty)) this.#found.push(message);
    if (message.calls.length > 0) message.role = "assistant";
    else if (message.results.length > 0 && message.text === null) message.role = "tool";
  }

  /**
   * Reads a `ModelRequest` or `ModelResponse` as Pydantic AI serialises them: `{ kind: "request", parts: [{ part_kind: "user-prompt", … }]
   * }`. Adds one message for a response, and one message for each part of a request, because the parts of a request have different roles.
   * Returns false for any other object.
   */
  #addModelRequest(object: JsonObject, fields: field.Fields): boolean {
    const kind = object["kind"];
    const parts = fields[field.PARTS];
    if (!isArray(parts) || (kind !== "request" && kind !== "response")) return false;
    if (kind === "response") {
      this.#found.push(readMessage(object, fields, "assistant"));
      return true;
    }
    const instructions = textOf(object["instructions"]);
    if (instructions !== null) this.#addText(instructions, "system");
    for (const part of parts) {
      if (!isObject(part) || !this.#mayGoOn(0)) continue;
      const partKind = part["part_kind"];
      const inner = field.fieldsOf(part);
      if (partKind === "user-prompt") this.#found.push(readMessage(part, inner, "user"));
      else if (partKind === "system-prompt") this.#found.push(readMessage(part, inner, "system"));
      else this.#addPart(part, inner, new ReadMessage("tool"));
    }
    return true;
  }

  #addText(text: string, role: MessageRole): void {
    const message = new ReadMessage(role);
    message.addText(text);
    this.#found.push(message);
  }

  #visitEnvelope(object: JsonObject, fields: field.Fields, role: MessageRole, depth: number): void {
    const before = this.#found.length;
    for (const value of field.valuesInOrder(object, envelopes)) {
      this.#visit(value, role, depth + 1);
      const last = this.#found[this.#found.length - 1];
      if (last === undefined || this.#found.length === before) continue;
      if (last.role === "assistant" && role === "assistant") describe(last, fields);
      if (this.#found[before]?.role !== "system") this.#addSystem(object, before);
      return;
    }
    // Pipelines and graphs name the component that receives or returns messages: `{ clerk: { messages } }`.
    const [only, ...others] = Object.values(object);
    if (others.length === 0 && isObject(only) && "messages" in only) this.#visit(only, role, depth + 1);
  }

  #addSystem(object: JsonObject, at: number): void {
    for (const key of systemKeys) {
      const text = textOf(object[key]);
      if (text === null) continue;
      this.#addText(text, "system");
      this.#found.splice(at, 0, ...this.#found.splice(-1));
      return;
    }
  }

  #visitList(list: readonly JsonValue[], role: MessageRole, depth: number): void {
    const before = this.#found.length;
    const [first] = list;
    const isPrinted = typeof first === "string" && first.startsWith("content=");
    this.#addList(isPrinted ? list.map(unfold) : list, role, depth);
    const last = list[list.length - 1];
    if (isOpen(list) && !isOpen(last)) this.#noteCut(before);
  }

  #addList(list: readonly JsonValue[], role: MessageRole, depth: number): void {
    if (this.#addPair(list) || this.#addStreamed(list, role, depth)) return;
    /** The message to which consecutive parts are added. */
    let open: ReadMessage | undefined;
    let wasResult = false;
    for (const item of list) {
      if (!isObject(item)) {
        open = undefined;
        this.#visit(item, role, depth + 1);
        continue;
      }
      if (!this.#mayGoOn(depth + 1)) return;
      const fields = field.fieldsOf(item);
      if (isMessage(item, fields)) {
        open = undefined;
        this.#addMessage(item, fields, role);
        continue;
      }
      const kind = kindOf(item, fields);
      if (kind === "none") {
        open = undefined;
        this.#visitObject(item, fields, role, depth + 1);
        continue;
      }
      // A request after a result is in a new model turn, and thus in a new message.
      if (open === undefined || (kind === "call" && wasResult)) open = new ReadMessage(role);
      wasResult = kind === "result";
      this.#addPart(item, fields, open);
    }
  }

  /** Adds one message for a list of the chunks of one streamed response. */
  #addStreamed(list: readonly JsonValue[], role: MessageRole, depth: number): boolean {
    const id = list.length > 1 ? chunkIdOf(list[0]) : undefined;
    const isStream = id !== undefined && list.every((item) => chunkIdOf(item) === id);
    const isListOfChunks = role === "assistant" && list.length > 1 && list.every(isContent);
    if (!isStream && !isListOfChunks) return false;
    const before = this.#found.length;
    for (const chunk of list) this.#visit(chunk, role, depth + 1);
    const [message, ...others] = this.#found.splice(before);
    if (message === undefined) return true;
    for (const chunk of others) message.addChunk(chunk);
    this.#found.push(message);
    return true;
  }

  /** Adds a message in the short form of LangChain, `["user", "text"]`. */
  #addPair(list: readonly JsonValue[]): boolean {
    const [first, second] = list;
    if (list.length !== 2 || typeof first !== "string" || typeof second !== "string") return false;
    const role = roleNamed(first);
    if (role !== undefined) this.#addText(second, role);
    return role !== undefined;
  }
}

function isSystem({ role }: ReadMessage): boolean {
  return role === "system";
}

/** Matches the beginning of a JSON list of messages. */
const beginsHistory = /^\s*\[\s*\{\s*"(?:role|type|id|content)"\s*:/;

/**
 * Returns the messages in a text that is only a JSON list of messages and of tool calls and results beside them; undefined for any other
 * text. Some instrumentations write the whole input of a request as the text of one user message.
 */
function quotedHistory(text: string | null): readonly JsonValue[] | undefined {
  if (text === null || !beginsHistory.test(text)) return undefined;
  const list = parseJson(text);
  if (!isArray(list)) return undefined;
  const isHistory =
    list.some((item) => isObject(item) && item["role"] === "user") && list.every(isHistoryItem);
  return isHistory ? list : undefined;
}

/**
 * Whether a value is a message with a known role and its content, a tool call or a result, or reasoning. A list of persons with roles is not
 * a history.
 */
function isHistoryItem(item: JsonValue): boolean {
  if (!isObject(item)) return false;
  const { role, type } = item;
  const fields = field.fieldsOf(item);
  if (typeof role === "string") return roleNamed(role) !== undefined && hasContent(fields);
  if (type === "reasoning") return true;
  const kind = kindOf(item, fields);
  return kind === "call" || kind === "result";
}

const contentFields: readonly number[] = [field.CONTENT, field.TEXT, field.PARTS, field.CALLS, field.CALL];

function hasContent(fields: field.Fields): boolean {
  return contentFields.some((one) => fields[one] !== undefined);
}

/** The response id of a chunk of a streamed response, as Gemini's API writes it; undefined for any other value. */
function chunkIdOf(value: JsonValue | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  const { responseId, candidates } = value;
  const isChunk = isArray(candidates) && candidates.length <= 1;
  return isChunk && typeof responseId === "string" ? responseId : undefined;
}

/**
 * Whether a value is a content of Gemini's API, `{ role: "model", parts }`. Several contents in a model's output are chunks of one streamed
 * response; if they were alternative answers, each would have a finish reason.
 */
export function isContent(value: JsonValue): boolean {
  return (
    isObject(value) && value["role"] === "model" && isArray(value["parts"]) && hasOnly(value, "role", "parts")
  );
}

/** Whether a tool message is in fact a tool definition. Langfuse's callback lists definitions after the messages. */
function isDefinition({ results }: ReadMessage): boolean {
  const content = results[0]?.content;
  return isObject(content) && content["type"] === "function" && isObject(content["function"]);
}
