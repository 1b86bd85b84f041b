import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { byLayer, layers } from "../../model/outcome.ts";
import type { BoundCheck, CompiledQuery, Expectations } from "../query/compiled.ts";
import { defineCheck } from "../checks/check.ts";
import { incomplete } from "../result/finding.ts";

/** Keys in which braces have another meaning. */
const literal: ReadonlySet<string> = new Set(["json_schema"]);
/** Keys with regular expressions, in which captured text is escaped. `regex` is a key of `spans`. */
const patterns: ReadonlySet<string> = new Set(["regex_match", "not_regex_match", "regex"]);

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
  return used ? filledQuery(query, { names, captures }) : query;
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
  return names.size === 0 ? query : filledQuery(query, { names, captures });
}

/** Names of a query's variables, and the captured texts. */
interface Variables {
  readonly names: ReadonlySet<string>;
  readonly captures: ReadonlyMap<string, string>;
}

function filledQuery(query: CompiledQuery, variables: Variables): CompiledQuery {
  return {
    ...query,
    turns: query.turns.map((turn) => ({ ...turn, ...filledExpectations(turn, variables) })),
    ...filledExpectations(query, variables),
    isFilled: true,
  };
}

function filledExpectations(
  query: Expectations,
  variables: Variables,
): Pick<Expectations, "settings" | "checks"> {
  const settings = byLayer((layer) => filledLayer(query.settings[layer] as JsonObject, variables));
  const checks = query.checks.map((bound) => {
    if (!usesAny(bound, variables.names)) return bound;
    const limit = bound.limit as JsonValue;
    const absent = variablesIn(limit, variables.names).find((name) => !variables.captures.has(name));
    if (absent !== undefined)
      return unknown(
        bound,
        `{${absent}} has no value: no question or answer matches the pattern that captures it`,
      );
    const empty = emptyIn(limit, variables);
    if (empty !== undefined)
      return unknown(bound, `{${empty}} is empty, so that ${bound.check.key} asserts nothing`);
    return { ...bound, limit: filled(bound.check.key, limit, variables), written: limit };
  });
  return { settings, checks };
}

/** Returns the query as in the spec, with captured text in place of `{name}` in the layers. Rubrics of judges are not changed. */
export function writtenWith(query: CompiledQuery, captures: ReadonlyMap<string, string>): JsonObject {
  const { names } = usageOf(query);
  const judged = new Set(query.checks.flatMap(({ check }) => (check.judged === true ? [check.key] : [])));
  const isLayer = (key: string): boolean => layers.some((name) => name === key);
  return Object.fromEntries(
    Object.entries(query.written).map(([key, value]) => [
      key,
      isLayer(key) && isObject(value) ? filledLayer(value, { names, captures }, judged) : value,
    ]),
  );
}

/** @param kept keys whose values are not changed */
function filledLayer(layer: JsonObject, variables: Variables, kept?: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(layer).map(([key, value]) => [
      key,
      kept?.has(key) === true ? value : filled(key, value, variables),
    ]),
  );
}

function usesAny({ check, limit }: BoundCheck, names: ReadonlySet<string>): boolean {
  if (check.judged === true || literal.has(check.key)) return false;
  return (
    variablesIn(limit as JsonValue, names).length > 0 ||
    (!patterns.has(check.key) && textsIn(limit as JsonValue).some((text) => text.search(escaped) >= 0))
  );
}

/** Matches a variable in single braces. `{{name}}` is excluded, because it is probably an unfilled template of another tool. */
const single = new RegExp(String.raw`(?<!\{)${mark.source}(?!\})`, "g");

/** Returns the names in braces in a check's value; empty if the key does not support variables. */
export function variableNames(key: string, value: JsonValue): readonly string[] {
  if (literal.has(key)) return [];
  return textsIn(value).flatMap((text) => [...text.matchAll(single)].map(([, name = ""]) => name));
}

/** Escapes the braces in a check's value, except those of the variables in `names`. */
export function withEscapes(key: string, value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (literal.has(key) || patterns.has(key)) return value;
  return withTexts(key, value, (text) =>
    text.replaceAll(braces, (whole, name: string, at: number) =>
      names.has(name) && text[at - 1] !== "\\" ? whole : `\\${whole}`,
    ),
  );
}

/** Returns the texts in a value, at any depth. */
function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns the value of a key in which `replace` replaces each text. `replace` gets the text and the innermost key around it. */
function withTexts(key: string, value: JsonValue, replace: (text: string, key: string) => string): JsonValue {
  if (typeof value === "string") return replace(value, key);
  if (isArray(value)) return value.map((item) => withTexts(key, item, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withTexts(name, item, replace)]),
  );
}

function variablesIn(value: JsonValue, names: ReadonlySet<string>): readonly string[] {
  return textsIn(value).flatMap((text) =>
    [...text.matchAll(mark)].flatMap(([, name = ""]) => (names.has(name) ? [name] : [])),
  );
}

function filled(key: string, value: JsonValue, variables: Variables): JsonValue {
  if (literal.has(key)) return value;
  return withTexts(key, value, (text, inner) => filledText(text, variables, patterns.has(inner)));
}

/** Replaces variables and escapes in one pass, so that escapes inside captured text are not replaced. */
function filledText(text: string, { names, captures }: Variables, isPattern: boolean): string {
  return text.replaceAll(isPattern ? mark : markOrEscape, (whole, name: string | undefined) => {
    if (name === undefined) return "";
    const captured = names.has(name) ? captures.get(name) : undefined;
    if (captured === undefined) return whole;
    return isPattern ? captured.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : captured;
  });
}

/**
 * Returns the first variable of a text that becomes empty when its variables are replaced; undefined if no text becomes empty. Every answer
 * contains the empty text.
 */
function emptyIn(value: JsonValue, variables: Variables): string | undefined {
  return textsIn(value)
    .filter((text) => filledText(text, variables, false).trim() === "")
    .flatMap((text) => variablesIn(text, variables.names))[0];
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
