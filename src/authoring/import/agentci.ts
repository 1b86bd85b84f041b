import { isArray, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compact, describe, type Imported, placeIn, Source, type SourceDocument } from "./source.ts";

/**
 * Converts AgentCI files of version 1, which contain `tests` with assertions. Files with `queries` are
 * already valid specs.
 */
export function importAgentci(documents: readonly SourceDocument[]): Imported {
  const suites = documents.map((document) => new Source(document.value, placeIn(document, "suite")));
  let agent: string | null = null;
  const queries = suites.flatMap((suite) => {
    agent ??= suite.text("agent") ?? null;
    return suite
      .items("tests", (one, at) =>
        typeof one["name"] === "string" ? one["name"] : `${suite.place}.tests[${at}]`,
      )
      .map((test) => ({ query: queryOf(test), remarks: [] }));
  });
  return { queries, agent, root: { preset: "agentci" }, left: suites.flatMap((suite) => suite.rest()) };
}

interface Blocks {
  readonly correctness: Record<string, JsonValue>;
  readonly path: Record<string, JsonValue>;
  readonly cost: Record<string, JsonValue>;
}

function queryOf(test: Source): JsonObject {
  const input = test.value("input") ?? test.value("query");
  const blocks: Blocks = { correctness: {}, path: {}, cost: {} };
  for (const assertion of test.items("assertions")) carry(assertion, blocks);
  const limit = test.number("max_cost_usd");
  if (limit !== undefined) blocks.cost["max_cost_usd"] = limit;
  const steps = test.number("max_steps");
  if (steps !== undefined) blocks.path["max_tool_calls"] = steps;
  return compact({
    query: typeof input === "string" ? input : JSON.stringify(input ?? ""),
    description: describe(test.text("name"), test.text("description")),
    tags: test.texts("tags"),
    correctness: compact(blocks.correctness),
    path: compact(blocks.path),
    cost: compact(blocks.cost),
  });
}

const lists: Readonly<Record<string, readonly [keyof Blocks, string]>> = {
  tool_called: ["path", "expected_tools"],
  tool_not_called: ["path", "forbidden_tools"],
  output_contains: ["correctness", "expected_in_answer"],
  output_not_contains: ["correctness", "not_in_answer"],
};
const numbers: Readonly<Record<string, readonly [keyof Blocks, string]>> = {
  cost_under: ["cost", "max_cost_usd"],
  steps_under: ["path", "max_tool_calls"],
  handoff_count: ["path", "max_handoff_count"],
};

function carry(assertion: Source, blocks: Blocks): void {
  const type = assertion.text("type") ?? "";
  const value = ["value", "threshold", "target", "tool", "tool_name"]
    .filter((key) => assertion.has(key))
    .slice(0, 1)
    .map((key) => assertion.value(key))
    .at(0);
  const list = lists[type];
  const number = numbers[type];
  const texts = textsIn(value);
  if (list !== undefined && texts !== undefined) {
    const [block, key] = list;
    const known = blocks[block][key];
    blocks[block][key] = [...(isArray(known) ? known : []), ...texts];
  } else if (number !== undefined && typeof value === "number") blocks[number[0]][number[1]] = value;
  else if (type === "handoff_target" && typeof value === "string") blocks.path["expected_handoff"] = value;
  else if (type === "handoff_targets_available" && isArray(value)) {
    blocks.path["expected_handoffs_available"] = value;
  } else if (type === "llm_judge") {
    const rule = assertion.text("rule") ?? (typeof value === "string" ? value : JSON.stringify(value ?? ""));
    const known = blocks.correctness["llm_judge"];
    blocks.correctness["llm_judge"] = [...(isArray(known) ? known : []), { rule }];
  } else assertion.leave("", `assertion ${type === "" ? "without a type" : type}`);
}

/** Returns a text, number or list of texts as a list of texts. Undefined for other values, and for an empty list. */
function textsIn(value: JsonValue | undefined): readonly string[] | undefined {
  const items = value === undefined ? [] : isArray(value) ? value : [value];
  const texts = items.flatMap((item) =>
    typeof item === "string" || typeof item === "number" ? [String(item)] : [],
  );
  return texts.length === 0 || texts.length < items.length ? undefined : texts;
}
