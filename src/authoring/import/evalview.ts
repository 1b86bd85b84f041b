import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compilePattern } from "../../model/patterns/pattern.ts";
import { compact, describe, type Imported, placeIn, Source, type SourceDocument } from "./source.ts";

/**
 * Converts EvalView test cases. A document contains one case, a list of cases or, as in skill tests, several cases under `tests`. The
 * weights in EvalView's configuration apply to all cases. The spec gets `preset: evalview`, so that ambiguous keys have EvalView's meaning.
 */
export function importEvalview(documents: readonly SourceDocument[]): Imported {
  const left: string[] = [];
  const shared: Source[] = [];
  const cases = documents.flatMap((document) => casesOf(document, shared));
  const queries = cases.map((source) => ({ query: queryOf(source), remarks: [] }));
  const root = { preset: "evalview", ...Object.assign({}, ...shared.map(sharedBy)) } as JsonObject;
  for (const source of [...shared, ...cases]) left.push(...source.rest());
  return { queries, agent: null, root, left };
}

/** Converts settings of a suite, or of the configuration, into keys of the spec. */
function sharedBy(source: Source): JsonObject {
  const correctness = checksOf(source);
  return compact({
    scoring: compact({ weights: weightsOf(source, source.inner("scoring")) }),
    defaults: compact({ correctness }),
  });
}

/**
 * Returns the test cases of a document. Adds the settings outside the cases to `shared`, so that a setting
 * that is not converted is reported once.
 */
function casesOf(document: SourceDocument, shared: Source[]): readonly Source[] {
  const { value } = document;
  const named = (item: JsonObject, at: number): string =>
    placeIn(document, typeof item["name"] === "string" ? item["name"] : `test ${at + 1}`);
  if (isObject(value) && !isArray(value["tests"])) {
    if (value["input"] !== undefined || value["turns"] !== undefined)
      return [new Source(value, named(value, 0))];
    shared.push(new Source(value, placeIn(document, "file")));
    return [];
  }
  const suite = new Source(isArray(value) ? { tests: value } : value, placeIn(document, "suite"));
  shared.push(new Source(isObject(value) ? { ...value, tests: null } : null, placeIn(document, "suite")));
  return suite.items("tests", named);
}

function queryOf(source: Source): JsonObject {
  const name = source.text("name");
  const input = source.text("input") ?? source.inner("input").text("query");
  const expected = source.inner("expected");
  const limits = source.inner("thresholds");
  const variance = varianceOf(limits.has("variance") ? limits : source);
  const turns = source.items("turns").map(turnOf);
  const [sequence = []] = ["tool_sequence", "sequence"]
    .map((key) => expected.texts(key))
    .filter(({ length }) => length > 0);
  return compact({
    query: input ?? firstText(turns) ?? name ?? "",
    description: describe(name, source.text("description")),
    tags: [...source.texts("tags"), ...source.texts("difficulty"), ...source.texts("suite_type")],
    correctness: compact({ ...correctnessOf(expected), ...checksOf(source) }),
    path: compact({
      ...toolsOf(expected),
      expected_tool_categories: [...expected.texts("tool_categories"), ...expected.texts("categories")],
      expected_tool_sequence: sequence,
      sequence_mode: sequenceMode(source.inner("adapter_config"), sequence.length > 0),
    }),
    cost: compact({ max_cost_usd: limits.number("max_cost"), max_latency_ms: limits.number("max_latency") }),
    scoring: scoringOf(limits.number("min_score"), weightsOf(source, limits), variance),
    reliability: variance,
    ...(turns.length > 0 ? { scope: "conversation", turns } : {}),
  });
}

const sequenceModes: ReadonlySet<string> = new Set(["exact", "subsequence", "unordered"]);

/**
 * Returns the sequence mode. EvalView's default allows other tools between the expected tools. An unknown
 * mode is reported, and the default is used.
 */
function sequenceMode(config: Source, hasSequence: boolean): string | undefined {
  const written = config.text("sequence_mode");
  if (written !== undefined && sequenceModes.has(written)) return written;
  if (written !== undefined) config.leave("sequence_mode", written);
  return hasSequence ? "subsequence" : undefined;
}

