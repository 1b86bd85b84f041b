import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compact, type Imported, Source } from "./imported.ts";

/** A promptfoo configuration: each test with its asserts, the prompt filled in with the test's variables. */
export function importPromptfoo(documents: readonly JsonValue[]): Imported {
  const left: string[] = [];
  const queries = documents.flatMap((document, number) => {
    const config = new Source(document, number === 0 ? "config" : `config ${number + 1}`);
    config.ignore(
      "description",
      "providers",
      "targets",
      "env",
      "sharing",
      "outputPath",
      "evaluateOptions",
      "commandLineOptions",
    );
    const [prompt, ...others] = config.list("prompts").map(promptText);
    if (others.length > 0)
      left.push(`config.prompts: only the first of ${others.length + 1} prompts is asked`);
    const shared = new Source(config.value("defaultTest"), "defaultTest");
    const common = shared.list("assert");
    const variables = shared.value("vars");
    const tests = config.list("tests");
    if (config.text("tests") !== undefined)
      left.push("config.tests: a file of tests; import that file's tests by hand");
    left.push(...config.rest(), ...shared.rest());
    return tests.map((test, at) => ({
      query: queryOf(new Source(test, `tests[${at}]`), { prompt, common, variables }, left),
      remarks: [],
    }));
  });
  return { queries, agent: null, root: {}, left };
}

interface Shared {
  readonly prompt: string | undefined;
  readonly common: readonly JsonValue[];
  readonly variables: JsonValue | undefined;
}

function promptText(prompt: JsonValue): string {
  if (typeof prompt === "string") return prompt;
  const raw = isObject(prompt) ? (prompt["raw"] ?? prompt["label"]) : undefined;
  return typeof raw === "string" ? raw : "";
}

const QUESTIONS = ["query", "question", "input", "message", "prompt", "user_input"];

function queryOf(test: Source, { prompt, common, variables }: Shared, left: string[]): JsonObject {
  const own = test.value("vars");
  const vars = { ...(isObject(variables) ? variables : {}), ...(isObject(own) ? own : {}) };
  const description = test.text("description");
  test.ignore("threshold");
  const blocks: Blocks = { correctness: {}, path: {}, cost: {} };
  const asserts = [...common, ...test.list("assert")];
  asserts.forEach((one, at) => {
    const place = `${description ?? "test"}.assert[${at}]`;
    const told = carry(new Source(one, place), blocks);
    if (told !== null) left.push(`${place} (${told})`);
  });
  const options = test.value("options");
  if (options !== undefined) left.push(`${description ?? "test"}.options`);
  left.push(...test.rest());
  return compact({
    query: filled(prompt, vars),
    description,
    correctness: compact(blocks.correctness),
    path: compact(blocks.path),
    cost: compact(blocks.cost),
  });
}

function filled(prompt: string | undefined, vars: JsonObject): string {
  const question = QUESTIONS.map((name) => vars[name]).find((value) => typeof value === "string");
  if (prompt === undefined || prompt.trim() === "" || prompt.startsWith("file://"))
    return textOf(question ?? Object.values(vars)[0] ?? "");
  return prompt.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (whole, name: string) => {
    const value = vars[name];
    return value === undefined ? whole : textOf(value);
  });
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface Blocks {
  readonly correctness: Record<string, JsonValue>;
  readonly path: Record<string, JsonValue>;
  readonly cost: Record<string, JsonValue>;
}

/** Puts one assert into the blocks; null when all of it was carried over, else what was not. */
function carry(assert: Source, blocks: Blocks): string | null {
  const type = assert.text("type") ?? "";
  const value = assert.value("value");
  const threshold = assert.number("threshold");
  assert.ignore("metric", "weight");
  const { correctness, path, cost } = blocks;
  const texts = isArray(value) ? value.map(textOf) : value === undefined ? [] : [textOf(value)];
  const add = (block: Record<string, JsonValue>, key: string, more: readonly JsonValue[]): null => {
    const known = block[key];
    block[key] = [...(isArray(known) ? known : []), ...more];
    return null;
  };
  switch (type) {
    case "contains":
    case "icontains":
    case "contains-all":
    case "icontains-all":
      return add(correctness, "expected_in_answer", texts);
    case "contains-any":
    case "icontains-any":
      return add(correctness, "any_expected_in_answer", texts);
    case "not-contains":
    case "not-icontains":
      return add(correctness, "not_in_answer", texts);
    case "equals":
      correctness["exact_match"] = texts[0] ?? "";
      return null;
    case "regex":
      correctness["regex_match"] = texts[0] ?? "";
      return null;
    case "is-json":
      correctness["json_schema"] = isObject(value) ? value : {};
      return null;
    case "llm-rubric":
    case "factuality":
    case "model-graded-closedqa":
      return add(correctness, "llm_judge", [compact({ rule: texts[0] ?? "", threshold })]);
    case "cost":
      cost["max_cost_usd"] = threshold ?? null;
      return null;
    case "latency":
      cost["max_latency_ms"] = threshold ?? null;
      return null;
    case "trajectory:goal-success":
      correctness["goal_accuracy"] = true;
      return "goal_accuracy: look at its settings";
    default:
      return trajectory(type, value, path, add);
  }
}

function trajectory(
  type: string,
  value: JsonValue | undefined,
  path: Record<string, JsonValue>,
  add: (block: Record<string, JsonValue>, key: string, more: readonly JsonValue[]) => null,
): string | null {
  const details = isObject(value) ? value : {};
  const names = toolNames(value);
  switch (type) {
    case "trajectory:tool-used":
      return add(path, "expected_tools", names);
    case "not-trajectory:tool-used":
      return add(path, "forbidden_tools", names);
    case "trajectory:tool-sequence":
      path["expected_tool_sequence"] = [...names];
      path["sequence_mode"] = details["mode"] === "exact" ? "same-order" : "contains-in-order";
      return null;
    case "trajectory:tool-args-match":
      return add(path, "expected_tool_calls", [
        {
          name: textOf(details["name"] ?? details["tool"] ?? ""),
          arguments: details["args"] ?? details["arguments"] ?? {},
        },
      ]);
    case "trajectory:step-count":
      if (typeof details["max"] !== "number") return type;
      path["max_tool_calls"] = details["max"];
      return details["type"] === undefined || details["type"] === "tool"
        ? null
        : `${type} of ${textOf(details["type"])}: counted as tool calls`;
    default:
      return type === "" ? "without a type" : type;
  }
}

function toolNames(value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  const list = isObject(value) ? (value["steps"] ?? value["tools"] ?? value["name"] ?? value["tool"]) : value;
  if (typeof list === "string") return [list];
  if (!isArray(list)) return [];
  return list.map((item) => (isObject(item) ? textOf(item["name"] ?? item["tool"] ?? "") : textOf(item)));
}
