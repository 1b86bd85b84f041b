import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { plainName } from "./names.ts";
import { parseText, unfold } from "./parse-text.ts";

/** Token counts as reported; undefined if absent. */
export class TokenCounts {
  input: number | undefined = undefined;
  output: number | undefined = undefined;
  total: number | undefined = undefined;
  cached: number | undefined = undefined;
  cacheWrite: number | undefined = undefined;
  /** Tokens written to a cache with a lifetime of one hour. */
  longCacheWrite: number | undefined = undefined;
  /** Tokens written to a cache with a lifetime of five minutes. */
  shortCacheWrite: number | undefined = undefined;
  reasoning: number | undefined = undefined;
}

type Count = keyof TokenCounts;

/** For each count, a pattern that matches the plain names (`plainName`) of its keys. */
const spellings: readonly (readonly [Count, RegExp])[] = [
  [
    "input",
    /^(?:input|prompt)(?:text)?(?:tokens?)?(?:count)?$|^prompteval(?:count)?$|^tokens(?:input|prompt)$/,
  ],
  [
    "output",
    /^(?:output|completion|candidates|generated)(?:tokens?)?(?:count)?$|^evalcount$|^tokenscompletion$/,
  ],
  ["total", /^total(?:tokens?)?(?:count)?$/],
  [
    "cached",
    /^(?:input|prompt|inputtokensdetails|prompttokensdetails)?(?:cached?(?:content|input|prompt)?|cacheread(?:input)?|cachehit)(?:tokens?)?(?:count)?$/,
  ],
  ["cacheWrite", /^(?:input)?cache(?:write|creation)(?:input)?(?:tokens?)?(?:count)?$/],
  ["longCacheWrite", /1h(?:input)?tokens$|above1hr$/],
  ["shortCacheWrite", /5m(?:input)?tokens$/],
  ["reasoning", /^(?:output)?(?:reasoning|thoughts?|thinking)(?:output)?(?:tokens?)?(?:count)?$/],
];

/** Returns the count that a key names; null for any other key. */
const countNamed = remembered((name): Count | null => {
  const plain = plainName(name);
  return spellings.find(([, form]) => form.test(plain))?.[0] ?? null;
});
const usageKey = /usage|token/i;
const isUsageKey = remembered((name) => usageKey.test(name));

const MAX_DEPTH = 7;
const MAX_FOUND = 8;
const MOST_ITEMS = 10_000;

/** Reads the counts in a usage object of any vendor, including nested details. */
export function readCounts(value: JsonValue | undefined): TokenCounts {
  const read = new TokenCounts();
  if (value !== undefined) addCounts(unfold(value), read, 0);
  return read;
}

/** Adds the counts of an object to `read`. Negative numbers are ignored, because some producers write -1 for an unknown count. */
function addCounts(value: JsonValue, read: TokenCounts, depth: number): void {
  if (!isObject(value) || depth > 3) return;
  for (const key in value) {
    const inner = value[key];
    if (typeof inner === "object") {
      if (inner !== null) addCounts(inner, read, depth + 1);
      continue;
    }
    const number = typeof inner === "string" && /^\d{1,15}$/.test(inner) ? Number(inner) : inner;
    if (typeof number !== "number" || !(number >= 0)) continue;
    const count = countNamed(key);
    if (count !== null) read[count] ??= number;
  }
}

/**
 * Returns the counts in a log line; undefined if there are none. Some clients log the usage as text: `usage:
 * CompletionUsage(prompt_tokens=…)`.
 */
export function countsInLine(line: string): TokenCounts | undefined {
  const at = usageKey.test(line) ? line.search(/[A-Z]\w*\(|\{/) : -1;
  const read = at < 0 ? undefined : readCounts(line.slice(at));
  return read?.input === undefined ? undefined : read;
}

/**
 * Returns the counts in a response of any shape; undefined if there are none. The first object under a usage key counts. Further usage
 * objects with an equal input count add missing counts.
 */
export function findCounts(value: JsonValue | undefined): TokenCounts | undefined {
  if (value === undefined) return undefined;
  const found: TokenCounts[] = [];
  collectCounts(unfold(value), 0, found);
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  for (const other of others)
    if (other.input === first.input)
      for (const count in other) if (count !== "output") first[count as Count] ??= other[count as Count];
  return first;
}

/** Collects usage objects. The search does not continue within a usage object, so objects nested in it are ignored. */
function collectCounts(value: JsonValue | undefined, depth: number, found: TokenCounts[]): void {
  if (depth > MAX_DEPTH || found.length > MAX_FOUND) return;
  if (isArray(value)) {
    for (let at = 0; at < value.length && at < MOST_ITEMS; at++) collectCounts(value[at], depth + 1, found);
  } else if (typeof value === "string") {
    const parsed = depth > 0 && usageKey.test(value) ? parseText(value) : undefined;
    if (parsed !== undefined && typeof parsed.value !== "string")
      collectCounts(parsed.value, depth + 1, found);
  } else if (isObject(value)) {
    const others: JsonValue[] = [];
    for (const key in value) {
      const inner = value[key] ?? null;
      const counts = isObject(inner) && isUsageKey(key) ? readCounts(inner) : undefined;
      if (counts?.input !== undefined && counts.output !== undefined) found.push(counts);
      else if (typeof inner === "object" || typeof inner === "string") others.push(inner);
    }
    for (const inner of others) collectCounts(inner, depth + 1, found);
  }
}
