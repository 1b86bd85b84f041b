import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { TextBytes } from "../../model/telemetry/span-view.ts";
import { JsonText, type OpenList } from "./json-text.ts";

/** Longer texts are not worth retaining. */
const LONGEST = 4 * 2 ** 20;
/** Agents that work side by side have histories of their own. */
const MOST_LISTS = 4;

/** A list of messages that was parsed, at the top of a text or under a key of the object there. */
interface ParsedList {
  readonly text: TextBytes;
  readonly json: JsonText;
  readonly open: number;
  /** Position of the closing bracket. */
  readonly close: number;
  readonly items: readonly JsonValue[];
  /** Positions of the items, computed when a list is first compared that lost the beginning. */
  bounds: readonly number[] | undefined;
}

/** Which items of a list are the same objects as those of a list that was parsed before. */
export interface SharedItems {
  readonly base: readonly JsonValue[];
  /** Index in `base` of the list's first item. */
  readonly first: number;
  readonly count: number;
}

/**
 * The message lists in the texts of one trace. Each model call of a run repeats the messages before it: parsed one by one, a run costs the
 * square of its length. Of a list that continues one parsed before only the new items are decoded and parsed. Equal bytes have equal values,
 * so the result is the same as without sharing.
 */
export class ListHistory {
  /** The last one used first. */
  #lists: ParsedList[] = [];
  #shared: Map<readonly JsonValue[], SharedItems> | undefined;

  /** What `list`, part of a value that `continued` returned, has in common with an earlier one. */
  sharedItems(list: readonly JsonValue[]): SharedItems | undefined {
    return this.#shared?.get(list);
  }

  /** Notes that a list begins with items of an earlier one. */
  share(list: readonly JsonValue[], shared: SharedItems): void {
    (this.#shared ??= new Map()).set(list, shared);
  }

  /** The value of a text that continues a list parsed before; undefined for any other. */
  continued(text: TextBytes): JsonValue | undefined {
    if (this.#lists.length === 0 || text.end - text.start > LONGEST) return undefined;
    const json = new JsonText(text);
    const list = json.openList();
    if (list === undefined) return undefined;
    for (const before of this.#lists) {
      const value = this.#after(before, text, json, list);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Retains the list of a text that was parsed; `value`: what the whole text holds. */
  retain(text: TextBytes, value: JsonValue): void {
    if (text.end - text.start > LONGEST || typeof value !== "object") return;
    const json = new JsonText(text);
    const list = json.openList();
    if (list === undefined) return;
    const items = list.key === undefined ? value : isObject(value) ? value[list.key] : undefined;
    if (!isArray(items) || items.length < 2) return;
    const first = json.after(list.open);
    const bounds = [first, ...json.itemBounds(first)];
    // Text that is no JSON may have been read all the same, as what it resembles.
    if (bounds.length !== items.length + 1) return;
    this.#keep({ text, json, open: list.open, close: bounds[items.length] ?? 0, items, bounds }, undefined);
  }

  #keep(list: ParsedList, replaced: ParsedList | undefined): void {
    this.#lists = [list, ...this.#lists.filter((one) => one !== replaced)].slice(0, MOST_LISTS);
  }

  #after(
    before: ParsedList,
    text: TextBytes,
    json: JsonText,
    { open, key }: OpenList,
  ): JsonValue | undefined {
    const begin = json.after(open);
    const [first, place] = firstShared(before, text, begin);
    if (first < 0) return undefined;
    const after = begin + before.close - place;
    const goesOn = json.isComma(after);
    if (!goesOn && !json.isClosing(after)) return undefined;
    const lead = text.slice(text.start, begin);
    const tail = text.slice(goesOn ? json.after(after) : after, text.end);
    if (key !== undefined && tail.includes(`"${key}"`)) return undefined;
    const rest = parseJson(lead + tail);
    const more = key === undefined ? rest : isObject(rest) ? rest[key] : undefined;
    if (!isArray(more) || goesOn !== more.length > 0) return undefined;
    const items = first === 0 ? before.items.concat(more) : [...before.items.slice(first), ...more];
    this.share(items, { base: before.items, first, count: before.items.length - first });
    const close = json.itemBounds(goesOn ? json.after(after) : after).pop() ?? text.end;
    this.#keep({ text, json, open, close, items, bounds: undefined }, first === 0 ? before : undefined);
    return key === undefined ? items : { ...(rest as JsonObject), [key]: items };
  }
}

/** The item of `before` with which the list that begins at `begin` starts and goes on to the end, and its position; -1 for none. */
function firstShared(before: ParsedList, text: TextBytes, begin: number): [index: number, position: number] {
  const start = before.json.after(before.open);
  const { close, text: known } = before;
  if (close > start && known.matches(start, text, begin, close - start)) return [0, start];
  const bounds = (before.bounds ??= [start, ...before.json.itemBounds(start)]);
  for (let index = 1; index < before.items.length; index++) {
    const place = bounds[index] ?? close;
    const length = close - place;
    if (length > 0 && known.matches(place, text, begin, length)) return [index, place];
  }
  return [-1, 0];
}
