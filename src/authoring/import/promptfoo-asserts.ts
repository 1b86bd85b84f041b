import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compact } from "./imported.ts";
import { withVariables } from "./promptfoo-variables.ts";
import type { Source } from "./source.ts";

/** The blocks of a query while asserts are put into them. */
export interface Blocks {
  readonly correctness: Record<string, JsonValue>;
  readonly path: Record<string, JsonValue>;
  readonly cost: Record<string, JsonValue>;
  readonly spans: JsonValue[];
}

export interface AssertContext {
  readonly values: JsonObject;
  /** `assertTemplates` of the configuration. */
  readonly templates: Source;
  readonly used: Set<string>;
}

const listed: Readonly<Record<string, string>> = {
  contains: "expected_in_answer",
  icontains: "expected_in_answer",
  "contains-all": "expected_in_answer",
  "icontains-all": "expected_in_answer",
  "contains-any": "any_expected_in_answer",
  "icontains-any": "any_expected_in_answer",
  "not-contains": "not_in_answer",
  "not-icontains": "not_in_answer",
};
const judged: ReadonlySet<string> = new Set(["llm-rubric", "factuality", "model-graded-closedqa", "g-eval"]);

/** Puts one assert into the blocks; what cannot be put there is left in it, to be reported. */
export function carryAssert(assert: Source, blocks: Blocks, context: AssertContext): void {
  const reference = assert.text("$ref");
  if (reference !== undefined) {
    const name = reference.replace(/^#\/assertTemplates\//, "");
    const template = context.templates.inner(name);
    if (template.has("type")) carryAssert(template, blocks, context);
    else assert.leave("$ref", reference);
    return;
  }
  const type = assert.text("type") ?? "";
  if (type === "assert-set") {
    for (const one of assert.items("assert")) carryAssert(one, blocks, context);
    return;
  }
  const value = rendered(assert.value("value"), context);
  if (typeof value === "string" && value.startsWith("file://"))
    return assert.leave("value", `${type}: ${value}`);
  const carried = carry(type, value, assert, blocks);
  const problem = carried === undefined ? trajectory(type, value, assert, blocks) : carried;
  if (problem !== null) assert.leave("", problem);
}

/** Null when the assert was carried over, undefined when it is of another kind, else what of it was not. */
function carry(
  type: string,
  value: JsonValue | undefined,
  assert: Source,
  { correctness, cost }: Blocks,
): string | null | undefined {
  const texts = isArray(value) ? value.map(textOf) : value === undefined ? [] : [textOf(value)];
  const key = listed[type];
  if (key !== undefined) {
    // Two lists of which any is enough cannot become one.
    if (key === "any_expected_in_answer" && correctness[key] !== undefined) return `a second ${type}`;
    return append(correctness, key, texts);
  }
  if (judged.has(type)) {
    if (texts.join("").trim() === "") return `${type} without a rubric of its own`;
    return append(correctness, "llm_judge", [
      compact({ rule: texts.join("\n"), threshold: assert.number("threshold") }),
    ]);
  }
  switch (type) {
    case "equals":
      return once(correctness, "exact_match", texts[0] ?? "", type);
    case "regex":
      return once(correctness, "regex_match", texts[0] ?? "", type);
    case "starts-with":
      return once(correctness, "regex_match", `^${escaped(texts[0] ?? "")}`, type);
    case "is-json":
      return once(correctness, "json_schema", isObject(value) ? value : {}, type);
    case "cost":
      return least(cost, "max_cost_usd", assert.number("threshold"), type);
    case "latency":
      return least(cost, "max_latency_ms", assert.number("threshold"), type);
    case "trajectory:goal-success":
      return once(
        correctness,
        "goal_accuracy",
        compact({ reference: texts[0], mode: "with_reference" }),
        type,
      );
    default:
      return undefined;
  }
}

function trajectory(
  type: string,
  value: JsonValue | undefined,
  assert: Source,
  { path, spans }: Blocks,
): string | null {
  const details = isObject(value) ? value : {};
  const leave = (...known: readonly string[]): void => {
    for (const key of Object.keys(details)) if (!known.includes(key)) assert.leave(`value.${key}`, type);
  };
  switch (type) {
    case "trajectory:tool-used":
    case "not-trajectory:tool-used": {
      const names = toolNames(value);
      if (names.length === 0) return `${type} by a pattern`;
      leave("name", "tool", "tools", "names");
      return append(path, type.startsWith("not-") ? "forbidden_tools" : "expected_tools", names);
    }
    case "trajectory:tool-sequence": {
      const names = toolNames(value);
      if (names.length === 0 || path["expected_tool_sequence"] !== undefined)
        return `a second or empty ${type}`;
      leave("steps", "tools", "mode");
      path["expected_tool_sequence"] = [...names];
      path["sequence_mode"] = details["mode"] === "exact" ? "same-order" : "contains-in-order";
      return null;
    }
    case "trajectory:tool-args-match": {
      const name = details["name"] ?? details["tool"];
      const given = details["args"] ?? details["arguments"] ?? {};
      if (typeof name !== "string" || !isObject(given)) return `${type} by a pattern`;
      leave("name", "tool", "args", "arguments", "mode");
      // One call that fits is enough, and others may stand beside it, of this tool and of any: `expected_tool_calls` would count them.
      const wanted = details["mode"] === "exact" ? { equals: given } : { includes: given };
      spans.push({ kind: "tool", name, field: "arguments", ...wanted, some: true });
      return null;
    }
    case "trajectory:step-count":
      if (typeof details["max"] !== "number") return type;
      if (details["type"] !== undefined && details["type"] !== "tool")
        return `${type} of ${textOf(details["type"])}`;
      leave("max", "type");
      return least(path, "max_tool_calls", details["max"], type);
    default:
      return type === "" ? "without a type" : type;
  }
}

function append(block: Record<string, JsonValue>, key: string, more: readonly JsonValue[]): null {
  const known = block[key];
  block[key] = [...(isArray(known) ? known : []), ...more];
  return null;
}

/** A query has one of these. */
function once(block: Record<string, JsonValue>, key: string, value: JsonValue, type: string): string | null {
  if (block[key] !== undefined) return `a second ${type}`;
  block[key] = value;
  return null;
}

/** Of two limits the lower holds. */
function least(
  block: Record<string, JsonValue>,
  key: string,
  limit: number | undefined,
  type: string,
): string | null {
  if (limit === undefined) return `${type} without a threshold`;
  const known = block[key];
  block[key] = typeof known === "number" ? Math.min(known, limit) : limit;
  return null;
}

function rendered(value: JsonValue | undefined, context: AssertContext): JsonValue | undefined {
  if (typeof value === "string") return withVariables(value, context.values, context.used);
  if (isArray(value)) return value.map((one) => rendered(one, context) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rendered(one, context) ?? null]));
}

function toolNames(value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  const list = isObject(value)
    ? (value["steps"] ?? value["tools"] ?? value["names"] ?? value["name"] ?? value["tool"])
    : value;
  if (typeof list === "string") return [list];
  if (!isArray(list)) return [];
  return list.flatMap((item) => {
    const name = isObject(item) ? (item["name"] ?? item["tool"]) : item;
    return typeof name === "string" ? [name] : [];
  });
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
