import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import { argumentsOf } from "../../../src/runs/notations/arguments.ts";
import { plainName } from "../../../src/runs/notations/names.ts";
import { outcomeOf } from "../../../src/runs/notations/result.ts";
import { readCounts } from "../../../src/runs/notations/usage.ts";

/** Notations of producers: a line each, with the value and what is read from it. */
function rowsOf(name: string): readonly unknown[] {
  const lines = readFileSync(`test/runs/notations/${name}.jsonl`, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe("arguments", () => {
  test.each(rowsOf("arguments") as readonly [raw: JsonValue, value: JsonValue, isCut: boolean][])(
    "%j are %j",
    (raw, value, isCut) => {
      expect(argumentsOf(raw)).toEqual({ value, isCut });
    },
  );

  test.each([undefined, "", "[redacted]", { __redacted: "see stdout" }, '{"__redacted":"see stdout"}'])(
    "%j are unknown",
    (raw) => {
      expect(argumentsOf(raw)).toEqual({ value: undefined, isCut: false });
    },
  );

  test.each([
    ["the tool's own name is its wrapper", "weather", { city: "Paris" }],
    ["another name is an argument", "call_tool", { name: "weather", arguments: { city: "Paris" } }],
  ])("beside %s", (_, tool, value) => {
    expect(argumentsOf({ name: "weather", arguments: { city: "Paris" } }, tool)).toEqual({
      value,
      isCut: false,
    });
  });

  test("are empty where their wrapper is", () => {
    expect(argumentsOf('{"arguments":{},"name":"stock"}', "stock").value).toEqual({});
  });
});

describe("the outcome of a tool", () => {
  test.each(rowsOf("outcomes") as readonly [raw: JsonValue, outcome: object][])("%j", (raw, outcome) => {
    expect(outcomeOf(raw)).toMatchObject(outcome);
  });

  test.each([undefined, "null", "[redacted]", "[REDACTED]", "[object ToolMessage]"])(
    "%j is unknown",
    (raw) => {
      expect(outcomeOf(raw)).toMatchObject({ value: undefined, isError: false, error: null, isCut: false });
    },
  );
});

const rows: readonly (readonly [usage: JsonValue, counts: object])[] = [
  [
    { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
    { input: 3, output: 1, total: 4 },
  ],
  [
    { inputTokens: 3, outputTokens: 1, cachedInputTokens: 2, reasoningTokens: 1 },
    { input: 3, output: 1, cached: 2, reasoning: 1 },
  ],
  [
    { promptTokenCount: 3, candidatesTokenCount: 1, thoughtsTokenCount: 2 },
    { input: 3, output: 1, reasoning: 2 },
  ],
  [
    {
      input_tokens: 3,
      output_tokens: 1,
      cache_read_input_tokens: 2,
      cache_creation: { ephemeral_1h_input_tokens: 5, ephemeral_5m_input_tokens: 6 },
    },
    { input: 3, output: 1, cached: 2, longCacheWrite: 5, shortCacheWrite: 6 },
  ],
  [
    { input_tokens: 3, input_token_details: { cache_read: 2, cache_creation: 1 } },
    { input: 3, cached: 2, cacheWrite: 1 },
  ],
  [
    { prompt_tokens: "12", completion_tokens: -1, total_tokens: null },
    { input: 12, output: undefined, total: undefined },
  ],
  ["Usage(input_tokens=3, output_tokens=0)", { input: 3, output: 0 }],
];
test.each(rows)("usage: %j", (usage, counts) => {
  expect(readCounts(usage)).toMatchObject(counts);
});

test.each([
  ["tool-result", "toolresult"],
  ["MessageRole.USER", "messageroleuser"],
])("the plain name of %s is %s", (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
