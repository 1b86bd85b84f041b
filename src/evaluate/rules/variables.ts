import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { layers } from "../../model/outcome.ts";
import type { BoundCheck, CompiledQuery, Expectations } from "../query/compiled.ts";
import { defineCheck } from "../checks/check.ts";
import { incomplete } from "../result/finding.ts";

/** Keys in which braces have another meaning. */
const literal: ReadonlySet<string> = new Set(["json_schema"]);
/** Keys with regular expressions, in which captured text is escaped. */
const patterns: ReadonlySet<string> = new Set(["regex_match", "not_regex_match"]);

/** Matches `{name}`, but not literal braces (`\{name}`) and classes such as `\p{Greek}`. */
const mark = /(?<!\\|\\[pPx])\{([A-Za-z_]\w*)\}/g;
const braces = /(?<!\\[pPx])\{([A-Za-z_]\w*)\}/g;
const escaped = /\\(?=\{[A-Za-z_]\w*\})/g;
const markOrEscape = new RegExp(`${mark.source}|${escaped.source}`, "g");
const named = /\{([A-Za-z_]\w*)\}|\(\?P?<([A-Za-z_]\w*)>/g;

interface Usage {
  /** Names of the variables in the query's pattern. */
  readonly names: ReadonlySet<string>;
  /** True if a check of the query uses a variable or escaped braces. */
  readonly used: boolean;
}

const usageOf = derivedOnce((query: CompiledQuery): Usage => {
  const names = namesIn(query.match.pattern ?? "");
  const checks = [query, ...query.turns].flatMap((one) => one.checks);
  return { names, used: checks.some((bound) => usesAny(bound, names)) };
});

export function namesIn(pattern: string): ReadonlySet<string> {
  return new Set([...pattern.matchAll(named)].map((match) => match[1] ?? match[2] ?? ""));
}

/** Returns the names of the variables that the query's pattern or its turns capture. */
export function variablesOf(query: CompiledQuery): ReadonlySet<string> {
  return new Set([
    ...usageOf(query).names,
    ...query.turns.flatMap(({ capture }) => [...(capture?.keys() ?? [])]),
  ]);
}

/** Whether a check of the query uses a variable of its pattern, such as `expected_in_answer: ["{city}"]`, or escaped braces. */
export function usesVariables(query: CompiledQuery): boolean {
  return usageOf(query).used;
}

/**
 * Returns the query for one run: captured text replaces `{name}` in the limits of checks. A check whose variable was not captured, or in
 * which a text becomes empty, is `incomplete`. Rubrics stay, because a user's text must not become an instruction for a judge.
 */
export function withVariables(query: CompiledQuery, captures: ReadonlyMap<string, string>): CompiledQuery {
  const { names, used } = usageOf(query);
  if (!used) return query;
  return {
    ...query,
    turns: query.turns.map((turn) => ({ ...turn, ...filledExpectations(turn, names, captures) })),
    ...filledExpectations(query, names, captures),
    isFilled: true,
  };
}

/**
 * Returns the query for one conversation: values that `capture` found in the answers replace `{name}` in the checks of the query and of all
 * turns.
 */
export function withTurnVariables(
  query: CompiledQuery,
  captures: ReadonlyMap<string, string>,
): CompiledQuery {
  const names = new Set(query.turns.flatMap(({ capture }) => [...(capture?.keys() ?? [])]));
  if (names.size === 0) return query;
  return {
    ...query,
    turns: query.turns.map((turn) => ({ ...turn, ...filledExpectations(turn, names, captures) })),
    ...filledExpectations(query, names, captures),
    isFilled: true,
  };
}

function filledExpectations(
  query: Expectations,
  names: ReadonlySet<string>,
  captures: ReadonlyMap<string, string>,
): Pick<Expectations, "settings" | "checks"> {
  const fill = (value: JsonValue, key: string): JsonValue =>
    filled(value, names, captures, patterns.has(key));
  const settings = Object.fromEntries(
    layers.map((layer) => [
      layer,
      Object.fromEntries(
        Object.entries(query.settings[layer]).map(([key, value]) => [
          key,
          literal.has(key) ? value : fill(value as JsonValue, key),
        ]),
      ),
    ]),
  ) as unknown as Expectations["settings"];
  const checks = query.checks.map((bound) => {
    if (!usesAny(bound, names)) return bound;
    const limit = bound.limit as JsonValue;
    const absent = variablesIn(limit, names).find((name) => !captures.has(name));
    if (absent !== undefined)
      return unknown(bound, `{${absent}} has no value: the query or answer does not match its pattern`);
    const empty = emptyIn(limit, names, captures);
    if (empty !== undefined)
      return unknown(bound, `{${empty}} is empty, so that ${bound.check.key} asserts nothing`);
    return { ...bound, limit: fill(limit, bound.check.key), written: limit };
  });
  return { settings, checks };
}

/** Returns the query as in the spec, with captured text in place of `{name}` in the layers. Rubrics stay. */
export function writtenWith(query: CompiledQuery, captures: ReadonlyMap<string, string>): JsonObject {
  const { names } = usageOf(query);
  const judged = new Set(query.checks.flatMap(({ check }) => (check.judged === true ? [check.key] : [])));
  const layer = (block: JsonValue): JsonValue =>
    isObject(block)
      ? Object.fromEntries(
          Object.entries(block).map(([key, value]) => [
            key,
            literal.has(key) || judged.has(key) ? value : filled(value, names, captures, patterns.has(key)),
          ]),
        )
      : block;
  const isLayer = (key: string): boolean => layers.some((name) => name === key);
  return Object.fromEntries(
    Object.entries(query.written).map(([key, value]) => [key, isLayer(key) ? layer(value) : value]),
  );
}

function usesAny({ check, limit }: BoundCheck, names: ReadonlySet<string>): boolean {
  if (check.judged === true || literal.has(check.key)) return false;
  return (
    variablesIn(limit as JsonValue, names).length > 0 ||
    (!patterns.has(check.key) && hasEscape(limit as JsonValue))
  );
}

function hasEscape(value: JsonValue): boolean {
  if (typeof value === "string") return value.search(escaped) >= 0;
  return value !== null && typeof value === "object" && Object.values(value).some(hasEscape);
}

/** Matches a variable in single braces. `{{name}}` is probably an unfilled template of another tool. */
const single = new RegExp(String.raw`(?<!\{)${mark.source}(?!\})`, "g");

/** Returns the names in braces in a check's value; empty if the key does not support variables. */
export function variableNames(key: string, value: JsonValue): readonly string[] {
  if (literal.has(key)) return [];
  if (typeof value === "string") return [...value.matchAll(single)].map(([, name = ""]) => name);
  return value !== null && typeof value === "object"
    ? Object.values(value).flatMap((item) => variableNames(key, item))
    : [];
}

/** Escapes the braces in a check's value, except those of the variables in `names`. */
export function withEscapes(key: string, value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (literal.has(key) || patterns.has(key)) return value;
  if (typeof value === "string")
    return value.replaceAll(braces, (whole, name: string, at: number) =>
      names.has(name) && value[at - 1] !== "\\" ? whole : `\\${whole}`,
    );
  if (isArray(value)) return value.map((item) => withEscapes(key, item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, item]) => [inner, withEscapes(key, item, names)]),
  );
}

