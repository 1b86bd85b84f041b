import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { Message, MessageRole } from "../../model/message.ts";

/** Shorter texts are not worth comparing; longer ones are not worth retaining. */
const SHORTEST = 256;
const LONGEST = 4 * 2 ** 20;
/** Lists are compared in full only where so many characters of their first items agree. */
const HEAD = 120;
/** Agents that work side by side have histories of their own. */
const MOST_LISTS = 4;
const MOST_MESSAGES = 20_000;
/** The list of an object is searched for in so many characters. */
const LONGEST_LEAD = 2_000;

/** A list of messages that was parsed, at the top of a text or under a key of the object there. */
interface ParsedList {
  readonly text: string;
  /** Position of the opening bracket. */
  readonly open: number;
  readonly items: readonly JsonValue[];
  /** Position after the bracket or comma before each item, and that of the closing bracket; computed when first needed. */
  bounds: readonly number[] | undefined;
}

/**
 * The message lists of one trace. Each model call of a run repeats the messages before it: parsed one by one, a run costs the square of its
 * length. A list that continues one that was parsed before shares its values, and the messages made of them. Equal text has equal values, so
 * the result is the same as without sharing.
 */
export class Histories {
  /** The last one used first. */
  #lists: ParsedList[] = [];
  #messages = new Map<JsonObject, { readonly role: MessageRole; readonly message: Message }>();

  /** Parses JSON text; `undefined` when it is none. */
  parse(text: string): JsonValue | undefined {
    if (text.length < SHORTEST || text.length > LONGEST) return parseJson(text);
    const list = openOf(text);
    if (list === undefined) return parseJson(text);
    for (const before of this.#lists) {
      const value = this.#continued(text, list, before);
      if (value !== undefined) return value;
    }
    const value = parseJson(text);
    const items = list.key === undefined ? value : isObject(value) ? value[list.key] : undefined;
    if (isArray(items) && items.length > 1)
      this.#retain({ text, open: list.open, items, bounds: undefined }, undefined);
    return value;
  }

  /** The message that `read` makes of an object, made once for an object that several lists share. */
  message(
    object: JsonObject,
    role: MessageRole,
    read: (object: JsonObject, role: MessageRole) => Message,
  ): Message {
    const known = this.#messages.get(object);
    if (known?.role === role) return known.message;
    const message = read(object, role);
    if (this.#messages.size >= MOST_MESSAGES) this.#messages = new Map();
    this.#messages.set(object, { role, message });
    return message;
  }

  #retain(list: ParsedList, replaced: ParsedList | undefined): void {
    this.#lists = [list, ...this.#lists.filter((one) => one !== replaced)].slice(0, MOST_LISTS);
  }

  #continued(text: string, { open, key }: OpenList, before: ParsedList): JsonValue | undefined {
    const head = text.slice(open + 1, open + 1 + HEAD);
    const place = before.text.startsWith(head, before.open + 1)
      ? before.open + 1
      : before.text.indexOf(head, before.open + 1);
    if (place < 0) return undefined;
    const bounds = (before.bounds ??= boundsOf(before.text, before.open + 1, [before.open + 1]));
    const first = bounds.indexOf(place);
    const end = bounds[bounds.length - 1] ?? 0;
    if (first < 0 || end <= place || bounds.length !== before.items.length + 1) return undefined;
    const shared = end - place;
    if (text.slice(open + 1, open + 1 + shared) !== before.text.slice(place, end)) return undefined;
    const after = open + 1 + shared;
    const goesOn = text.charCodeAt(after) === COMMA;
    if (!goesOn && text.charCodeAt(after) !== CLOSE) return undefined;
    if (key !== undefined && text.includes(`"${key}"`, after)) return undefined;
    const rest = parseJson(text.slice(0, open + 1) + text.slice(goesOn ? after + 1 : after));
    const more = key === undefined ? rest : isObject(rest) ? rest[key] : undefined;
    if (!isArray(more) || goesOn !== more.length > 0) return undefined;
    const items = [...before.items.slice(first), ...more];
    const moved = bounds.slice(first, -1).map((bound) => bound - place + open + 1);
    const list = { text, open, items, bounds: boundsOf(text, after, moved) };
    this.#retain(list, first === 0 ? before : undefined);
    return key === undefined ? items : { ...(rest as JsonObject), [key]: items };
  }
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN = 91;
const BACKSLASH = 92;
const CLOSE = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

interface OpenList {
  readonly open: number;
  /** Key of the object that holds the list; undefined for a list at the top. */
  readonly key: string | undefined;
}

/** The first list at the top of a text or in the object there; undefined where there is none near the beginning. */
function openOf(text: string): OpenList | undefined {
  let at = 0;
  while (isSpace(text.charCodeAt(at))) at++;
  if (text.charCodeAt(at) === OPEN) return { open: at, key: undefined };
  if (text.charCodeAt(at) !== OPEN_OBJECT) return undefined;
  let key = "";
  for (at++; at < Math.min(text.length, LONGEST_LEAD); at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN) return /^\w+$/.test(key) ? { open: at, key } : undefined;
    if (code === OPEN_OBJECT || code === CLOSE_OBJECT) return undefined;
    if (code !== QUOTE) continue;
    const end = stringEnd(text, at);
    let next = end + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) === COLON) key = text.slice(at + 1, end);
    at = end;
  }
  return undefined;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** `known` bounds, with those of the items from a position on, and the closing bracket; the text is valid JSON. */
function boundsOf(text: string, from: number, known: readonly number[]): number[] {
  const bounds = [...known];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === OPEN || code === OPEN_OBJECT) depth++;
    else if (code === COMMA && depth === 0) bounds.push(at + 1);
    else if (code === CLOSE || code === CLOSE_OBJECT) {
      if (depth === 0) {
        bounds.push(at);
        break;
      }
      depth--;
    }
  }
  return bounds;
}

/** The closing quote of the string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
