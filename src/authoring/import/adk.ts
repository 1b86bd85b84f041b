import type { PlainMode } from "../../evaluate/metrics/match-mode.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { callsExpected, failsByPath, type ReferenceCall } from "./expected-calls.ts";
import { compact, type Imported, placeIn, Source, type SourceDocument } from "./source.ts";

/**
 * Converts ADK EvalSets, and ADK's older lists of query, expected tools and reference. `test_config.json` in
 * the same folder contains the criteria. Without this file, ADK's defaults apply: exactly the expected calls,
 * and a ROUGE-1 score of at least 0.8.
 */
export function importAdk(documents: readonly SourceDocument[]): Imported {
  const isConfig = ({ value }: SourceDocument): boolean => isObject(value) && isObject(value["criteria"]);
  const configs = documents.filter(isConfig).map((one) => new Source(one.value, placeIn(one, "criteria")));
  const sets = documents.filter((one) => !isConfig(one));
  const roots = sets.map((document) => new Source(setOf(document.value), placeIn(document, "eval set")));
  const criteria = criteriaOf(configs[0]);
  const queries = roots.flatMap((root) =>
    ["cases", "eval_cases"]
      .flatMap((key) => root.items(key, (one, at) => nameOf(one) ?? `${root.place}.${key}[${at}]`))
      .flatMap((source) => queriesOf(source, criteria))
      .map((query) => ({ query, remarks: [] })),
  );
  const left = [...roots, ...configs].flatMap((root) => root.rest());
  return { queries, agent: null, root: failsByPath, left };
}

/**
 * Returns the value as an eval set. In ADK's older format, a list of turns is one case, and a list of named
 * cases is a set.
 */
function setOf(value: JsonValue): JsonValue {
  const items = isArray(value) ? value : [value];
  if (!isArray(value) && isObject(value) && (isArray(value["eval_cases"]) || isArray(value["evalCases"])))
    return value;
  const isTurn = (item: JsonValue): boolean => isObject(item) && item["query"] !== undefined;
  return { cases: items.length > 1 && items.every(isTurn) ? [{ data: items }] : items };
}

function nameOf(value: JsonObject): string | undefined {
  const name = value["eval_id"] ?? value["evalId"] ?? value["name"];
  return typeof name === "string" && name !== "" ? name : undefined;
}

interface Criteria {
  /** How calls are compared. Null if calls are not compared. */
  readonly calls: {
    readonly mode: PlainMode;
    readonly ignoresArguments: boolean;
    readonly min: number;
  } | null;
  /** Minimum ROUGE-1 score of the answer. Null if the criteria contain none. */
  readonly words: number | null;
  /** Minimum score from a judge model. Null if the criteria contain none. */
  readonly judged: number | null;
}

const usual: Criteria = {
  calls: { mode: "same-order", ignoresArguments: false, min: 1 },
  words: 0.8,
  judged: null,
};

const matchTypes: readonly (readonly [string, PlainMode])[] = [
  ["EXACT", "same-order"],
  ["IN_ORDER", "contains-in-order"],
  ["ANY_ORDER", "contains-calls"],
];

function criteriaOf(config: Source | undefined): Criteria {
  if (config === undefined) return usual;
  const written = config.inner("criteria");
  const threshold = (name: string, details = written.inner(name)): number | null =>
    written.number(name) ?? details.number("threshold") ?? null;
  const calls = written.inner("tool_trajectory_avg_score");
  return {
    calls: callCriterion(calls, threshold("tool_trajectory_avg_score", calls)),
    words: threshold("response_match_score"),
    judged: threshold("final_response_match_v2"),
  };
}

function callCriterion(details: Source, min: number | null): Criteria["calls"] {
  if (min === null) return null;
  const type = details.value("match_type") ?? 0;
  const word = String(isArray(type) || isObject(type) ? "" : type);
  const folded = word.trim().toUpperCase().replaceAll(/[- ]/g, "_");
  const known = matchTypes.find(([name], at) => name === folded || String(at) === folded);
  if (known === undefined) details.leave("match_type", `${word}: compared as EXACT`);
  return {
    mode: known?.[1] ?? "same-order",
    ignoresArguments: details.flag("ignore_args") ?? false,
    min,
  };
}