function variablesIn(value: JsonValue, names: ReadonlySet<string>): readonly string[] {
  if (typeof value === "string")
    return [...value.matchAll(mark)].flatMap(([, name = ""]) => (names.has(name) ? [name] : []));
  if (isArray(value)) return value.flatMap((item) => variablesIn(item, names));
  return isObject(value) ? Object.values(value).flatMap((item) => variablesIn(item, names)) : [];
}

function filled(
  value: JsonValue,
  names: ReadonlySet<string>,
  captures: ReadonlyMap<string, string>,
  isPattern: boolean,
): JsonValue {
  if (typeof value === "string") {
    // One pass replaces variables and escapes, so that escapes in captured text stay.
    return value.replaceAll(isPattern ? mark : markOrEscape, (whole, name: string | undefined) => {
      if (name === undefined) return "";
      const captured = names.has(name) ? captures.get(name) : undefined;
      if (captured === undefined) return whole;
      return isPattern ? captured.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : captured;
    });
  }
  if (isArray(value)) return value.map((item) => filled(item, names, captures, isPattern));
  if (!isObject(value)) return value;
  const result = Object.create(null) as Record<string, JsonValue>;
  for (const [key, item] of Object.entries(value)) result[key] = filled(item, names, captures, isPattern);
  return result;
}

/** Returns the first variable in a text that is empty after all variables are replaced, and so occurs in each answer. */
function emptyIn(
  value: JsonValue,
  names: ReadonlySet<string>,
  captures: ReadonlyMap<string, string>,
): string | undefined {
  if (typeof value === "string") {
    const [first] = variablesIn(value, names);
    const text = filled(value, names, captures, false);
    return typeof text === "string" && text.trim() === "" ? first : undefined;
  }
  const inner = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  for (const one of inner) {
    const empty = emptyIn(one ?? null, names, captures);
    if (empty !== undefined) return empty;
  }
  return undefined;
}

function unknown(bound: BoundCheck, message: string): BoundCheck {
  const { key, layer, metric, summary, limit, undoable } = bound.check;
  const check = defineCheck({
    key,
    layer,
    metric,
    summary,
    limit,
    undoable,
    evaluate: ({ run }) => incomplete("query", message, run),
  });
  return { ...bound, check };
}
