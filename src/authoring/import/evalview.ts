import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compact, type Imported, Source } from "./imported.ts";

/** EvalView test cases: one a document, or several under `tests`. Their meaning of ambiguous names comes with `preset: evalview`. */
export function importEvalview(documents: readonly JsonValue[]): Imported {
  const left: string[] = [];
  const cases = documents.flatMap((document) => {
    const tests = isObject(document) ? document["tests"] : document;
    return Array.isArray(tests) ? (tests as readonly JsonValue[]) : [document];
  });
  const queries = cases.map((one, at) => ({
    query: queryOf(new Source(one, caseName(one, at)), left),
    remarks: [],
  }));
  return { queries, agent: null, root: { preset: "evalview" }, left };
}

function caseName(value: JsonValue, at: number): string {
  return isObject(value) && typeof value["name"] === "string" ? value["name"] : `test ${at + 1}`;
}

function queryOf(source: Source, left: string[]): JsonObject {
  source.ignore("adapter", "endpoint", "suite_type", "model", "difficulty", "generated");
  const name = source.text("name");
  const input = source.inner("input");
  const expected = source.inner("expected");
  const output = expected.inner("output");
  const limits = source.inner("thresholds");
  const variance = limits.inner("variance");
  const own = source.inner("adapter_config");
  const turns = source
    .list("turns")
    .map((turn, at) => turnOf(new Source(turn, `${name ?? "test"}.turns[${at}]`), left));
  const sequence = [...expected.texts("tool_sequence"), ...expected.texts("sequence")];
  const query = compact({
    query: input.text("query") ?? firstText(turns) ?? name ?? "",
    description: source.text("description") ?? name,
    tags: source.texts("tags"),
    correctness: correctnessOf(output),
    path: compact({
      expected_tools: expected.texts("tools"),
      forbidden_tools: expected.texts("forbidden_tools"),
      expected_tool_categories: [...expected.texts("tool_categories"), ...expected.texts("categories")],
      expected_tool_sequence: sequence,
      sequence_mode: sequence.length > 0 ? own.text("sequence_mode") : undefined,
    }),
    cost: compact({ max_cost_usd: limits.number("max_cost"), max_latency_ms: limits.number("max_latency") }),
    scoring: compact({ min_score: limits.number("min_score") }),
    reliability: compact({ min_runs: variance.number("runs"), min_pass_rate: variance.number("pass_rate") }),
    ...(turns.length > 0 ? { scope: "conversation", turns } : {}),
  });
  left.push(...[source, input, expected, output, limits, variance, own].flatMap((one) => one.rest()));
  return query;
}

function correctnessOf(output: Source): JsonObject {
  const [regex, ...more] = output.texts("regex_patterns").concat(output.texts("regex"));
  return compact({
    expected_in_answer: output.texts("contains"),
    not_in_answer: output.texts("not_contains"),
    regex_match:
      regex === undefined
        ? undefined
        : [regex, ...more].length === 1
          ? regex
          : `(?s)${[regex, ...more].map((one) => `(?:${one})`).join("|")}`,
    json_schema: output.value("json_schema"),
  });
}

function turnOf(source: Source, left: string[]): JsonObject {
  const expected = source.inner("expected");
  const output = expected.inner("output");
  const turn = compact({
    query: source.text("query") ?? "",
    correctness: correctnessOf(output),
    path: compact({
      expected_tools: expected.texts("tools"),
      forbidden_tools: expected.texts("forbidden_tools"),
    }),
  });
  left.push(...[source, expected, output].flatMap((one) => one.rest()));
  return turn;
}

function firstText(turns: readonly JsonObject[]): string | undefined {
  const first = turns[0]?.["query"];
  return typeof first === "string" ? first : undefined;
}
