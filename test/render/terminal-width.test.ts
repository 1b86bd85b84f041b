import { expect, test } from "vitest";
import { fillLines } from "../../src/report/render/terminal/fill-lines.ts";
import { fittingTables } from "../../src/report/render/terminal/text-table.ts";

test("words are distributed over lines, and a word that is too long has its own line", () => {
  const words = "one two three incomprehensibilities four".split(" ");
  const lines = fillLines(words, " ", { firstWidth: 7, width: 10 });
  expect(lines).toEqual(["one two", "three", "incomprehensibilities", "four"]);
});

const rows = [
  ["group", "runs", "passed", "cost"],
  ["install", "12", "11", "$0.01"],
];
const alignments = ["left", "right", "right", "right"] as const;

test("a table that is too wide is split, and each part has the first column", () => {
  expect(fittingTables(rows, alignments, 20)).toEqual([
    ["group    runs", "install    12"],
    ["group    passed", "install      11"],
    ["group     cost", "install  $0.01"],
  ]);
  expect(fittingTables(rows, alignments, 21)).toEqual([
    ["group    runs  passed", "install    12      11"],
    ["group     cost", "install  $0.01"],
  ]);
});

test("without a width, or with a sufficient one, the table is whole, and a narrow column is never left out", () => {
  expect(fittingTables(rows, alignments, undefined)).toHaveLength(1);
  expect(fittingTables(rows, alignments, 28)).toHaveLength(1);
  expect(fittingTables(rows, alignments, 1)).toHaveLength(3);
});
