import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";

const MOST_COMBINATIONS = 50;

/** Every combination of the variables that are lists, as promptfoo tests them; `cut` when there would be very many. */
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

/** Names that the question goes by where no prompt says. */
const QUESTIONS = [
  "query",
  "question",
  "input",
  "message",
  "prompt",
  "user_input",
  "text",
  "user_query",
  "topic",
];
const VARIABLE = /\{\{-?\s*([\w.-]+)\s*(?:\|[^}]*)?-?\}\}/g;

/** The question: the prompt with its variables filled in, or the variable that looks like one. Names that went in are put into `used`. */
export function filled(prompt: string | undefined, values: JsonObject, used: Set<string>): string {
  if (prompt !== undefined && prompt.trim() !== "") return withVariables(prompt, values, used);
  const name = QUESTIONS.find((one) => typeof values[one] === "string") ?? Object.keys(values)[0];
  if (name === undefined) return "";
  used.add(name);
  return variableText(values[name] ?? "");
}

/** A text with variables filled in; unknown ones stay as they are. */
export function withVariables(text: string, values: JsonObject, used: Set<string>): string {
  return text.replace(VARIABLE, (whole, path: string) => {
    const [name = "", ...inner] = path.split(".");
    const value = inner.reduce<JsonValue | undefined>(
      (found, key) => (isObject(found) ? found[key] : undefined),
      values[name],
    );
    if (value === undefined) return whole;
    used.add(name);
    return variableText(value);
  });
}

export function variableText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