function queriesOf(source: Source, criteria: Criteria): readonly JsonObject[] {
  const name = source.text("eval_id") ?? source.text("name");
  const old = source.items("data");
  const turns = [...source.items("conversation").map(turnOf), ...old.map(oldTurn)];
  if (turns.length === 0) turns.push(oldTurn(source));
  if (turns.length > 1) leaveMeans(source, criteria);
  return queriesFromTurns(
    turns.map((turn) => expectations(turn, criteria)),
    name,
  );
}

/** Reports criteria whose limit applies in ADK to the mean over all turns. In Tracejury, the limit applies to every turn. */
function leaveMeans(source: Source, { calls, words }: Criteria): void {
  if (calls !== null && calls.min > 0 && calls.min < 1)
    source.leave(
      "",
      `tool_trajectory_avg_score ${calls.min} is ADK's limit for the mean over all turns; in Tracejury, every turn must match`,
    );
  if (words !== null && words > 0)
    source.leave(
      "",
      `response_match_score ${words} is ADK's limit for the mean over all turns; in Tracejury, every turn's answer must reach the limit`,
    );
}

/** Converts the turns of a case: one turn into a query, several turns into a conversation. */
function queriesFromTurns(turns: readonly JsonObject[], name: string | undefined): readonly JsonObject[] {
  const [first] = turns;
  if (first === undefined) return [];
  if (turns.length === 1) return [compact({ description: name, ...first })];
  return [compact({ query: first["query"] ?? "", description: name, scope: "conversation", turns })];
}

interface Turn {
  readonly source: Source;
  readonly query: string;
  readonly calls: readonly ReferenceCall[];
  readonly reference: string | undefined;
}

function turnOf(source: Source): Turn {
  const data = source.inner("intermediate_data");
  const uses = [
    ...data.items("tool_uses"),
    ...data
      .items("invocation_events")
      .flatMap((event) => event.inner("content").items("parts"))
      .flatMap((part) => (part.has("function_call") ? [part.inner("function_call")] : [])),
  ];
  return {
    source,
    query: textOf(source, "user_content") ?? "",
    calls: uses.map((use) => {
      if (!use.has("args"))
        use.leave(
          "args",
          "the arguments are absent: ADK distinguishes absent arguments from {}, Tracejury does not",
        );
      return { name: use.text("name") ?? "", arguments: use.value("args") ?? {} };
    }),
    reference: textOf(source, "final_response"),
  };
}

function oldTurn(source: Source): Turn {
  return {
    source,
    query: source.text("query") ?? "",
    calls: source
      .items("expected_tool_use")
      .map((use) => ({ name: use.text("tool_name") ?? "", arguments: use.value("tool_input") ?? {} })),
    reference: source.text("reference"),
  };
}

function expectations({ source, query, calls, reference }: Turn, criteria: Criteria): JsonObject {
  return compact({
    query,
    correctness: answerExpected(source, reference, criteria),
    path: criteria.calls === null || criteria.calls.min <= 0 ? {} : callsExpected(calls, criteria.calls),
  });
}

function answerExpected(
  source: Source,
  reference: string | undefined,
  { words, judged }: Criteria,
): JsonObject {
  if (reference === undefined || reference.trim() === "") {
    if (words !== null && words > 0)
      source.leave("", "no final response, for which ADK's response_match_score is always 0");
    return {};
  }
  return compact({
    rouge_1: words === null ? undefined : { reference, min: Math.max(0, Math.min(1, words)) },
    llm_judge:
      judged === null ? [] : [{ rule: `The answer says the same as: ${reference}`, threshold: judged }],
  });
}

/** Returns the text of a content's text parts, and reports the other parts as not converted. */
function textOf(source: Source, key: string): string | undefined {
  const plain = source.text(key);
  if (plain !== undefined) return plain;
  const content = source.inner(key);
  content.text("role");
  const texts = content.items("parts").flatMap((part) => part.text("text") ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}
