import { isArray, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { Message, MessageRole } from "../../model/message.ts";

/*
 * Each model call of a run repeats the messages before it: read one by one, a run costs the square of its length. The list read last is
 * remembered, and a list that goes on from it, or from its later part, shares the values of what both hold. Equal text has equal
 * values, so that nothing can be told from the result but the time it took.
 */

/** Shorter texts are not worth comparing; longer ones are not worth keeping. */
const SHORTEST = 256;
const LONGEST = 262_144;
/** By so many characters of its first item the place is found where a list goes on from the last. */
const HEAD = 120;
const MOST_MESSAGES = 1000;

interface List {
  readonly text: string;
  readonly items: readonly JsonValue[];
  /** Where each item begins; made when first needed. */
  starts: readonly number[] | undefined;
}

let last: List | undefined;
let messages = new Map<JsonObject, { readonly role: MessageRole; readonly message: Message }>();

/** Parses JSON text, quickly where it goes on from the list parsed before; `undefined` when it is none. */
export function parseHistory(text: string): JsonValue | undefined {
  if (text.length < SHORTEST || text.length > LONGEST || text.charCodeAt(0) !== 91) return parseJson(text);
  const shared = last === undefined ? undefined : continued(text, last);
  if (shared !== undefined) return shared;
  const value = parseJson(text);
  if (isArray(value) && value.length > 1 && text.endsWith("]")) {
    last = { text, items: value, starts: undefined };
    messages = new Map();
  }
  return value;
}

/** The message of an object that `read` makes of it, the one made before where the object is shared. */
export function messageOnce(
  object: JsonObject,
  role: MessageRole,
  read: (object: JsonObject, role: MessageRole) => Message,
): Message {
  const known = messages.get(object);
  if (known?.role === role) return known.message;
  const message = read(object, role);
  if (messages.size > MOST_MESSAGES) messages = new Map();
  if (last?.items.includes(object) === true) messages.set(object, { role, message });
  return message;
}

function continued(text: string, before: List): readonly JsonValue[] | undefined {
  const place = before.text.indexOf(text.slice(1, 1 + HEAD));
  if (place < 0) return undefined;
  const length = before.text.length - 1 - place;
  const next = text.charCodeAt(1 + length);
  if (next !== 44 && next !== 93) return undefined; // "," or "]"
  if (text.slice(1, 1 + length) !== before.text.slice(place, place + length)) return undefined;
  before.starts ??= itemStarts(before.text);
  const first = before.starts.indexOf(place);
  if (first < 0 || before.starts.length !== before.items.length) return undefined;
  const ends = next === 93;
  const more = ends ? [] : parseJson(`[${text.slice(2 + length)}`);
  if (!isArray(more) || ends !== (more.length === 0) || (ends && text.length !== 2 + length))
    return undefined;
  const items = [...before.items.slice(first), ...more];
  if (text.endsWith("]")) last = { text, items, starts: undefined };
  return items;
}

/** Where the items of a list begin, in the text of a valid one. */
function itemStarts(text: string): number[] {
  const starts = [1];
  let depth = 0;
  for (let at = 1; at < text.length - 1; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) at = stringEnd(text, at);
    else if (code === 91 || code === 123) depth++;
    else if (code === 93 || code === 125) depth--;
    else if (code === 44 && depth === 0) starts.push(at + 1);
  }
  return starts;
}

/** The closing quote of the string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
