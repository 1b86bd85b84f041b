import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compact, type Imported, Source } from "./imported.ts";

/** ADK EvalSets, and the older lists of query, expected tools and reference. */
export function importAdk(documents: readonly JsonValue[]): Imported {
  const left: string[] = [];
  const cases = documents.flatMap((document) => {
    if (isArray(document)) return document;
    return isObject(document) && isArray(document["eval_cases"]) ? document["eval_cases"] : [document];
  });
  const queries = cases.map((one, at) => ({ query: caseOf(one, at, left), remarks: [] }));
  return { queries, agent: null, root: {}, left };
}

function caseOf(value: JsonValue, at: number, left: string[]): JsonObject {
  const name = isObject(value) && typeof value["eval_id"] === "string" ? value["eval_id"] : `case ${at + 1}`;
  const source = new Source(value, name);
  source.ignore("eval_id", "creation_timestamp", "session_input");
  const conversation = source.list("conversation");
  if (conversation.length === 0) return oldCase(source, left);
  const turns = conversation.map((turn, number) =>
    turnOf(new Source(turn, `${name}.conversation[${number}]`), left),
  );
  left.push(...source.rest());
  const [first] = turns;
  if (turns.length === 1 && first !== undefined) return compact({ description: name, ...first });
  return compact({ query: first?.["query"] ?? "", description: name, scope: "conversation", turns });
}

function turnOf(source: Source, left: string[]): JsonObject {
  source.ignore("invocation_id", "creation_timestamp", "rubrics");
  const data = source.inner("intermediate_data");
  data.ignore("intermediate_responses", "tool_responses");
  const calls = data.list("tool_uses").flatMap((use) => {
    if (!isObject(use)) return [];
    return [{ name: typeof use["name"] === "string" ? use["name"] : "", arguments: use["args"] ?? {} }];
  });
  const reference = partsText(source.value("final_response"));
  const turn = compact({
    query: partsText(source.value("user_content")) ?? "",
    ...expectations(calls, reference),
  });
  left.push(...source.rest(), ...data.rest());
  return turn;
}

function oldCase(source: Source, left: string[]): JsonObject {
  const calls = source.list("expected_tool_use").flatMap((use) => {
    if (!isObject(use)) return [];
    return [
      {
        name: typeof use["tool_name"] === "string" ? use["tool_name"] : "",
        arguments: use["tool_input"] ?? {},
      },
    ];
  });
  const reference = source.text("reference");
  source.ignore("expected_intermediate_agent_responses");
  const query = compact({ query: source.text("query") ?? "", ...expectations(calls, reference) });
  left.push(...source.rest());
  return query;
}

type Call = { readonly name: string; readonly arguments: JsonValue };

/** ADK's default: the trajectory is exactly this one. A reference answer is for a judge, as ADK has it scored by likeness. */
function expectations(calls: readonly Call[], reference: string | undefined): JsonObject {
  return compact({
    correctness:
      reference === undefined
        ? {}
        : { llm_judge: [{ rule: `The answer says the same as: ${reference}`, threshold: 0.8 }] },
    path: compact({
      expected_tool_sequence: calls.map(({ name }) => name),
      sequence_mode: calls.length > 0 ? "same-order" : undefined,
      expected_tool_calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
      tool_call_accuracy: calls.length > 0 ? { variant: "ragas-python", mode: "strict", min: 1 } : undefined,
    }),
  });
}

function partsText(content: JsonValue | undefined): string | undefined {
  if (typeof content === "string") return content;
  const parts = isObject(content) ? content["parts"] : undefined;
  if (!isArray(parts)) return undefined;
  const texts = parts.flatMap((part) =>
    isObject(part) && typeof part["text"] === "string" ? [part["text"]] : [],
  );
  return texts.length === 0 ? undefined : texts.join("\n");
}
