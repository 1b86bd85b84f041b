import { expect, test } from "vitest";
import { faultsOf } from "../../src/evaluate/result/faults.ts";
import { checksOf } from "../../src/model/outcome.ts";
import { evaluated } from "../support/evaluated.ts";
import type { QueryText } from "../support/query-of.ts";
import type { RunText } from "../support/run-of.ts";

const call = (name: string, given: Readonly<Record<string, number>>) => ({ name, arguments: given });

test.each<[string, QueryText, RunText, readonly string[]]>([
  [
    "each pattern of a list that does not occur",
    { correctness: { regex_match: ["yes", "no", "may"] } },
    { answer: "no" },
    ["yes", "may"],
  ],
  [
    "each forbidden pattern of a list that occurs",
    { correctness: { not_regex_match: ["yes", "no", "may"] } },
    { answer: "yes, no" },
    ["yes", "no"],
  ],
  [
    "each field that violates the schema",
    { correctness: { json_schema: { properties: { a: { type: "string" }, b: { type: "string" } } } } },
    { answer: '{"a":1,"b":2}' },
    ["/a must be string", "/b must be string"],
  ],
  [
    "a field of several items once",
    { correctness: { json_schema: { items: { properties: { a: { type: "string" } } } } } },
    { answer: '[{"a":1},{"a":2},{"b":1}]' },
    ["/#/a must be string"],
  ],
  [
    "the tools that drift from the goal",
    { path: { expected_steps: ["pay"], max_strategic_drift: 0 } },
    { tools: [call("pay", { id: 1 }), call("wander", {}), call("wander", {})] },
    ["wander"],
  ],
  [
    "a measure of wording as a whole",
    { correctness: { rouge_1: { reference: "It is here." } } },
    { answer: "Gone" },
    [],
  ],
  [
    "a call with other arguments by what is expected",
    { path: { call_mode: "same-order", expected_tool_calls: [call("pay", { id: 1 })] } },
    { tools: [call("pay", { id: 2 })] },
    ["CALL_ARGUMENTS_MISMATCH pay(id: 1)"],
  ],
  [
    "a call that is not expected by its name",
    { path: { call_mode: "only-allowed", expected_tool_calls: [call("pay", { id: 1 })] } },
    { tools: [call("pay", { id: 1 }), call("pay", { id: 99 })] },
    ["CALL_UNEXPECTED pay"],
  ],
])("a result names %s", (_, query, run, faults) => {
  const violated = checksOf(evaluated(query, run)).filter(
    ({ outcome }) => outcome === "fail" || outcome === "warn",
  );
  expect(violated.map(faultsOf)).toEqual([faults]);
});
