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

const evidenceByText = new Map<string, GroundingEvidence>();

/** The evidence is read once: most texts are in several pairs. */
function evidenceOf(told: string): GroundingEvidence {
  const known = evidenceByText.get(told);
  if (known !== undefined) return known;
  const evidence = new GroundingEvidence();
  evidence.add(parseJson(told) ?? told);
  evidenceByText.set(told, evidence);
  return evidence;
}

/** The values that the evidence does not have. */
function ungrounded(told: string, values: ReturnType<typeof statedValues>): readonly string[] {
  const evidence = evidenceOf(told);
  return values.flatMap((value) =>
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

const rules: Readonly<Record<string, string>> = {
  "=": "what a tool told grounds the answer in another form",
  "!": "an invented value is not grounded",
  "?": "digits that cannot be read leave it open",
};

/** What contradicts the rule of a pair; null if nothing does. */
function wrongWith({ mark, told, answer }: Pair): string | null {
  const values = statedValues(answer, all);
  const missing = ungrounded(told, values);
  if (mark === "=") return values.length === 0 ? "no value" : (missing[0] ?? null);
  if (missing.length === 0) return "grounded";
  return mark === "?" ? (missing.find((value) => !value.startsWith("unread ")) ?? null) : null;
}

// One test for the pairs of a domain: thousands of tests take longer than what they look at.
describe.each(Object.entries(rules))("%s %s", (mark) => {
  const own = table.filter((pair) => pair.mark === mark);

  test.each([...new Set(own.map((pair) => pair.domain))])("%s", (name) => {
    const wrong = own
      .filter((pair) => pair.domain === name)
      .flatMap((pair) => {
        const why = wrongWith(pair);
        return why === null ? [] : [`${pair.told} | ${pair.answer}: ${why}`];
      });
    expect(wrong).toEqual([]);
  });
});
