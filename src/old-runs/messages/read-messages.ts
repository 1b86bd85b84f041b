import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Message, MessageRole } from "../../model/message.ts";
import { addPart, kindOf, noCalls, noResults, Parts } from "./read-part.ts";
import { isDefinition, isMessage, readMessage } from "./read-message.ts";
import type { Histories } from "./history.ts";
import { modelRequestMessages } from "./model-request.ts";
import { roleNamed } from "./roles.ts";
import { unfold, valueIn } from "./unfold.ts";
import { wordList } from "../../support/structures/word-list.ts";

const maxDepth = 8;

/** Under which keys requests and responses keep their messages; tried in this order. */
const envelopes = wordList(`
  messages input_messages output_messages contents generations choices candidates replies message
  llm_input_messages new_messages chat_history conversation history items request response update
  output outputs input inputs result kwargs data content arg prompt raw value
`).map((key): readonly [plain: string, ofPython: string] => [key, `_${key}`]);

/**
 * The messages in a value of any notation: a list, one message, parts of one, a request or response around them, or text
 * with any of these in it. `role` is whose words they are where nothing says so. Plain text is one message.
 */
export function readMessages(
  value: JsonValue | undefined,
  role: MessageRole,
  histories?: Histories,
): readonly Message[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "string") return messagesIn(value, role, 0, histories);
  const inner = valueIn(value);
  const found = inner === undefined || typeof inner === "string" ? [] : messagesIn(inner, role, 0, histories);
  if (found.length > 0) return found;
  return [textMessage(typeof inner === "string" ? inner : value, role)];
}

/** Like `readMessages`, but a value without messages in it gives none: plain text and plain data are no message. */
export function messagesWithin(
  value: JsonValue | undefined,
  role: MessageRole,
  histories?: Histories,
): readonly Message[] {
  if (value === undefined) return [];
  const inner = unfold(value);
  return typeof inner === "string" ? [] : messagesIn(inner, role, 0, histories);
}

export function textMessage(text: string, role: MessageRole): Message {
  return { role, name: null, text, calls: noCalls, results: noResults };
}

function messagesIn(
  value: JsonValue,
  role: MessageRole,
  depth: number,
  histories: Histories | undefined,
): readonly Message[] {
  if (depth > maxDepth) return [];
  if (typeof value === "string") {
    const inner = valueIn(value);
    return inner === undefined || typeof inner === "string"
      ? []
      : messagesIn(inner, role, depth + 1, histories);
  }
  if (isArray(value)) return listOf(value, role, depth, histories);
  if (!isObject(value)) return [];
  if (isMessage(value)) return [readMessage(value, role)];
  const requested = modelRequestMessages(value);
  if (requested !== undefined) return requested;
  if (kindOf(value) !== "none") return partsAsMessage([value], role);
  const keyed = role === "assistant" && "assistant" in value ? keyedByRole(value) : undefined;
  return keyed === undefined ? enveloped(value, role, depth, histories) : [keyed];
}

function listOf(
  given: readonly JsonValue[],
  role: MessageRole,
  depth: number,
  histories: Histories | undefined,
): readonly Message[] {
  const list = withRoles(
    isDefinition(given[given.length - 1]) ? given.filter((item) => !isDefinition(item)) : given,
  );
  const shared = histories?.messagesOf(list, role, (item) =>
    isMessage(item) ? readMessage(item, role) : undefined,
  );
  if (shared !== undefined && shared.length > 0) return shared;
  const pair = asPair(list);
  if (pair !== undefined) return [pair];
  const keyed = list.map((item) => keyedByRole(item));
  if (list.length > 0 && keyed.every((message) => message !== undefined)) return keyed;
  const messages: Message[] = [];
  let parts: JsonValue[] = [];
  let lastKind: ReturnType<typeof kindOf> = "none";
  const flush = () => {
    if (parts.length > 0) messages.push(...partsAsMessage(parts, role));
    parts = [];
  };
  for (const item of list) {
    const kind = isObject(item) && !isMessage(item) ? kindOf(item) : "none";
    if (kind !== "none") {
      // What was asked for after a result is another turn.
      if (kind === "call" && lastKind === "result") flush();
      parts.push(item);
      lastKind = kind;
    } else {
      flush();
      messages.push(...messagesIn(item, role, depth + 1, histories));
    }
  }
  flush();
  return messages;
}

