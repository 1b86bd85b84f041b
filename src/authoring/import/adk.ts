import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compact, type Imported, placeIn, type SourceDocument } from "./imported.ts";
import { Source } from "./source.ts";

/** ADK EvalSets, and the older lists of query, expected tools and reference. */
export function importAdk(documents: readonly SourceDocument[]): Imported {
  const roots = documents.map((document) => {
    const { value } = document;
    const whole = isArray(value)
      ? { cases: value }
      : isObject(value) && !isSet(value)
        ? { cases: [value] }
        : value;
    return new Source(whole, placeIn(document, "eval set"));
  });
  const queries = roots.flatMap((root) =>
    ["cases", "eval_cases"]
      .flatMap((key) => root.items(key, (one, at) => nameOf(one) ?? `${root.place}.${key}[${at}]`))
      .flatMap(queriesOf)
      .map((query) => ({ query, remarks: [] })),
  );
  return { queries, agent: null, root: {}, left: roots.flatMap((root) => root.rest()) };
}

function isSet(value: JsonObject): boolean {
  return isArray(value["eval_cases"]) || isArray(value["evalCases"]);
}

function nameOf(value: JsonObject): string | undefined {
  const name = value["eval_id"] ?? value["evalId"] ?? value["name"];
  return typeof name === "string" && name !== "" ? name : undefined;
}

function queriesOf(source: Source): readonly JsonObject[] {
  const name = source.text("eval_id");
  const turns = source.items("conversation").map(turnOf);
  const old = source.items("data");
  if (old.length > 0) return asked(old.map(oldCase), source.text("name"));
  if (turns.length === 0) return [oldCase(source)];
  return asked(turns, name);
}

/** One turn is a query, several are a conversation. */
function asked(turns: readonly JsonObject[], name: string | undefined): readonly JsonObject[] {
  const [first] = turns;
  if (first === undefined) return [];
  if (turns.length === 1) return [compact({ description: name, ...first })];
  return [compact({ query: first["query"] ?? "", description: name, scope: "conversation", turns })];
}

function turnOf(turn: Source): JsonObject {
  const told = turn.has("intermediate_data");
  const calls = turn
    .inner("intermediate_data")
    .items("tool_uses")
    .map((use) => ({ name: use.text("name") ?? "", arguments: use.value("args") ?? {} }));
  return compact({
    query: textOf(turn, "user_content") ?? "",
    ...expectations(calls, textOf(turn, "final_response"), told),
  });
}

function oldCase(source: Source): JsonObject {
  const told = source.has("expected_tool_use");
  const calls = source
    .items("expected_tool_use")
    .map((use) => ({ name: use.text("tool_name") ?? "", arguments: use.value("tool_input") ?? {} }));
  return compact({
    query: source.text("query") ?? "",
    ...expectations(calls, source.text("reference"), told),
  });
}

type Call = { readonly name: string; readonly arguments: JsonValue };

/** ADK's default: the trajectory is exactly this one. A reference answer is for a judge, as ADK has it scored by likeness. */
function expectations(calls: readonly Call[], reference: string | undefined, told: boolean): JsonObject {
  return compact({
    correctness:
      reference === undefined
        ? {}
        : { llm_judge: [{ rule: `The answer says the same as: ${reference}`, threshold: 0.8 }] },
    path:
      calls.length === 0
        ? compact({ max_tool_calls: told ? 0 : undefined })
        : {
            expected_tool_sequence: calls.map(({ name }) => name),
            sequence_mode: "same-order",
            expected_tool_calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
            tool_call_accuracy: { variant: "ragas-python", mode: "strict", min: 1 },
          },
  });
}

/** The text of a content's parts; other kinds of parts are reported. */
function textOf(source: Source, key: string): string | undefined {
  const plain = source.text(key);
  if (plain !== undefined) return plain;
  const content = source.inner(key);
  content.text("role");
  const texts = content.items("parts").flatMap((part) => part.text("text") ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}
