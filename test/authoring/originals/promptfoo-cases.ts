import { isArray, isObject, type JsonObject, type JsonValue } from "../../../src/model/json.ts";
import { Dice } from "./random.ts";

export interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What an agent did, as far as promptfoo looks at it. */
export interface Trajectory {
  readonly answer: string;
  readonly tools: readonly Call[];
  readonly costUsd: number;
  readonly latencyMs: number;
}

export interface PromptfooCase {
  readonly assert: readonly JsonObject[];
  readonly trajectory: Trajectory;
}

const answers = [
  "PASS",
  "The result is pass.",
  "Order 12 was SHIPPED today",
  "order 12 was shipped, tomorrow",
  "The bus to Paris, Lyon and Nice",
  "lyon",
  '{"a":1}',
  '{"a": 1, "b": [1, 2]}',
  '{"a": "1"}',
  '{ "b": [1, 2], "a": 1.0 }',
  "[1, 2]",
  "4",
  " 4\n",
  "true",
  "null",
  '```json\n{"a": 1}\n```',
  "",
  "That costs $5.00 (net)",
  "line one\nline two",
  "one\r\ntwo",
  "a\u00a0b",
  "naïve café",
  "İstanbul",
  "١٢ items",
  "12 items\n",
  'yes, "quoted, text" here',
];

const words = [
  "PASS",
  "pass",
  "SHIPPED",
  "shipped",
  "Paris",
  "lyon",
  "US",
  "12",
  "$5.00",
  "(net)",
  ".*",
  "one\nline",
  "café",
  "i̇stanbul",
  "quoted, text",
  " ",
];

const lists: readonly JsonValue[] = [
  "Paris, Lyon",
  "paris,lyon",
  " , Nice ,, PASS ",
  '"quoted, text", Oslo',
  '"say ""hi""", 12',
  '"open',
  "today\ttomorrow, today",
  ["Paris", "Lyon"],
  ["PASS", 12],
  ["shipped", ""],
  [],
  [true, "x"],
];

const equalities: readonly JsonValue[] = [
  "PASS",
  "pass",
  "4",
  4,
  " 4\n",
  true,
  "null",
  null,
  { a: 1 },
  { a: "1" },
  { b: [1, 2], a: 1 },
  [1, 2],
  [2, 1],
  "",
  '{"a":1}',
];

const regexes = [
  "^PASS$",
  "pass",
  String.raw`\d+ items$`,
  String.raw`^\s*4\s*$`,
  String.raw`^\w+$`,
  "one.two",
  "one[^]two",
  "(?=x)y",
  String.raw`(a)\1`,
  "[",
  String.raw`\$5\.00`,
  String.raw`a\sb`,
  "^line two",
  "^$",
  String.raw`caf\u00e9`,
  "ship{2}ed",
];

const schemas: readonly JsonValue[] = [
  null,
  {},
  { type: "object", required: ["a"], properties: { a: { type: "number" } } },
  { type: "array", items: [{ type: "number" }, { type: "string" }] },
  { type: "array", items: { type: "integer" } },
  "type: object\nrequired: [b]",
  { const: { a: 1 } },
  { type: "object", additionalProperties: false, properties: { a: {} } },
];

const toolNames = ["search", "Search", "web_search", "book", "pay", "edit_file", "EditFile", "edit"];
const namePatterns = [...toolNames, "SEARCH", "*search", "edit*", "e?it", "*", "b.ok", "edit-file"];
const argumentsOf: readonly JsonObject[] = [
  {},
  { id: 7 },
  { id: 7, seat: "4A" },
  { id: "7" },
  { id: 8 },
  { at: { day: 1, hour: 2 } },
  { at: { day: 1 } },
  { list: [{ a: 1, b: 2 }] },
  { list: [{ a: 1 }] },
  { tags: ["x", "y"] },
  { flag: null },
];

