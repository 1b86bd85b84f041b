import { expect, test } from "vitest";
import { type JsonObject, parseJson } from "../../src/model/json.ts";
import { parseText } from "../../src/runs/notations/parse-text.ts";
import { outcomeOf } from "../support/block-outcome.ts";

const integers = [
  "9007199254740992",
  "9007199254740993",
  "-9007199254740993",
  "10000000000000000",
  "10000000000000001",
  "12345678901234567890",
  "12345678901234567891",
  "9".repeat(400),
];

/** Arguments as a recorder writes them: JSON, or printed Python. */
const notations = {
  JSON: (id: string) => parseJson(`{"id": ${id}}`),
  "printed Python": (id: string) => parseText(`{'id': ${id}}`)?.value,
};

const pairs = integers.flatMap((wanted) => integers.map((given) => ({ wanted, given })));

test.each(Object.entries(notations))(
  "integers in arguments of %s compare by all digits",
  (_, argumentsOf) => {
    for (const { wanted, given } of pairs) {
      const tools = [{ name: "refund", arguments: argumentsOf(given) as JsonObject, result: "done" }];
      const yaml = `path:\n  expected_tool_calls:\n    - { name: refund, arguments: { id: ${wanted} } }\n`;
      const spans = `spans:\n  - { kind: tool, name: refund, field: arguments.id, equals: ${wanted} }\n`;
      const isSame = wanted === given;
      expect([wanted, given, ...outcomeOf(yaml, { tools }), ...outcomeOf(spans, { tools })]).toEqual([
        wanted,
        given,
        ...(isSame ? ["pass", "pass"] : ["warn", "warn"]),
      ]);
    }
  },
);

test("other numbers stay numbers", () => {
  const text = '{"a":10000000000000000,"b":1e16,"c":0.10000000000000001,"d":"x \\" 10000000000000001"}';
  expect(parseJson(text)).toEqual({ a: 1e16, b: 1e16, c: 0.1, d: 'x " 10000000000000001' });
});
