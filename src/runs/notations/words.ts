import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { MessageRole } from "../../model/message.ts";
import { wordList } from "../../support/structures/word-list.ts";
import { ranksOf, valuesInOrder } from "./fields.ts";
import { classKey } from "./loose-text.ts";
import { messagesWithin } from "./read-messages.ts";
import { isPlaceholder } from "./names.ts";
import { isCutText, isOpen, parseText, unfold } from "./parse-text.ts";
import type { ReadMessage } from "./read-message.ts";

export { plainAnswer, withoutWrapping } from "./wrapping.ts";

const MAX_DEPTH = 6;

/** The keys and the role by which a text is found in a value. */
interface Words {
  readonly role: MessageRole;
  readonly keys: ReadonlyMap<string, number>;
}

const question: Words = {
  role: "user",
  keys: ranksOf(
    wordList(`
  query question user_query user_input userInput user_prompt user_message user_msg userMessage input
  prompt task message new_message text request content topic goal inputs payload body q
`),
  ),
};

const answer: Words = {
  role: "assistant",
  keys: ranksOf(
    wordList(`
  final_output finalOutput final_answer answer output response result text content message reply
  completion raw outputs value object
`),
  ),
};

/** Returns the user's text in any value: a text, messages, or arguments of a call; null if there is none. */
export function questionIn(value: JsonValue | undefined): string | null {
  return wordsIn(value, question, 0);
}

/** Returns the final text in any value; null if there is none, or if it was truncated. */
export function answerIn(value: JsonValue | undefined): string | null {
  return wordsIn(value, answer, 0);
}

/** Matches absent values printed as text. */
const printedAbsence = /^(?:null|None|undefined)$/;
/** Matches empty inputs printed as text. They are not a question, but a model's answer may be an empty list. */
const printedEmpty = /^\s*(?:\{\s*\}|\[\s*\])\s*$/;

function wordsIn(value: JsonValue | undefined, words: Words, depth: number): string | null {
  if (value === undefined || value === null || depth > MAX_DEPTH) return null;
  if (typeof value === "string") {
    const parsed = parseText(value);
    if (parsed !== undefined) return wordsIn(parsed.value, words, depth + 1);
    if (value.trim() === "" || printedAbsence.test(value) || isPlaceholder(value)) return null;
    return words === answer && isCutText(value) ? null : value;
  }
  if (typeof value !== "object") return depth === 0 ? String(value) : null;
  const messages = messagesWithin(value, words.role);
  if (messages.length > 0) return lastText(messages, words.role);
  if (isArray(value))
    return value.length === 1 && !isOpen(value) ? wordsIn(value[0], words, depth + 1) : null;
  if (!isObject(value)) return null;
  const called = calledWith(value);
  if (called !== undefined) return wordsIn(called, words, depth + 1);
  for (const inner of valuesInOrder(value, words.keys)) {
    const found = wordsIn(inner, words, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Matches the JSON that Go writes for a stream or iterator, which has no exported fields: `{"Events":{}}`. */
const unexported = /^\{"\w+":\{\}\}$/;

/**
 * Returns the text of the role's last message that has a text and no tool calls; null if this text is truncated. In a truncated message, a
 * user's text may still be complete.
 */
function lastText(messages: readonly ReadMessage[], role: MessageRole): string | null {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.role !== role) continue;
    if (message.text === null && message.isCut) return null;
    if (message.text === null || message.text.trim() === "") continue;
    if (role === "user" ? printedEmpty.test(message.text) : unexported.test(message.text)) continue;
    if (message.calls.length === 0) return role === "assistant" && message.isCut ? null : message.text;
  }
  return null;
}

/**
 * Returns the arguments of a function that a decorator wrote as `{ args, kwargs }`: the first positional one, otherwise the named ones;
 * undefined if there are none.
 */
function calledWith(value: JsonObject): JsonValue | undefined {
  const { args, kwargs } = value;
  if (isArray(args) && args.length > 0) return args[0];
  return isObject(kwargs) && Object.keys(kwargs).length > 0 && "args" in value ? kwargs : undefined;
}

const storedKeys = ranksOf(
  wordList("structured_response structuredResponse structured_output structuredOutput"),
);
/** Keys that contain the state of a run in a framework's output. */
const stateKeys = ranksOf(wordList("outputs output result update data"));

/** Returns the structured result that frameworks store next to a run's messages, as JSON; null if there is none. */
export function storedAnswer(value: JsonValue | undefined, depth = 0): string | null {
  const inner = value === undefined ? undefined : unfold(value);
  if (!isObject(inner)) return null;
  for (const stored of valuesInOrder(inner, storedKeys)) if (stored !== "") return plainJson(unfold(stored));
  if (depth > 2) return null;
  for (const state of valuesInOrder(inner, stateKeys)) {
    const found = storedAnswer(state, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Returns data as JSON without the class names of printed Python objects, and a text unchanged; null for truncated data. */
function plainJson(value: JsonValue): string | null {
  if (isOpen(value)) return null;
  if (typeof value === "string") return value;
  return JSON.stringify(value, (key, inner: JsonValue) => (key === classKey ? undefined : inner));
}

/**
 * Returns a structured answer as JSON; null if the value is truncated, contains messages, or is not an answer. An answer is data that is
 * not a framework's wrapper around a text.
 */
export function structuredAnswer(value: JsonValue | undefined): string | null {
  if (value === undefined || isOpen(value) || messagesWithin(value, "assistant").length > 0) return null;
  if (typeof value === "string") return isCutText(value) ? null : value;
  if (isObject(value)) return isDeferral(value) || holdsOnlyCounts(value) ? null : JSON.stringify(value);
  return isArray(value) && value.length > 0 ? JSON.stringify(value) : null;
}

/**
 * Returns the recorded beginning of a truncated structured answer; null for any other value. An object with a key for a question, messages
 * or an answer is a framework's wrapper, and its beginning may not be that of the answer.
 */
export function structuredBegin(raw: JsonValue | undefined): string | null {
  const parsed = typeof raw === "string" ? parseText(raw) : undefined;
  if (typeof raw !== "string" || parsed?.isCut !== true) return null;
  const { value, cutKey } = parsed;
  if (messagesWithin(value, "assistant").length > 0 || (cutKey !== null && isWrapping(cutKey))) return null;
  return isObject(value) && (Object.keys(value).some(isWrapping) || isDeferral(value)) ? null : raw;
}

function isWrapping(key: string): boolean {
  return (
    [question.keys, answer.keys, storedKeys, stateKeys].some((keys) => keys.has(key)) || wrapping.test(key)
  );
}

const wrapping = /messages$|^(?:chat_)?history$/;

/** Whether an object is empty or has only token counts, so that it is not an answer. */
function holdsOnlyCounts(value: JsonObject): boolean {
  for (const key in value) {
    const count = value[key];
    if (typeof count !== "number" && !isObject(count)) return false;
    if (!/tokens?(?:_details)?$|^requests$/i.test(key)) return false;
  }
  return true;
}

/**
 * Whether an object is Pydantic AI's result of an agent that waits for a person: external calls, and calls to approve. Such a result is not
 * an answer.
 */
function isDeferral(value: JsonObject): boolean {
  return isArray(value["calls"]) && isArray(value["approvals"]);
}