const answerMakers: readonly ((dice: Dice) => JsonObject)[] = [
  (dice) => ({ type: dice.one(["contains", "not-contains"]), value: dice.one(words) }),
  (dice) => ({ type: dice.one(["icontains", "not-icontains"]), value: dice.one(words) }),
  (dice) => ({
    type: dice.one(["contains-any", "contains-all", "not-contains-any", "not-contains-all"]),
    value: dice.one(lists),
  }),
  (dice) => ({
    type: dice.one(["icontains-any", "icontains-all", "not-icontains-any", "not-icontains-all"]),
    value: dice.one(lists),
  }),
  (dice) => ({ type: dice.one(["equals", "equals", "not-equals"]), value: dice.one(equalities) }),
  (dice) => ({ type: dice.one(["regex", "regex", "not-regex"]), value: dice.one(regexes) }),
  (dice) => ({ type: dice.one(["starts-with", "not-starts-with"]), value: dice.one(words) }),
  (dice) => ({ type: dice.one(["is-json", "is-json", "not-is-json"]), value: dice.one(schemas) }),
  (dice) => ({
    type: "contains",
    value: dice.one([12, 5, "{{word}}", "x{{word}}", "{{word | upper}}", "{{none}}"]),
  }),
  (dice) => ({ type: "contains", value: dice.one(words), weight: dice.one([0, 1, 2]) }),
  (dice) => ({
    type: "assert-set",
    assert: [
      { type: "contains", value: dice.one(words) },
      { type: "icontains", value: dice.one(words) },
    ],
  }),
  (dice) => ({ type: "contains", value: dice.one(words), transform: "output.toUpperCase()" }),
  (dice) => ({ type: dice.one(["word-count", "levenshtein", "contains-json"]), value: "4" }),
];

const limitMakers: readonly ((dice: Dice) => JsonObject)[] = [
  (dice) => ({
    type: dice.one(["cost", "cost", "not-cost"]),
    threshold: dice.one([0, 1e-7, 0.01, 0.0123, 1]),
  }),
  (dice) => ({
    type: dice.one(["latency", "latency", "not-latency"]),
    threshold: dice.one([10, 999, 1000, 5000]),
  }),
];

const toolMakers: readonly ((dice: Dice) => JsonObject)[] = [
  (dice) => ({
    type: dice.one(["trajectory:tool-used", "not-trajectory:tool-used"]),
    value: dice.one<JsonValue>([dice.one(namePatterns), [dice.one(namePatterns), dice.one(namePatterns)]]),
  }),
  (dice) => ({
    type: dice.one(["trajectory:tool-used", "trajectory:tool-used", "not-trajectory:tool-used"]),
    value: {
      [dice.one(["name", "pattern"])]: dice.one(namePatterns),
      ...dice.one<JsonObject>([
        {},
        { min: 2 },
        { max: 1 },
        { min: 0, max: 1 },
        { min: 1, max: 2 },
        { min: 0 },
      ]),
    },
  }),
  (dice) => ({
    type: dice.one(["trajectory:tool-sequence", "trajectory:tool-sequence", "not-trajectory:tool-sequence"]),
    value: dice.one<JsonValue>([
      sequenceOf(dice),
      { steps: sequenceOf(dice) },
      { mode: "exact", steps: sequenceOf(dice) },
      { mode: "in_order", steps: sequenceOf(dice).map((name) => ({ name })) },
    ]),
  }),
  (dice) => ({
    type: dice.one([
      "trajectory:tool-args-match",
      "trajectory:tool-args-match",
      "not-trajectory:tool-args-match",
    ]),
    value: {
      name: dice.one(namePatterns),
      [dice.one(["args", "arguments"])]: dice.one(argumentsOf),
      ...dice.one<JsonObject>([
        {},
        { mode: "partial" },
        { mode: "exact" },
        { ignore: ["seat", "i?"] },
        { defaults: { id: 7 } },
      ]),
    },
  }),
  (dice) => ({
    type: dice.one(["trajectory:step-count", "trajectory:step-count", "not-trajectory:step-count"]),
    value: {
      ...dice.one<JsonObject>([
        { type: "tool" },
        { type: "tool", pattern: "*search" },
        { type: ["tool"] },
        {},
      ]),
      ...dice.one<JsonObject>([{ max: 2 }, { min: 2 }, { min: 1, max: 2 }, { max: 0 }]),
    },
  }),
];

