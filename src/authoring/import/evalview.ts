import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compact, describe, type Imported, placeIn, type SourceDocument } from "./imported.ts";
import { Source } from "./source.ts";

/**
 * EvalView test cases: one a document, a list of them, or several under `tests`, as its skill tests are. Their meaning of ambiguous names
 * comes with `preset: evalview`.
 */
export function importEvalview(documents: readonly SourceDocument[]): Imported {
  const left: string[] = [];
  const cases = documents.flatMap((document) => casesOf(document, left));
  const queries = cases.map((source) => ({ query: queryOf(source), remarks: [] }));
  return {
    queries,
    agent: null,
    root: { preset: "evalview" },
    left: [...left, ...cases.flatMap((source) => source.rest())],
  };
}

function casesOf(document: SourceDocument, left: string[]): readonly Source[] {
  const { value } = document;
  const named = (item: JsonObject, at: number): string =>
    placeIn(document, typeof item["name"] === "string" ? item["name"] : `test ${at + 1}`);
  if (isObject(value) && !isArray(value["tests"])) {
    if (value["input"] !== undefined || value["turns"] !== undefined)
      return [new Source(value, named(value, 0))];
    left.push(...new Source(value, placeIn(document, "file")).rest());
    return [];
  }
  const suite = new Source(isArray(value) ? { tests: value } : value, placeIn(document, "suite"));
  const tests = suite.items("tests", named);
  // What stands beside the tests is told once, not with each of them.
  left.push(
    ...new Source(isObject(value) ? { ...value, tests: null } : null, placeIn(document, "suite")).rest(),
  );
  return tests;
}

function queryOf(source: Source): JsonObject {
  const name = source.text("name");
  const input = source.text("input") ?? source.inner("input").text("query");
  const expected = source.inner("expected");
  const limits = source.inner("thresholds");
  const variance = limits.inner("variance");
  const turns = source.items("turns").map(turnOf);
  const sequence = [...expected.texts("tool_sequence"), ...expected.texts("sequence")];
  return compact({
    query: input ?? firstText(turns) ?? name ?? "",
    description: describe(name, source.text("description")),
    tags: [...source.texts("tags"), ...source.texts("difficulty"), ...source.texts("suite_type")],
    correctness: correctnessOf(expected),
    path: compact({
      ...toolsOf(expected),
      expected_tool_categories: [...expected.texts("tool_categories"), ...expected.texts("categories")],
      expected_tool_sequence: sequence,
      sequence_mode: sequence.length > 0 ? source.inner("adapter_config").text("sequence_mode") : undefined,
    }),
    cost: compact({ max_cost_usd: limits.number("max_cost"), max_latency_ms: limits.number("max_latency") }),
    scoring: compact({
      min_score: limits.number("min_score"),
      weights: weightsOf(limits),
    }),
    reliability: compact({ min_runs: variance.number("runs"), min_pass_rate: variance.number("pass_rate") }),
    ...(turns.length > 0 ? { scope: "conversation", turns } : {}),
  });
}

const weightNames = ["tool_accuracy", "output_quality", "sequence_correctness"];

/** All three, as a spec has them; of fewer EvalView's own configuration would say the rest. */
function weightsOf(limits: Source): JsonObject {
  const weights = limits.inner("weights");
  const entries = weightNames.map((name) => [name, weights.number(name)] as const);
  const given = entries.filter(([, value]) => value !== undefined);
  if (given.length === entries.length) return compact(Object.fromEntries(entries));
  if (given.length > 0) limits.leave("weights", `only ${given.map(([name]) => name).join(", ")}`);
  return {};
}

function toolsOf(expected: Source): JsonObject {
  return compact({
    expected_tools: [...expected.texts("tools"), ...expected.texts("tool_calls_contain")],
    forbidden_tools: [...expected.texts("forbidden_tools"), ...expected.texts("tool_calls_not_contain")],
  });
}

/** What an answer must be like; in skill tests it stands beside the tools. */
function correctnessOf(expected: Source): JsonObject {
  const output = expected.inner("output");
  const patterns = [...output.texts("regex_patterns"), ...output.texts("regex")];
  const [pattern, ...more] = patterns;
  more.forEach((one) =>
    output.leave("regex_patterns", `${one}: a query has one regex_match, the first is it`),
  );
  const schema: JsonValue | undefined = output.value("json_schema");
  return compact({
    expected_in_answer: [...output.texts("contains"), ...expected.texts("output_contains")],
    not_in_answer: [...output.texts("not_contains"), ...expected.texts("output_not_contains")],
    regex_match: pattern,
    json_schema: schema,
  });
}

function turnOf(turn: Source): JsonObject {
  const expected = turn.inner("expected");
  return compact({
    query: turn.text("query") ?? "",
    correctness: correctnessOf(expected),
    path: toolsOf(expected),
  });
}

function firstText(turns: readonly JsonObject[]): string | undefined {
  const first = turns[0]?.["query"];
  return typeof first === "string" ? first : undefined;
}
