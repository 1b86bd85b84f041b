import { expect, test } from "vitest";
import { specOf } from "../support/spec-of.ts";

/* An item without a text asserts nothing, or always fails: it is an error of the spec. */

test.each([
  { path: { forbidden_tools: ["drop", ""] } },
  { path: { forbidden_tools: ["  "] } },
  { path: { forbidden_tools: ["-"] } },
  { path: { forbidden_tools: ["drop", "_.\u200b"] } },
  { correctness: { not_in_answer: [""] } },
  { correctness: { not_in_answer: ["secret", ""] } },
  { correctness: { any_expected_in_answer: ["", "refund"] } },
  { path: { expected_tools: [""] } },
  { path: { expected_tool_sequence: ["find", ""] } },
  { correctness: { regex_match: "" } },
  { correctness: { not_regex_match: ["a", ""] } },
  { retrieval: { facts_in_context: [""] } },
  { retrieval: { expected_sources: [" "] } },
  { retrieval: { forbid_empty: true, refusal_markers: [""] } },
  { spans: [{ kind: "tool", field: "result", contains: "" }] },
  { spans: [{ kind: "tool", field: "result", not_contains: "" }] },
])("%j", (block) => {
  const written = JSON.stringify({ version: 1, agent: "*", queries: [{ query: "Hi", ...block }] });
  expect(() => specOf(written)).toThrow(/must be|text|name/);
});

test("an empty text that is a value is none of them", () => {
  const correctness = { exact_match: "", json_schema: { enum: [""] }, not_in_answer: ["  "] };
  const block = { correctness: { ...correctness, expected_in_answer: [""] } };
  const written = JSON.stringify({ version: 1, agent: "*", queries: [{ query: "Hi", ...block }] });
  expect(specOf(written).queries).toHaveLength(1);
});
