import { parse } from "yaml";
import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { escaped, isScalar, type Problem, type QueryBlocks, textOf } from "./promptfoo-blocks.ts";
import { carryTrajectory } from "./promptfoo-trajectories.ts";
import { type Variables, withVariables } from "./promptfoo-variables.ts";
import { compact, type Source } from "./source.ts";

/** Matches a quoted text, followed by a comma or the end. */
const quoted = /^"((?:\\["\\]|""|[^"\\]|\\(?!["\\]))*)"\s*(?=,|$)/;
const plain = /^([^,]*)/;

export interface AssertContext extends Variables {
  /** `assertTemplates` of the configuration. */
  readonly templates: Source;
  /** Whether a `transform` changes the answer before it is checked. */
  readonly transformed: boolean;
}

/** Converts one promptfoo assert into keys of the query. Parts without an equivalent are reported. */
export function carryAssert(assert: Source, blocks: QueryBlocks, context: AssertContext): void {
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
  const weight = assert.number("weight");
  if (weight !== undefined && weight !== 0 && weight !== 1) assert.leave("weight");
  const { value, open } = rendered(assert.value("value"), context);
  const problem =
    obstacle(type, {
      weight,
      open,
      transformed: assert.value("transform") !== undefined || context.transformed,
    }) ?? carry({ type: type.replace(/^not-/, ""), inverse: type.startsWith("not-"), value }, assert, blocks);
  if (problem !== null) assert.leave("", [type, problem].filter((part) => part !== "").join(": "));
}

/**
 * Returns a reason that prevents an assert of any type from being converted, or undefined without such a
 * reason.
 */
function obstacle(
  type: string,
  found: {
    readonly weight: number | undefined;
    readonly open: readonly string[];
    readonly transformed: boolean;
  },
): string | undefined {
  if (type === "") return "without a type";
  if (found.weight === 0) return "with weight 0, the assert never fails";
  if (found.open.length > 0) return `no value for the placeholder ${found.open.join(", ")}`;
  const isAboutRun = /^(?:not-)?(?:trajectory:|cost$|latency$)/.test(type);
  return found.transformed && !isAboutRun ? "the assert checks a transformed answer" : undefined;
}

interface Assert {
  /** Type of the assert, without the prefix `not-`. */
  readonly type: string;
  readonly inverse: boolean;
  readonly value: JsonValue | undefined;
}

function carry(assert: Assert, source: Source, blocks: QueryBlocks): Problem {
  const { type, inverse, value } = assert;
  if (type.startsWith("trajectory:") && type !== "trajectory:goal-success")
    return carryTrajectory(assert, source, blocks);
  const words = wordsOf(assert);
  if (typeof words === "string") return words;
  if (words !== undefined) return carryWords(assert, words, blocks);
  switch (type) {
    case "equals":
      return equals(assert, blocks);
    case "regex":
      return typeof value === "string" && value !== ""
        ? blocks.patterns([value], inverse)
        : "without a pattern";
    case "starts-with":
      return typeof value === "string" && value !== ""
        ? blocks.patterns([`^${escaped(value)}`], inverse)
        : "without a text";
    case "is-json":
      return inverse ? "" : isJson(value, blocks);
    case "cost":
    case "latency": {
      const threshold = source.number("threshold");
      if (inverse) return "";
      if (threshold === undefined) return "without a threshold";
      return blocks.limit("cost", type === "cost" ? "max_cost_usd" : "max_latency_ms", threshold);
    }
    case "trajectory:goal-success": {
      const goal = isObject(value) ? value["goal"] : value;
      if (inverse || typeof goal !== "string") return inverse ? "" : "without a goal";
      return blocks.once("correctness", "goal_accuracy", { reference: goal, mode: "with_reference" });
    }
    default:
      return inverse || !judged.has(type) ? "" : rubric(value, source, blocks);
  }
}

const judged: ReadonlySet<string> = new Set(["llm-rubric", "factuality", "model-graded-closedqa", "g-eval"]);

function rubric(value: JsonValue | undefined, source: Source, blocks: QueryBlocks): Problem {
  const texts = isArray(value) ? value.map(textOf) : value === undefined ? [] : [textOf(value)];
  if (texts.join("").trim() === "") return "without its own rubric";
  return blocks.answer(
    "llm_judge",
    compact({ rule: texts.join("\n"), threshold: source.number("threshold") }),
  );
}

const wordTypes = /^i?contains(?:-any|-all)?$/;

/**
 * Returns the texts of a `contains` assert as a list, or the reason as a string if the texts cannot be
 * converted. Returns undefined for any other type of assert.
 */
