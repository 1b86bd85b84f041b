import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { csvReport } from "../../src/report/render/formats/csv.ts";
import { reportVerdict } from "../../src/report/render/findings/reported.ts";
import { evaluated } from "../support/evaluated.ts";
import { resultOf } from "../support/result-of.ts";

function answerCell(answer: string): string {
  const verdicts = [reportVerdict(evaluated({ id: "q" }, { answer }))];
  const [row] = parse([...csvReport(resultOf({ runs: 1, queries: 1, verdicts }))].join(""), {
    columns: true,
  }) as unknown as { answer: string }[];
  return row?.answer ?? "";
}

const signs = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212".split("");
const before = ["", ", ", ";\t", '","', ..." \t\n,;|:'\"\u00a0\u3000\u201c".split("")];

describe.each(signs)("a cell that begins with %j is text", (sign) => {
  test.each(before)("behind %j", (separator) => {
    const text = `${separator}${sign}cmd|'/C calc'!A0`;
    expect(answerCell(text).startsWith("'")).toBe(true);
  });
});

test.each([
  "12 - 3",
  "a=b",
  "mail me@example.com",
  "It said: -5",
  "(+49) 30",
  "caf\u00e9 +1",
  "",
  "'quoted' text",
])("%j stays as it is", (text) => {
  expect(answerCell(text)).toBe(text);
});