/** Converts `variance` if it is present. EvalView's defaults are 10 runs and a pass rate of 0.8. */
function varianceOf(source: Source): JsonObject {
  if (!source.has("variance")) return {};
  const variance = source.inner("variance");
  for (const key of ["confidence", "confidence_level"])
    if (variance.number(key) !== undefined)
      variance.leave(key, "EvalView compares the rate itself, and only shows the interval");
  return compact({
    min_runs: variance.number("runs") ?? 10,
    min_pass_rate: variance.number("pass_rate") ?? 0.8,
    min_mean_score: variance.number("min_mean_score"),
    max_std_dev: variance.number("max_std_dev"),
  });
}

const usualWeights = { tool_accuracy: 0.3, output_quality: 0.5, sequence_correctness: 0.2 };

/**
 * Returns the spec's `scoring` block. If the block is empty, but the spec limits the mean or spread of
 * scores, returns EvalView's default weights.
 */
function scoringOf(minScore: number | undefined, weights: JsonObject, variance: JsonObject): JsonObject {
  const scoring = compact({ min_score: minScore, weights });
  const hasScoreLimits = variance["min_mean_score"] !== undefined || variance["max_std_dev"] !== undefined;
  return hasScoreLimits && Object.keys(scoring).length === 0 ? { weights: usualWeights } : scoring;
}

const weightNames = Object.keys(usualWeights);

/**
 * Returns the `weights` of the first part that contains all three weights. If a part contains fewer, its weights are reported as not
 * converted.
 */
function weightsOf(...parts: readonly Source[]): JsonObject {
  for (const part of parts.filter((one) => one.has("weights"))) {
    const weights = part.inner("weights");
    const entries = weightNames.map((name) => [name, weights.number(name)] as const);
    const given = entries.filter(([, value]) => value !== undefined);
    if (given.length === entries.length) return compact(Object.fromEntries(entries));
    if (given.length > 0) part.leave("weights", `only ${given.map(([name]) => name).join(", ")}`);
  }
  return {};
}

/** Converts `checks`, which switches checks of a test or suite on or off. A disabled check is left out. */
function checksOf(source: Source): JsonObject {
  const checks = source.inner("checks");
  return compact({
    llm_judge: checks.flag("pii") === true ? ["personal_data@1"] : [],
    safety_check: checks.flag("safety") === true || undefined,
    hallucination_check: checks.flag("hallucination") === true || undefined,
  });
}

function toolsOf(expected: Source): JsonObject {
  return compact({
    expected_tools: [...expected.texts("tools"), ...expected.texts("tool_calls_contain")],
    forbidden_tools: [...expected.texts("forbidden_tools"), ...expected.texts("tool_calls_not_contain")],
  });
}

/**
 * Converts the rules for the answer, which skill tests have directly in `expected` instead of in
 * `expected.output`.
 */
function correctnessOf(expected: Source): JsonObject {
  const output = expected.inner("output");
  const patterns = [...output.texts("regex_patterns"), ...output.texts("regex")];
  const usable = patterns.filter((pattern) => {
    const compiled = compilePattern(pattern, { ignoreCase: true, dotMatchesNewline: true });
    const unknown = unknownToPython(pattern);
    const problem = !compiled.ok
      ? compiled.problem.message
      : unknown && `Python rejects \`${unknown}\`, so that the test fails in EvalView`;
    if (problem !== undefined) output.leave("regex_patterns", `${pattern}: ${problem}`);
    return problem === undefined;
  });
  const schema: JsonValue | undefined = output.value("json_schema");
  return compact({
    expected_in_answer: [...output.texts("contains"), ...expected.texts("output_contains")],
    not_in_answer: [...output.texts("not_contains"), ...expected.texts("output_not_contains")],
    regex_match: usable.length === 1 ? usable[0] : [...usable],
    json_schema: schema,
  });
}

/**
 * Returns the first escape in a pattern that Python rejects but RE2 accepts, such as `\p`. Returns undefined
 * if there is none.
 */
function unknownToPython(pattern: string): string | undefined {
  const escapes = pattern.match(/\\[^]/g) ?? [];
  return escapes.find((escape) => /[A-Za-z]/.test(escape) && !/[AbBdDsSwWZafnrtvxuUN]/.test(escape));
}

function turnOf(turn: Source): JsonObject {
  const expected = turn.inner("expected");
  return compact({
    query: turn.text("query") ?? "",
    correctness: correctnessOf(expected),
    // In EvalView, one wrong tool fails a turn. In a test without turns, wrong tools only affect the score.
    path: expected.has("tools") ? { ...toolsOf(expected), severity: "fail" } : toolsOf(expected),
  });
}

function firstText(turns: readonly JsonObject[]): string | undefined {
  const first = turns[0]?.["query"];
  return typeof first === "string" ? first : undefined;
}