/**
 * LangChain's messages printed without their types: what a tool said names the call, what the model said has metadata, and the rest is the
 * user's. Other lists are returned as they are.
 */
function withRoles(list: readonly JsonValue[]): readonly JsonValue[] {
  if (!list.every(isWithoutRole) || !list.some(isOfState)) return list;
  return list.map((item) => (isObject(item) ? { ...item, role: roleByKeys(item) } : item));
}

function isWithoutRole(item: JsonValue): boolean {
  return isObject(item) && "content" in item && "id" in item && !("role" in item) && !("type" in item);
}

function isOfState(item: JsonValue): boolean {
  return isObject(item) && roleByKeys(item) !== "user";
}

function roleByKeys(item: JsonObject): "tool" | "assistant" | "user" {
  if ("tool_call_id" in item) return "tool";
  return "usage_metadata" in item || "tool_calls" in item ? "assistant" : "user";
}

const speakers: ReadonlySet<string> = new Set(wordList("system developer user human assistant ai tool"));

/** `{ "user": "text" }`, also as JSON: the role is the key. */
function keyedByRole(item: JsonValue): Message | undefined {
  const value = typeof item === "string" ? valueIn(item) : item;
  if (!isObject(value)) return undefined;
  const [key, ...others] = Object.keys(value);
  if (key === undefined || others.length > 0 || !speakers.has(key)) return undefined;
  const content = value[key];
  if (typeof content !== "string" && !isArray(content)) return undefined;
  const parts = isArray(content) ? content.map((part) => unfold(part)) : content;
  return readMessage({ role: key, content: parts }, "user");
}

/** `["user", "text"]`: how LangChain users write a message. */
function asPair(list: readonly JsonValue[]): Message | undefined {
  const [first, second] = list;
  if (list.length !== 2 || typeof first !== "string" || typeof second !== "string") return undefined;
  const role = roleNamed(first);
  return role === undefined ? undefined : textMessage(second, role);
}

/** Parts without a message around them: results are the tools' words, the rest is one message. */
function partsAsMessage(list: readonly JsonValue[], role: MessageRole): readonly Message[] {
  const parts = new Parts();
  for (const part of list) addPart(part, parts);
  if (parts.isEmpty) return [];
  const whose =
    parts.results.length > 0 && parts.calls.length === 0 && parts.texts.length === 0 ? "tool" : role;
  return [
    {
      role: parts.calls.length > 0 ? "assistant" : whose,
      name: null,
      text: parts.texts.length > 0 ? parts.texts.join("\n") : null,
      calls: parts.calls,
      results: parts.results,
    },
  ];
}

function enveloped(
  value: JsonObject,
  role: MessageRole,
  depth: number,
  histories: Histories | undefined,
): readonly Message[] {
  for (const [key, privateKey] of envelopes) {
    const inner = value[key] ?? value[privateKey];
    if (inner === undefined || inner === null || typeof inner === "number") continue;
    const found = messagesIn(inner, role, depth + 1, histories);
    if (found.length > 0) return systemFirst(value, found);
  }
  return [];
}

/** Requests of several APIs keep the system prompt apart from the messages. */
function systemFirst(value: JsonObject, messages: readonly Message[]): readonly Message[] {
  const system = value["system"] ?? value["instructions"];
  return typeof system === "string" && messages[0]?.role !== "system"
    ? [textMessage(system, "system"), ...messages]
    : messages;
}