function sequenceOf(dice: Dice): string[] {
  return [dice.one(namePatterns), ...dice.some(namePatterns, 2)];
}

/** Values of the variables in asserts. */
export const promptfooVariables: JsonObject = { word: "PASS" };

export function promptfooCases(): readonly PromptfooCase[] {
  const dice = new Dice(38);
  const made = (makers: readonly ((dice: Dice) => JsonObject)[], count: number): PromptfooCase[] =>
    Array.from({ length: count }, (_, at) => {
      const assert = makers[at % makers.length]?.(dice) ?? {};
      return { assert: [assert], trajectory: likely(assert, trajectoryOf(dice), dice) };
    });
  const single = [...made(answerMakers, 260), ...made(limitMakers, 40), ...made(toolMakers, 300)];
  const all = [...answerMakers, ...limitMakers, ...toolMakers];
  const several = Array.from({ length: 200 }, () => ({
    assert: [dice.one(all)(dice), dice.one(all)(dice), dice.one(all)(dice)],
    trajectory: trajectoryOf(dice),
  }));
  return [...single, ...several];
}

/** Two times of three what the assert is about: by chance few would hold. */
function likely({ type, value }: JsonObject, trajectory: Trajectory, dice: Dice): Trajectory {
  const kind = typeof type === "string" ? type.replace("not-", "") : "";
  if (value === undefined || dice.below(3) === 0) return trajectory;
  if (kind.startsWith("trajectory:"))
    return { ...trajectory, tools: toolsAbout(value, trajectory.tools, dice) };
  return { ...trajectory, answer: answerAbout(kind, value, dice) ?? trajectory.answer };
}

function answerAbout(kind: string, value: JsonValue, dice: Dice): string | undefined {
  if (kind === "is-json") return dice.one(answers.filter((answer) => /^\s*[[{]/.test(answer)));
  if (kind === "regex")
    return answers.filter((answer) => typeof value === "string" && matches(value, answer)).at(dice.below(2));
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (!/contains/.test(kind)) return `${text}${dice.one(["", "", " ", "\n", "."])}`;
  const words = isArray(value)
    ? value.map(String)
    : text.split(",").map((word) => word.trim().replaceAll('"', ""));
  const said = words.slice(0, 1 + dice.below(words.length)).join(" and ");
  return dice.one([said, said, `${said}!`, said.toUpperCase(), said.toLowerCase()]);
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}

/** Calls that the names and arguments of an assert are about, and sometimes others beside them. */
function toolsAbout(value: JsonValue, others: readonly Call[], dice: Dice): readonly Call[] {
  const { name, pattern, steps, args, arguments: given } = isObject(value) ? value : {};
  const written = isObject(value) ? (steps ?? [name ?? pattern ?? "search"]) : value;
  const called = (isArray(written) ? written : [written]).map((step): Call => {
    const one = isObject(step) ? step["name"] : step;
    const wanted = args ?? given;
    const more = dice.one<JsonObject>([{}, {}, { seat: "4A" }, { id: 8 }]);
    return {
      name: typeof one === "string" && one !== "*" ? one.replaceAll("*", "web_").replaceAll("?", "d") : "pay",
      arguments: isObject(wanted) ? { ...wanted, ...more } : dice.one(argumentsOf),
    };
  });
  const first = others.slice(0, dice.below(2));
  return [...first, ...called, ...dice.one([[], [], called, others])];
}

function trajectoryOf(dice: Dice): Trajectory {
  return {
    answer: dice.one(answers),
    tools: Array.from({ length: dice.below(5) }, () => ({
      name: dice.one(toolNames),
      arguments: dice.one(argumentsOf),
    })),
    costUsd: dice.one([0, 1e-7, 0.01, 0.0123, 0.5]),
    latencyMs: dice.one([10, 1000, 1000.5, 4000]),
  };
}
