import { isArray, isObject, type JsonObject, type JsonValue, textOrJson } from "../../model/json.ts";
import { isAtLeast } from "../../support/structures/compare-limit.ts";
import { deepEqual } from "./sequences/deep-equal.ts";

/** An expected or actual tool call. */
export interface ComparedCall {
  readonly name: string | null;
  readonly arguments?: JsonValue | undefined;
}

export interface AccuracyRule {
  readonly variant: "ragas-spring" | "ragas-python";
  readonly mode: "strict" | "flexible";
  /** For `ragas-spring` in `flexible` mode: share of the expected arguments, from 0 to 1, that must be equal. */
  readonly argumentMatchThreshold: number;
}

/**
 * Returns how well the actual calls match the expected calls, from 0 to 1. Without expected calls, `ragas-spring` returns null, and
 * `ragas-python` returns a number.
 */
export function toolCallAccuracy(
  made: readonly ComparedCall[],
  expected: readonly ComparedCall[],
  rule: AccuracyRule,
): number | null {
  if (rule.variant === "ragas-python") return pythonAccuracy(made, expected, rule.mode === "strict");
  return springAccuracy(made, expected, rule);
}

/**
 * Returns `ToolCallAccuracy` of Spring AI RAGAS. Forms as many one-to-one pairs of actual and expected calls as possible, in any order. In
 * `strict` mode, a pair needs equal arguments; in `flexible` mode, enough equal arguments. Precision = pairs/actual, recall =
 * pairs/expected; the result is F1. Null if no call is expected, 0 if no call was made.
 */
function springAccuracy(
  made: readonly ComparedCall[],
  expected: readonly ComparedCall[],
  rule: AccuracyRule,
): number | null {
  if (expected.length === 0) return null;
  if (made.length === 0) return 0;
  const places = new Map<string | null, number[]>();
  expected.forEach(({ name }, at) => places.set(name, [...(places.get(name) ?? []), at]));
  const partners = made.map((call) =>
    (places.get(call.name) ?? []).filter((at) => {
      const candidate = expected[at];
      return candidate !== undefined && isPair(call, candidate, rule);
    }),
  );
  return (2 * pairedWith(partners).size) / (made.length + expected.length);
}

function isPair(call: ComparedCall, expected: ComparedCall, rule: AccuracyRule): boolean {
  if (rule.mode === "strict") return sameArguments(call, expected) === 1;
  const share = argumentShare(call, expected);
  return share > 0 && isAtLeast(share, rule.argumentMatchThreshold);
}

function sameArguments(call: ComparedCall, expected: ComparedCall): number {
  return deepEqual(argumentsOf(call), argumentsOf(expected)) ? 1 : 0;
}

/**
 * Returns the share of expected arguments with an equal actual value. Ignores additional arguments; null equals nothing. If no arguments
 * are expected, returns 1 for a call without arguments, otherwise 0.5.
 */
function argumentShare(call: ComparedCall, expected: ComparedCall): number {
  const wanted = argumentsOf(expected);
  const given = argumentsOf(call);
  const names = Object.keys(wanted);
  if (names.length === 0) return Object.keys(given).length === 0 ? 1 : 0.5;
  const matched = names.filter((name) => matches(own(given, name), own(wanted, name)));
  return matched.length / names.length;
}

function matches(given: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  return given !== undefined && given !== null && wanted !== undefined && deepEqual(given, wanted);
}

/**
 * Returns `ToolCallAccuracy` of Ragas (Python): the mean share of matching arguments over the expected calls, compared as text. Returns 0
 * unless the tool names are equal: the same sequence in `strict` mode, otherwise the same multiset (calls are sorted first). Two empty
 * lists give 1, one empty list 0. Ragas' coverage penalty (compared / expected calls) is 1 if the names are equal, because equal names mean
 * equally many calls.
 */
function pythonAccuracy(
  made: readonly ComparedCall[],
  expected: readonly ComparedCall[],
  ordered: boolean,
): number {
  if (made.length === 0 && expected.length === 0) return 1;
  if (made.length !== expected.length) return 0;
  const left = ordered ? made : sorted(made);
  const right = ordered ? expected : sorted(expected);
  let score = 0;
  for (let at = 0; at < right.length; at++) {
    const call = left[at];
    const wanted = right[at];
    if (call === undefined || wanted === undefined || call.name !== wanted.name) return 0;
    score += textShare(argumentsOf(call), argumentsOf(wanted));
  }
  return score / expected.length;
}

function textShare(given: JsonObject, wanted: JsonObject): number {
  const names = Object.keys(wanted);
  if (names.length === 0) return Object.keys(given).length === 0 ? 1 : 0;
  const matched = names.filter((name) => {
    const value = own(given, name);
    return value !== undefined && textOrJson(value) === textOrJson(own(wanted, name) ?? null);
  });
  return matched.length / names.length;
}

function sorted(calls: readonly ComparedCall[]): readonly ComparedCall[] {
  return calls
    .map((call) => ({ call, key: sortKey(call) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ call }) => call);
}

function sortKey(call: ComparedCall): string {
  const given = argumentsOf(call);
  const names = Object.keys(given).sort();
  return [call.name ?? "", ...names.flatMap((name) => [name, textOrJson(given[name] ?? null)])].join(
    "\u0000",
  );
}

/** Returns the arguments of a call by name. A value that is not an object, such as a plain text, is one argument without a name. */
export function argumentsOf({ arguments: given = null }: ComparedCall): JsonObject {
  if (isObject(given)) return given;
  const isEmpty = isArray(given) ? given.length === 0 : given === null || given === "" || given === "null";
  return isEmpty ? {} : { "": given };
}

function own(of: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/**
 * Returns as many one-to-one pairs between two lists as possible, as a map from items of the first list to items of the second (Kuhn's
 * algorithm with augmenting paths). Takes at most items × edges steps. Giving each item its best free partner is not enough, because a
 * later item could then lack a partner.
 * @param partners for each item of the first list: indices of possible partners in the second list
 */
export function pairedWith(partners: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const itemOf = new Map<number, number>();
  for (let item = 0; item < partners.length; item++) canPair(item, partners, itemOf);
  return new Map([...itemOf].map(([partner, item]) => [item, partner]));
}

/**
 * Pairs an item; moves paired items to other partners if necessary. Returns false if the item cannot be paired. Searches breadth-first
 * without recursion, because lists can have thousands of items.
 */
function canPair(
  item: number,
  partners: readonly (readonly number[])[],
  itemOf: Map<number, number>,
): boolean {
  const cameFrom = new Map<number, number>();
  const queue = [item];
  for (const current of queue) {
    for (const place of partners[current] ?? []) {
      if (cameFrom.has(place)) continue;
      cameFrom.set(place, current);
      const holder = itemOf.get(place);
      if (holder === undefined) {
        reassign(place, item, cameFrom, itemOf);
        return true;
      }
      queue.push(holder);
    }
  }
  return false;
}

/**
 * Moves items along the found path: the last item gets the free partner, the previous item gets the last item's former partner, and so on.
 */
function reassign(
  free: number,
  first: number,
  cameFrom: ReadonlyMap<number, number>,
  itemOf: Map<number, number>,
): void {
  const placeOf = new Map([...itemOf].map(([place, item]) => [item, place]));
  let place: number | undefined = free;
  while (place !== undefined) {
    const item = cameFrom.get(place);
    if (item === undefined) return;
    const former = placeOf.get(item);
    itemOf.set(place, item);
    if (item === first) return;
    place = former;
  }
}
