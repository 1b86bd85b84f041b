import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import {
  answerIn,
  plainAnswer,
  questionIn,
  storedAnswer,
  structuredAnswer,
  withoutWrapping,
} from "../../../src/runs/notations/words.ts";

const ofText = (read: (text: string) => string | null) => (value: JsonValue) =>
  typeof value === "string" ? read(value) : null;
const readers: Readonly<Record<string, (value: JsonValue) => string | null>> = {
  question: questionIn,
  answer: answerIn,
  "person's words": ofText((text) => withoutWrapping(text, [/^New task:\n([\s\S]+)$/])),
  "plain answer": ofText(plainAnswer),
};

/** Notations of producers: a line each, with the value and what is read from it. */
const lines = readFileSync("test/runs/notations/words.jsonl", "utf8").trim().split("\n");
const rows = lines.map((line) => JSON.parse(line) as [what: string, value: JsonValue, words: string | null]);
test.each(rows)("the %s in %j: %j", (what, value, words) => {
  expect(readers[what]?.(value)).toBe(words);
});

test("structured answers are JSON, and what stands beside an answer is none", () => {
  expect(questionIn(undefined)).toBeNull();
  expect(storedAnswer({ output: { structured_response: { cold: true } } })).toBe('{"cold":true}');
  expect(storedAnswer({ structured_response: "", output: "Yes" })).toBeNull();
  expect(structuredAnswer({ cold: true })).toBe('{"cold":true}');
  for (const value of [
    {},
    { input_tokens: 3 },
    { calls: [], approvals: [] },
    [],
    [{ role: "user", content: "hi" }],
    "It is... [truncated]",
  ])
    expect(structuredAnswer(value)).toBeNull();
});
