import { expect, test } from "vitest";
import { faultsOf } from "../../src/evaluate/result/faults.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { checksOf } from "../../src/model/outcome.ts";
import { evaluated } from "../support/evaluated.ts";
import type { QueryText } from "../support/query-of.ts";
import type { RunText } from "../support/run-of.ts";

const call = (name: string, given: Readonly<Record<string, number>>) => ({ name, arguments: given });

const pay = call("pay", { id: 1 });
const text = { type: "string" };
const schema = (json_schema: JsonValue): QueryText => ({ correctness: { json_schema } });
const calls = (call_mode: string): QueryText => ({ path: { call_mode, expected_tool_calls: [pay] } });
const pattern = (key: string): QueryText => ({ correctness: { [key]: ["yes", "no", "may"] } });
const both = schema({ properties: { a: text, b: text } });
const drift: QueryText = { path: { expected_steps: ["pay"], max_strategic_drift: 0 } };
const wandering = { tools: [pay, call("wander", {}), call("wander", {})] };
const wording: QueryText = { correctness: { rouge_1: { reference: "It is here." } } };
const items = schema({ items: { properties: { a: text } } });

test.each<[string, QueryText, RunText, ...string[]]>([
  ["each pattern of a list that does not occur", pattern("regex_match"), { answer: "no" }, "yes", "may"],
  [
    "each forbidden pattern of a list that occurs",
    pattern("not_regex_match"),
    { answer: "yes, no" },
    "yes",
    "no",
  ],
  [
    "each field that violates the schema",
    both,
    { answer: '{"a":1,"b":2}' },
    "/a must be string",
    "/b must be string",
  ],
  ["a field of several items once", items, { answer: '[{"a":1},{"a":2},{"b":1}]' }, "/#/a must be string"],
  ["the tools that drift from the goal", drift, wandering, "wander"],
  ["a measure of wording as a whole", wording, { answer: "Gone" }],
  [
    "a call with other arguments by what is expected",
    calls("same-order"),
    { tools: [call("pay", { id: 2 })] },
    "CALL_ARGUMENTS_MISMATCH pay(id: 1)",
  ],
  [
    "a call that is not expected by its name",
    calls("only-allowed"),
    { tools: [pay, call("pay", { id: 99 })] },
    "CALL_UNEXPECTED pay",
  ],
])("a result names %s", (_, query, run, ...faults) => {
  const violated = checksOf(evaluated(query, run)).filter(
    ({ outcome }) => outcome === "fail" || outcome === "warn",
  );
  expect(violated.map(faultsOf)).toEqual([faults]);
});
