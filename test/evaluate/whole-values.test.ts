import { describe, expect, test } from "vitest";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

/** Texts, and values that they contain as a whole. */
const whole: readonly (readonly [text: string, value: string])[] = [
  ["Refunds take 5 days.", "5 days"],
  ["Refunds take 5 DAYS", "5 days"],
  ["3-5 days", "5 days"],
  ["between 3 and 5 days", "5 days"],
  ["(5 days)", "5 days"],
  ["100.00 EUR", "100"],
  ["1\u202f500\u00a0EUR", "1 500 EUR"],
  ["$5 a month", "$5"],
  ["order AB-12, paid", "AB-12"],
  ["[AB-12]", "ab-12"],
  ["due on 2027-01-02", "2027-01-02"],
  ["due on 2 May 2027.", "2 May 2027"],
  ["write to ann@example.com", "ann@example.com"],
  ["Ann signed it", "Ann"],
  ["Annabel and Ann", "Ann"],
  ["a non-refundable ticket", "refundable ticket"],
  ["It isn’t refundable", "isn't refundable"],
  ["re\u00adfund\u200bable", "refundable"],
  ["café", "cafe\u0301"],
  ["東京タワーは5日", "東京"],
  ["서울은 맑음", "서울"],
  ["الكتاب", "كتاب"],
  ["−5 °C", "−5 °C"],
];

/** Texts, and values that are only a part of another one there. */
const part: readonly (readonly [text: string, value: string])[] = [
  ["Refunds take 15 days.", "5 days"],
  ["Refunds take 5 dayshifts", "5 days"],
  ["1.5 days", "5 days"],
  ["-5 °C", "5 °C"],
  ["at −5 °C", "5 °C"],
  ["1,500 EUR", "500 EUR"],
  ["500,000 EUR", "500"],
  ["1\u202f500 EUR", "500 EUR"],
  ["5M users", "5"],
  ["$5k", "$5"],
  ["order AB-123", "AB-12"],
  ["order XAB-12", "AB-12"],
  ["order AB-12C", "AB-12"],
  ["due on 12 May 2027", "2 May 2027"],
  ["due on 2 May 20271", "2 May 2027"],
  ["joann@example.com", "ann@example.com"],
  ["ann@example.community", "ann@example.com"],
  ["Annabel signed it", "Ann"],
  ["Joann signed it", "Ann"],
  ["unrefundable", "refundable"],
  ["the 15th day", "5th day"],
  ["１5 days", "5 days"],
];

function outcomeOf(blocks: object, run: RunText): string | undefined {
  const spec = specOf(JSON.stringify({ version: 1, agent: "*", queries: [{ query: "*", ...blocks }] }));
  const [query] = spec.queries;
  if (query === undefined) throw new Error("no query");
  const options = { reference: { missing: "not-asked", version: null }, judge: "off" } as const;
  return evaluateQuery(runOf(run), query, options).layers.path.checks[0]?.outcome;
}

const retrieving = (content: string): RunText => ({
  retrievals: [{ spanId: null, query: "q", documents: [{ id: "a", content, score: null }] }],
});

describe("retrieval.facts_in_context", () => {
  test.each(whole)("%j has %j", (text, value) => {
    expect(outcomeOf({ retrieval: { facts_in_context: [value] } }, retrieving(text))).toBe("pass");
  });
  test.each(part)("%j has no %j", (text, value) => {
    expect(outcomeOf({ retrieval: { facts_in_context: [value] } }, retrieving(text))).toBe("warn");
  });
});

const refusing = { retrieval: { forbid_empty: true, refusal_markers: ["none"] } };
const finding = { retrieval: { tool: "search", forbid_empty: true, empty_markers: ["none"] } };
const spans = (field: string, rule: object) => ({ spans: [{ kind: "tool", field, ...rule }] });
const found = (result: string): RunText => ({ tools: [{ name: "search", result }] });
const paid = (args: JsonValue): RunText => ({
  tools: [{ name: "pay", arguments: args, result: "paid 5 EUR" }],
});
const empty = (answer: string): RunText => ({
  answer,
  retrievals: [{ spanId: null, query: "q", documents: [] }],
});

test.each<[string, object, RunText, string]>([
  ["an answer that refuses, in a part of a word", refusing, empty("Nonetheless, it costs 5 EUR."), "warn"],
  ["an answer that refuses", refusing, empty("There are none."), "pass"],
  ["a result of nothing, in a part of a word", finding, found("Nonexistent accounts are refused"), "pass"],
  ["a result of nothing", finding, found("None"), "warn"],
  ["a number in another number", spans("arguments.amount", { contains: "5" }), paid({ amount: 15 }), "warn"],
  ["a number", spans("result", { contains: "5 EUR" }), paid({}), "pass"],
  [
    "a forbidden number in another number",
    spans("arguments.card", { not_contains: "4711" }),
    paid({ card: "47110815" }),
    "warn",
  ],
])("%s", (_, query, run, outcome) => {
  expect(outcomeOf(query, run)).toBe(outcome);
});