function wordsOf({ type, value }: Assert): readonly string[] | string | undefined {
  if (!wordTypes.test(type)) return undefined;
  if (!/-a(?:ny|ll)$/.test(type)) {
    const isText = (typeof value === "string" && value !== "") || typeof value === "number";
    return isText ? [String(value)] : "without a text";
  }
  if (typeof value === "string" && value !== "") return commaList(value) ?? `not a list: ${value}`;
  if (!isArray(value)) return "without a list";
  return value.every(isScalar) ? value.map(String) : "the list has items that are not texts";
}

/**
 * Converts the texts of a `contains` assert into checks. Types without the prefix `i` distinguish case, so
 * their texts become patterns.
 */
function carryWords({ type, inverse }: Assert, words: readonly string[], blocks: QueryBlocks): Problem {
  const ignoresCase = type.startsWith("i");
  const isAny = type.endsWith("-any");
  if (isAny && !inverse) {
    if (words.length === 0) return "without a text, the assert always fails";
    if (!ignoresCase) return blocks.patterns([words.map(escaped).join("|")], false);
    if (words.includes("")) return null;
    const problem = blocks.once("correctness", "any_expected_in_answer", words);
    return problem === null ? null : blocks.patterns([words.map(inAnyCase).join("|")], false);
  }
  if (inverse && !isAny && words.length !== 1) return "the assert passes if one of its texts is missing";
  if (ignoresCase) {
    // An empty text occurs in every answer, so an assert that forbids it always fails, and an assert that requires it always passes.
    if (inverse && words.includes("")) return "the text is empty, so the assert always fails";
    const filled = words.filter((word) => word !== "");
    if (filled.length === 0) return null;
    return blocks.answer(inverse ? "not_in_answer" : "expected_in_answer", ...filled);
  }
  return blocks.patterns(words.map(escaped), inverse);
}

/** Returns a pattern that matches a text in upper and lower case. */
function inAnyCase(word: string): string {
  return Array.from(word)
    .map((letter) => {
      const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
      return lower === upper || lower.length + upper.length !== 2 ? escaped(letter) : `[${lower}${upper}]`;
    })
    .join("");
}

/**
 * Converts an `equals` assert. A text, number or boolean becomes a pattern for the whole answer, and a list
 * or object becomes a JSON Schema.
 */
function equals({ value, inverse }: Assert, blocks: QueryBlocks): Problem {
  if (value === undefined) return "without a value";
  if (isScalar(value)) return blocks.patterns([`^${escaped(String(value))}$`], inverse);
  return inverse
    ? "a spec cannot require that the answer differs from a JSON value"
    : blocks.schema({ const: value });
}

function isJson(value: JsonValue | undefined, blocks: QueryBlocks): Problem {
  if (value === undefined || value === null || value === "") return blocks.schema({});
  const schema = typeof value === "string" ? schemaIn(value) : value;
  return isObject(schema) ? blocks.schema(schema) : "the schema is not a JSON object";
}

/** Parses a schema in JSON or YAML, as promptfoo does. */
function schemaIn(text: string): JsonValue | undefined {
  try {
    return parse(text) as JsonValue | undefined;
  } catch {
    return undefined;
  }
}

interface Rendered {
  readonly value: JsonValue | undefined;
  readonly open: readonly string[];
}

/** Inserts variables into a text or a list of texts. As in promptfoo, objects are not changed. */
function rendered(value: JsonValue | undefined, variables: Variables): Rendered {
  if (typeof value === "string") {
    if (value.startsWith("file://")) return { value, open: [value] };
    const { text, open } = withVariables(value, variables);
    return { value: text, open };
  }
  if (!isArray(value)) return { value, open: [] };
  const items = value.map((item) =>
    typeof item === "string" ? rendered(item, variables) : { value: item, open: [] },
  );
  return { value: items.map((item) => item.value ?? null), open: items.flatMap(({ open }) => open) };
}

/**
 * Splits a comma-separated list as promptfoo does, such as `contains-any: "a, b"`. Surrounding white space
 * and empty texts are removed. A text in `"…"` may contain commas, and quotation marks written as `""` or
 * `\"`. Returns undefined if promptfoo would reject the list.
 */
function commaList(text: string): readonly string[] | undefined {
  const list: string[] = [];
  let rest = text.replace(/^[\s,]+/, "");
  while (rest !== "") {
    const field = rest.startsWith('"') ? quoted.exec(rest) : plain.exec(rest);
    if (field === null) return undefined;
    const [whole, inner = ""] = field;
    list.push(
      rest.startsWith('"')
        ? inner.replace(/\\(["\\])|""/g, (_, escape: string | undefined) => escape ?? '"')
        : inner.trim(),
    );
    rest = rest.slice(whole.length).replace(/^[\s,]+/, "");
  }
  return list;
}
