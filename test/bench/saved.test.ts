import { describe, expect, test } from "vitest";
import { BadFile, figureOf, parseSaved, readSaved } from "../../bench/compare/saved.ts";
import { conclude, failed } from "../../bench/harness/result.ts";

const parse = (text: string) => parseSaved("saved.json", text);

test("what is saved is what was measured", () => {
  const results = [
    conclude({ name: "a", row: "L1", what: "a / b", goal: { atMost: 2 } }, [1, 3, 2]),
    conclude({ name: "b", what: "b / a", goal: { atLeast: 2 } }, [1, Number.NaN]),
    conclude({ name: "c", what: "b / a", better: "more" }, [1]),
    conclude({ name: "d", what: "time", unit: "µs" }, [1]),
    failed("e", null, new Error("no Go")),
  ];
  expect(parse(JSON.stringify(results))).toEqual(results.map(figureOf));
  expect(results.map(({ better }) => better)).toEqual(["less", "more", "more", "less", "less"]);
  expect(parse(JSON.stringify(results)).map((figure) => figure.rounds)).toEqual([
    [1, 3, 2],
    [1],
    [1],
    [1],
    [],
  ]);
});

test.each([
  [{ unit: "x", goal: ">= 8" }, "more"],
  [{ unit: "x", goal: "<= 8" }, "less"],
  [{ unit: "B", goal: null }, "less"],
  [{ unit: "x", goal: null }, null],
])("a file of before directions were saved tells them by its goal or unit: %j", (kept, better) => {
  expect(parse(JSON.stringify([{ name: "a", row: null, value: 1, ...kept }]))).toEqual([
    { name: "a", row: null, unit: kept.unit, better, rounds: null },
  ]);
});

describe("a file that is none says what, where, and how to get one", () => {
  test.each([
    ["nothing", "", /saved\.json: the file is empty\. .*--json/],
    ["broken JSON", '[{"name"', /saved\.json: no JSON \(.+\)\. .*--json/],
    ["an object", "{}", /at the top: .*array/],
    ["no figure", "[]", /no figure in it/],
    ["a figure without a name", '[{"unit":"x"}]', /at \[0\]\.name: /],
    ["rounds that are texts", '[{"name":"a","unit":"x","rounds":["1"]}]', /at \[0\]\.rounds\[0\]: /],
    ["a name twice", '[{"name":"a","unit":"x"},{"name":"a","unit":"x"}]', /a is there twice/],
  ])("%s", (_, text, message) => {
    expect(() => parse(text)).toThrow(BadFile);
    expect(() => parse(text)).toThrow(message);
  });

  test("no file", () => {
    expect(() => readSaved("no/such/file.json")).toThrow(/no\/such\/file\.json: cannot be read .*--json/);
  });
});
