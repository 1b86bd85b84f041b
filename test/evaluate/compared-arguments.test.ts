import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import { evaluated } from "../support/evaluated.ts";

type Path = Readonly<Record<string, JsonValue>>;

function outcomeOf(calls: readonly JsonValue[], path: Path, tools: readonly Made[]): unknown {
  const { checks } = evaluated({ path: { expected_tool_calls: calls, ...path } }, { tools }).layers.path;
  return checks.find(({ outcome }) => outcome !== "skip")?.outcome;
}

interface Made {
  readonly name: string;
  readonly arguments: JsonValue | undefined;
}

const [a, b] = [{ name: "a" }, { name: "b" }];
const unknown = { arguments: undefined };
const x1 = { name: "a", arguments: { x: 1 } };

const waysToCompare: readonly (readonly [string, Path])[] = [
  ["by default", {}],
  ["flexible", { tool_call_accuracy: { mode: "flexible", min: 1 } }],
  ["as Ragas for Python", { tool_call_accuracy: { variant: "ragas-python", min: 1 } }],
  ["same-order", { call_mode: "same-order" }],
  ["same-calls", { call_mode: "same-calls" }],
];

describe.each(waysToCompare)("compared %s", (_, path) => {
  test.each<[string, readonly JsonValue[], readonly Made[], string]>([
    ["arguments that are unknown, none expected", [a], [{ ...a, ...unknown }], "incomplete"],
    [
      "arguments that are unknown, {} expected",
      [{ ...a, arguments: {} }],
      [{ ...a, ...unknown }],
      "incomplete",
    ],
    ["arguments that are unknown, one expected", [x1], [{ ...a, ...unknown }], "incomplete"],
    ["a tool that was not called, beside unknown arguments", [a, b], [{ ...a, ...unknown }], "warn"],
    [
      "a tool that was not expected, beside unknown arguments",
      [x1],
      [
        { ...a, ...unknown },
        { ...b, ...unknown },
      ],
      "warn",
    ],
    ["no arguments", [a], [{ name: "a", arguments: {} }], "pass"],
    ["null", [a], [{ name: "a", arguments: null }], "pass"],
    ["the text of null", [a], [{ name: "a", arguments: "null" }], "pass"],
    ["an empty text", [a], [{ name: "a", arguments: "" }], "pass"],
    ["an empty list", [a], [{ name: "a", arguments: [] }], "pass"],
    ["a text where no argument is expected", [a], [{ name: "a", arguments: "DROP TABLE" }], "warn"],
    ["a list where no argument is expected", [a], [{ name: "a", arguments: [1] }], "warn"],
    ["a number where no argument is expected", [a], [{ name: "a", arguments: 0 }], "warn"],
    ["a text where another argument is expected", [x1], [{ name: "a", arguments: "1" }], "warn"],
  ])("%s", (__, expected, tools, outcome) => {
    expect(outcomeOf(expected, path, tools)).toBe(outcome);
  });
});
