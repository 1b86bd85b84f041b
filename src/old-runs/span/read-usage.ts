import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { mayHoldValue, unfold } from "../messages/unfold.ts";
import { plainName } from "../messages/pick.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** Token counts as a producer gave them; undefined where it gave none. */
export interface TokenCounts {
  input?: number | undefined;
  output?: number | undefined;
  total?: number | undefined;
  cached?: number | undefined;
  cacheWrite?: number | undefined;
  /** Of the tokens written to a cache, those kept for five minutes and those kept for an hour. */
  shortCacheWrite?: number | undefined;
  longCacheWrite?: number | undefined;
  reasoning?: number | undefined;
}

type Count = keyof TokenCounts;

const spellings: ReadonlyMap<string, Count> = new Map<string, Count>([
  ...spelled(
    "input",
    `
    input prompt inputtokens prompttokens prompttokencount inputtokencount inputtextokens prompteval
    promptevalcount tokensinput tokensprompt
  `,
  ),
  ...spelled(
    "output",
    `
    output completion outputtokens completiontokens candidatestokencount outputtokencount
    completiontokencount generatedtokens evalcount tokenscompletion
  `,
  ),
  ...spelled("total", "total totaltokens totaltokencount"),
  ...spelled(
    "cached",
    `
    cached cachedtokens cacheread cachereadtokens cachereadinputtokens cachedinputtokens
    inputcachedtokens cachedcontenttokencount cachedcontenttokens prompttokensdetailscachedtokens
    promptcachehittokens inputtokensdetailscached inputcacheread inputcached
    cachereadinputtokencount cachedprompttokens
  `,
  ),
  ...spelled(
    "cacheWrite",
    `
    cachewrite cachewritetokens cachecreation cachecreationtokens cachecreationinputtokens
    cachewriteinputtokens inputcachecreation cachewriteinputtokencount inputcachewrite
    inputcachewritetokens
  `,
  ),
  ...spelled("shortCacheWrite", "ephemeral5minputtokens"),
  ...spelled(
    "longCacheWrite",
    `
    ephemeral1hinputtokens cachecreationinputtokensabove1hr cachewrite1htokens
    cachecreation1hinputtokens
  `,
  ),
  ...spelled(
    "reasoning",
    `
    reasoning reasoningtokens thoughtstokencount thoughtstokens outputreasoning
    outputreasoningtokens reasoningoutputtokens thinkingtokens thoughtstoken
  `,
  ),
]);

function spelled(count: Count, names: string): [string, Count][] {
  return wordList(names).map((name) => [name, count]);
}

const usageKey = /usage|token/i;
const isUsageKey = remembered((name) => usageKey.test(name));
/** The count that a key names; null for any other key. */
const countNamed = remembered((name) => spellings.get(plainName(name)) ?? null);
const maxDepth = 7;

/** Counts in a usage object of any vendor, nested details included. */
export function readCounts(value: JsonValue | undefined): TokenCounts {
  const counts: TokenCounts = {};
  if (value !== undefined) addCounts(unfold(value), counts, 0);
  return counts;
}

function addCounts(value: JsonValue, counts: TokenCounts, depth: number): void {
  if (!isObject(value) || depth > 3) return;
  for (const name in value) {
    const inner = value[name];
    const number = typeof inner === "string" && /^\d+$/.test(inner) ? Number(inner) : inner;
    if (typeof number === "number") {
      const count = countNamed(name);
      if (count !== null) counts[count] ??= number;
    } else if (isObject(inner)) addCounts(inner, counts, depth + 1);
  }
}

/** Some clients write the usage into a line of their log: `usage: CompletionUsage(prompt_tokens=…)`. */
export function countsInLine(line: string): TokenCounts | undefined {
  const at = usageKey.test(line) ? line.search(/[A-Z]\w*\(|\{/) : -1;
  const counts = at < 0 ? {} : readCounts(line.slice(at));
  return counts.input === undefined ? undefined : counts;
}

/**
 * The counts in a response of any shape: the first object that holds them under a key that says so, completed by others of
 * the same response.
 */
export function findCounts(value: JsonValue | undefined): TokenCounts | undefined {
  const found: TokenCounts[] = [];
  if (value !== undefined) collectCounts(unfold(value), 0, found);
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  for (const other of others) {
    if (other.input !== first.input) continue;
    first.cached ??= other.cached;
    first.cacheWrite ??= other.cacheWrite;
    first.longCacheWrite ??= other.longCacheWrite;
    first.reasoning ??= other.reasoning;
    first.total ??= other.total;
  }
  return first;
}

function collectCounts(value: JsonValue, depth: number, found: TokenCounts[]): void {
  if (depth > maxDepth || found.length > 8) return;
  if (isArray(value)) {
    for (const item of value) collectCounts(item, depth + 1, found);
    return;
  }
  if (typeof value === "string") {
    if (depth === 0 || !mayHoldValue(value) || !usageKey.test(value)) return;
    const inner = unfold(value);
    if (typeof inner !== "string") collectCounts(inner, depth + 1, found);
    return;
  }
  if (!isObject(value)) return;
  /** Keys of usage objects, which are not searched any further. */
  let read: string[] | undefined;
  for (const name in value) {
    const inner = value[name];
    if (!isObject(inner) || !isUsageKey(name)) continue;
    const counts = readCounts(inner);
    if (counts.input === undefined || counts.output === undefined) continue;
    found.push(counts);
    (read ??= []).push(name);
  }
  for (const name in value) {
    const inner = value[name];
    if (inner === undefined || typeof inner === "number" || read?.includes(name) === true) continue;
    collectCounts(inner, depth + 1, found);
  }
}

export function hasCounts(value: JsonObject): boolean {
  const counts = readCounts(value);
  return counts.input !== undefined && counts.output !== undefined;
}
