import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import { pickText } from "../messages/pick.ts";
import { messagesWithin } from "../messages/read-messages.ts";
import { unfold } from "../messages/unfold.ts";
import { isPlaceholder } from "../text/placeholder.ts";
import { classKey } from "../text/python-repr.ts";
import { wordList } from "../../support/structures/word-list.ts";

const queryKeys = wordList(`
  query question user_query user_input userInput user_prompt user_message user_msg userMessage input
  prompt task message new_message text request content topic goal inputs payload body q
`);

const answerKeys = wordList(`
  final_output finalOutput final_answer answer output response result text content message reply
  completion raw outputs value object
`);

/** What the user asked, from whatever a run's outermost span was given. */
export function queryIn(value: JsonValue | undefined): string | undefined {
  return textIn(value, queryKeys, (messages) => lastText(messages, "user"), 0);
}

/** What was answered, from whatever a run's outermost span returned. */
export function answerIn(value: JsonValue | undefined): string | undefined {
  return textIn(value, answerKeys, (messages) => lastText(messages, "assistant"), 0);
}

const storedKeys = [
  "structured_response",
  "structuredResponse",
  "structured_output",
  "structuredOutput",
] as const;

/** Around a run's state. */
const stateKeys = ["outputs", "output", "result", "update", "data"] as const;

/** The structured result that frameworks store beside a run's messages, as its JSON. */
export function storedOutput(value: JsonValue | undefined, depth = 0): string | undefined {
  const inner = value === undefined ? undefined : unfold(value);
  if (!isObject(inner)) return undefined;
  for (const key of storedKeys) {
    const stored = inner[key];
    if (stored !== undefined && stored !== null && stored !== "") return plainJson(unfold(stored));
  }
  if (depth > 2) return undefined;
  for (const key of stateKeys) {
    const found = storedOutput(inner[key], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** JSON of data; a text as it is. Classes that Python prints are no part of the data. */
function plainJson(value: JsonValue): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, (key, inner: JsonValue) => (key === classKey ? undefined : inner));
}

/** A structured answer as its JSON: data that no framework wraps around a text. */
export function structuredAnswer(value: JsonValue | undefined): string | undefined {
  if (value === undefined || messagesWithin(value, "assistant").length > 0) return undefined;
  if (typeof value === "string") return value;
  if (isObject(value)) return isDeferral(value) || holdsOnlyCounts(value) ? undefined : JSON.stringify(value);
  return isArray(value) && value.length > 0 ? JSON.stringify(value) : undefined;
}

/** Nothing, or only what a step used: no answer. */
function holdsOnlyCounts(value: JsonObject): boolean {
  return Object.entries(value).every(
    ([key, count]) =>
      (typeof count === "number" || isObject(count)) && /tokens?(?:_details)?$|^requests$/i.test(key),
  );
}

/** What Pydantic AI returns when an agent waits for a person: the calls to be run elsewhere and those to be approved. No answer. */
const isDeferral = (value: JsonObject): boolean => isArray(value["calls"]) && isArray(value["approvals"]);

export function lastText(messages: readonly Message[], role: Message["role"]): string | undefined {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== role || message.text === null || message.text.trim() === "") continue;
    if (message.calls.length === 0 && !isPlaceholder(message.text)) return message.text;
  }
  return undefined;
}

function textIn(
  value: JsonValue | undefined,
  keys: readonly string[],
  ofMessages: (messages: readonly Message[]) => string | undefined,
  depth: number,
): string | undefined {
  if (value === undefined || value === null || depth > 5) return undefined;
  const inner = unfold(value);
  if (typeof inner === "string") return inner.trim() === "" || isPlaceholder(inner) ? undefined : inner;
  if (typeof inner !== "object" || inner === null) return depth === 0 ? String(inner) : undefined;
  const messages = messagesWithin(inner, keys === queryKeys ? "user" : "assistant");
  if (messages.length > 0) return ofMessages(messages);
  if (isArray(inner)) return inner.length === 1 ? textIn(inner[0], keys, ofMessages, depth + 1) : undefined;
  const called = argumentsOf(inner);
  if (called !== undefined) return textIn(called, keys, ofMessages, depth + 1);
  for (const name of keys) {
    const found = textIn(inner[name], keys, ofMessages, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `{ args, kwargs }`: how decorators write the arguments of a function. */
function argumentsOf(value: JsonObject): JsonValue | undefined {
  const { args, kwargs } = value;
  if (isObject(kwargs) && pickText(kwargs, ...queryKeys) !== undefined) return kwargs;
  if (isArray(args) && args.length > 0) return args[0];
  return isObject(kwargs) && Object.keys(kwargs).length > 0 && "args" in value ? kwargs : undefined;
}
