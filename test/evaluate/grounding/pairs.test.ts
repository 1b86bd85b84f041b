import { describe, expect, test } from "vitest";
import { Evidence } from "../../../src/evaluate/checks/correctness/grounding/evidence.ts";
import { kinds } from "../../../src/evaluate/checks/correctness/grounding/reading.ts";
import { statedValues } from "../../../src/evaluate/checks/correctness/grounding/values.ts";
import { parseJson } from "../../../src/model/json.ts";
import { pairs } from "./pairs.ts";

const all = new Set(kinds);

interface Pair {
  readonly domain: string;
  readonly isTrue: boolean;
  readonly told: string;
  readonly answer: string;
}

const table: readonly Pair[] = Object.entries(pairs).flatMap(([domain, lines]) =>
  lines.split("\n").flatMap((line): Pair[] => {
    const [, mark, told = "", answer = ""] = /^\s*([=!]) (.*) \| (.*)$/.exec(line) ?? [];
    return mark === undefined ? [] : [{ domain, isTrue: mark === "=", told, answer }];
  }),
);

/** The values of the answer that the evidence does not have. */
function ungrounded(told: string, answer: string): readonly string[] {
  const evidence = new Evidence();
  evidence.add(parseJson(told) ?? told);
  return statedValues(answer, all).flatMap((value) =>
    evidence.grounds(value) ? [] : [`${value.kind ?? "unread"} ${value.text}`],
  );
}

test("the table has 300 pairs of ten domains", () => {
  expect(table.length).toBeGreaterThanOrEqual(300);
  expect(new Set(table.map(({ domain }) => domain)).size).toBe(10);
});

describe("what a tool told grounds the answer in another form", () => {
  test.each(table.filter(({ isTrue }) => isTrue))("$domain: $told | $answer", ({ told, answer }) => {
    expect(ungrounded(told, answer)).toEqual([]);
  });
});

describe("an invented value is not grounded", () => {
  test.each(table.filter(({ isTrue }) => !isTrue))("$domain: $told | $answer", ({ told, answer }) => {
    expect(ungrounded(told, answer)).not.toEqual([]);
  });
});
