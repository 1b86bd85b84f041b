import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GroundingEvidence } from "../../../src/evaluate/checks/correctness/grounding/evidence.ts";
import { kinds } from "../../../src/evaluate/checks/correctness/grounding/reading.ts";
import { statedValues } from "../../../src/evaluate/checks/correctness/grounding/values.ts";
import { parseJson } from "../../../src/model/json.ts";

const all = new Set(kinds);

interface Pair {
  readonly domain: string;
  readonly mark: string;
  readonly told: string;
  readonly answer: string;
}

/** Replaces `\\n` by a new line, except in JSON, which has its own escapes. */
function unescaped(text: string): string {
  return parseJson(text) === undefined ? text.replaceAll(String.raw`\n`, "\n") : text;
}

const table: Pair[] = [];
let domain = "";
for (const line of readFileSync("test/evaluate/grounding/pairs.txt", "utf8").split("\n")) {
  domain = /^(\w+):$/.exec(line)?.[1] ?? domain;
  const [, mark, told = "", answer = ""] = /^  ([=!?]) (.*) \| (.*)$/.exec(line) ?? [];
  if (mark !== undefined) table.push({ domain, mark, told: unescaped(told), answer: unescaped(answer) });
}

/** The values of the answer that the evidence does not have. */
function ungrounded(told: string, answer: string): readonly string[] {
  const evidence = new GroundingEvidence();
  evidence.add(parseJson(told) ?? told);
  return statedValues(answer, all).flatMap((value) =>
    evidence.grounds(value)
      ? []
      : [
          `${evidence.mayGround(value) || evidence.mayMean(value) ? "unread" : (value.kind ?? "unread")} ${value.text}`,
        ],
  );
}

test("the table has 2100 pairs of ten domains", () => {
  expect(table.length).toBeGreaterThanOrEqual(2100);
  expect(new Set(table.map(({ domain }) => domain)).size).toBe(10);
});

describe("what a tool told grounds the answer in another form", () => {
  test.each(table.filter(({ mark }) => mark === "="))("$domain: $told | $answer", ({ told, answer }) => {
    expect(statedValues(answer, all)).not.toEqual([]);
    expect(ungrounded(told, answer)).toEqual([]);
  });
});

describe("an invented value is not grounded", () => {
  test.each(table.filter(({ mark }) => mark === "!"))("$domain: $told | $answer", ({ told, answer }) => {
    expect(ungrounded(told, answer)).not.toEqual([]);
  });
});

describe("digits that cannot be read leave it open", () => {
  test.each(table.filter(({ mark }) => mark === "?"))("$domain: $told | $answer", ({ told, answer }) => {
    const missing = ungrounded(told, answer);
    expect(missing).not.toEqual([]);
    for (const value of missing) expect(value).toMatch(/^unread /);
  });
});
