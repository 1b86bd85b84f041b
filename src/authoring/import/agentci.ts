import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compact, type Imported, Source } from "./imported.ts";

/** AgentCI files of the first kind: `tests` with assertions. Those of the second, with `queries`, are specs as they are. */
export function importAgentci(documents: readonly JsonValue[]): Imported {
  const left: string[] = [];
  let agent: string | null = null;
  const queries = documents.flatMap((document, number) => {
    const suite = new Source(document, number === 0 ? "suite" : `suite ${number + 1}`);
    suite.ignore("version", "name", "framework", "defaults");
    agent ??= suite.text("agent") ?? null;
    const tests = suite.list("tests");
    left.push(...suite.rest());
    return tests.map((test, at) => ({
      query: queryOf(new Source(test, nameOf(test, at)), left),
      remarks: [],
    }));
  });
  return { queries, agent, root: { preset: "agentci" }, left };
}

function nameOf(test: JsonValue, at: number): string {
  return isObject(test) && typeof test["name"] === "string" ? test["name"] : `tests[${at}]`;
}

function queryOf(test: Source, left: string[]): JsonObject {
  test.ignore("name", "golden_trace", "golden");
  const input = test.value("input") ?? test.value("query");
  const correctness: Record<string, JsonValue> = {};
  const path: Record<string, JsonValue> = {};
  const cost: Record<string, JsonValue> = {};
  const add = (block: Record<string, JsonValue>, key: string, value: JsonValue): void => {
    const known = block[key];
    block[key] = [...(Array.isArray(known) ? (known as JsonValue[]) : []), value];
  };
  for (const one of test.list("assertions")) {
    const assertion = new Source(one, "assertion");
    const type = assertion.text("type") ?? "";
    const tool = assertion.text("tool") ?? assertion.text("tool_name") ?? "";
    const value =
      assertion.value("value") ?? assertion.value("threshold") ?? assertion.value("target") ?? tool;
    if (type === "tool_called") add(path, "expected_tools", tool);
    else if (type === "tool_not_called") add(path, "forbidden_tools", tool);
    else if (type === "output_contains") add(correctness, "expected_in_answer", value);
    else if (type === "output_not_contains") add(correctness, "not_in_answer", value);
    else if (type === "llm_judge")
      add(correctness, "llm_judge", {
        rule: assertion.text("rule") ?? (typeof value === "string" ? value : JSON.stringify(value)),
      });
    else if (type === "cost_under" && typeof value === "number") cost["max_cost_usd"] = value;
    else if (type === "steps_under" && typeof value === "number") path["max_tool_calls"] = value;
    else if (type === "handoff_target" && typeof value === "string") path["expected_handoff"] = value;
    else if (type === "handoff_targets_available" && Array.isArray(value))
      path["expected_handoffs_available"] = value;
    else if (type === "handoff_count" && typeof value === "number") path["max_handoff_count"] = value;
    else left.push(`${typeof input === "string" ? input.slice(0, 60) : "test"}: assertion ${type}`);
  }
  const limit = test.number("max_cost_usd");
  if (limit !== undefined) cost["max_cost_usd"] = limit;
  const steps = test.number("max_steps");
  if (steps !== undefined) path["max_tool_calls"] = steps;
  const query = compact({
    query: typeof input === "string" ? input : JSON.stringify(input ?? ""),
    description: test.text("description"),
    tags: test.texts("tags"),
    correctness: compact(correctness),
    path: compact(path),
    cost: compact(cost),
  });
  left.push(...test.rest());
  return query;
}
