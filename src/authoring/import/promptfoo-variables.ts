import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { wordList } from "../../support/structures/word-list.ts";

const MOST_COMBINATIONS = 50;

/**
 * Returns all combinations of the values of list variables, as promptfoo does. `cut` is true if there are too
 * many combinations and some were left out.
 */
export function variations(values: JsonObject): {
  readonly combinations: readonly JsonObject[];
  readonly cut: boolean;
} {
  let combinations: readonly JsonObject[] = [values];
  let cut = false;
  for (const [name, value] of Object.entries(values)) {
    if (!isArray(value) || value.length === 0) continue;
    const next = combinations.flatMap((one) => value.map((choice) => ({ ...one, [name]: choice })));
    cut ||= next.length > MOST_COMBINATIONS;
    combinations = next.slice(0, MOST_COMBINATIONS);
  }
  return { combinations, cut };
}

/** Usual names of the variable with the question, which are tried if there is no prompt. */
const QUESTIONS = wordList("query question input message prompt user_input text user_query topic");

/** Variables of one test. `used` contains the names of the variables that were inserted. */
export interface Variables {
  readonly values: JsonObject;
  readonly used: Set<string>;
}

export interface Filled {
  readonly text: string;
  /** Parts of the template that remain: filters, statements, and variables without a value. */
  readonly open: readonly string[];
}

/**
 * Returns the question: the prompt with inserted variables. Without a prompt, returns the variable that
 * probably contains the question.
 */
export function filled(prompt: string | undefined, { values, used }: Variables): Filled {
  if (prompt !== undefined && prompt.trim() !== "") return withVariables(prompt, { values, used });
  const name = QUESTIONS.find((one) => typeof values[one] === "string") ?? Object.keys(values)[0];
  if (name === undefined) return { text: "", open: [] };
  used.add(name);
  return { text: variableText(values[name] ?? ""), open: [] };
}

/** Matches a plain variable (`{{a}}` or `{{a.b}}`) or any other Nunjucks syntax. */
const TEMPLATE = /\{\{\s*(\w+(?:\.\w+)*)\s*\}\}|\{\{[^]*?\}\}|\{%[^]*?%\}|\{#[^]*?#\}/g;

export function withVariables(text: string, { values, used }: Variables): Filled {
  const open: string[] = [];
  const result = text.replace(TEMPLATE, (whole, path: string | undefined) => {
    const [name = "", ...inner] = (path ?? "").split(".");
    const value = inner.reduce<JsonValue | undefined>(
      (found, key) => (isObject(found) ? found[key] : undefined),
      values[name],
    );
    if (path === undefined || value === undefined) {
      open.push(whole);
      return whole;
    }
    used.add(name);
    return variableText(value);
  });
  return { text: result, open };
}

export function variableText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
