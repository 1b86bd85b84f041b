import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import { evaluated } from "../support/evaluated.ts";

function outcomeOf(key: string, limit: readonly string[], answer: string): Outcome | undefined {
  return evaluated({ correctness: { [key]: limit } }, { answer }).layers.correctness.checks[0]?.outcome;
}

/** Terms that begin or end with a digit, and answers in which the digits are those of the same number. */
const whole: readonly (readonly [term: string, answer: string])[] = [
  ["2.40", "You owe 2.40 EUR."],
  ["2.40", "It is 2.40."],
  ["2.40", "2.40, as I said"],
  ["9", "Open from 9 to 18"],
  ["9", "from 9:00 to 18:00"],
  ["18", "9-18"],
  ["9", "9–18"],
  ["72", "72°F"],
  ["5", "5kg"],
  ["100", "100.00 EUR"],
  ["100", "100,0"],
  ["7", "first 17, then 7"],
  ["2.4", "12.4 or 2.4"],
  ["3.11", "Python 3.11.4"],
  ["12.05", "on 12.05.2027"],
  ["2027", "on 12.05.2027"],
  ["2027-01", "2027-01-02"],
  ["A-1", "order A-1, please"],
  ["5 days", "in 5 days"],
  ["20 EUR", "EUR 20 or 20 EUR"],
  ["$2.40", "US$2.40"],
  ["4", "item4"],
  ["12.5", "-12.5 °C"],
  ["2", "1, 2, 3"],
  ["5", "5'10 tall"],
  ["10", "5'10 tall"],
  ["12'345", "12'345 CHF"],
  ["12'345", "12’345 CHF"],
  ["1 200 EUR", "1\u202f200 EUR"],
  ["1 200", "1\u00a0200,50 EUR or 1\u00a0200 EUR"],
  ["200 EUR", "für\u00a0200\u00a0EUR"],
  ["12", "12\u00a0Mai, 12\u00a020"],
  ["200", "2024\u00a0200"],
];

/** The same terms inside other numbers. */
const inside: readonly (readonly [term: string, answer: string])[] = [
  ["2.40", "You owe 12.40 EUR."],
  ["2.40", "You owe 2.405 EUR."],
  ["2.40", "It is 2.401"],
  ["9", "Open from 19 to 18"],
  ["9", "Open from 90 to 18"],
  ["9", "9.5 points"],
  ["9", "9,5 Punkte"],
  ["5", "0.5 l"],
  ["1", "1,000 EUR"],
  ["234", "1,234 EUR"],
  ["1.234", "1.234.567"],
  ["000", "1,000 EUR"],
  ["12", "12'345 CHF"],
  ["345", "12’345 CHF"],
  ["200 EUR", "1\u202f200 EUR"],
  ["200", "1\u00a0200,50 EUR"],
  ["1", "1\u2009200 EUR"],
  ["345", "12\u00a0345\u00a0678"],
  ["12", "12'345.50 CHF"],
  ["2026-12-03", "due on 2026-12-030"],
  ["2026-12-03", "due on 12026-12-03"],
  ["A-1", "order A-10"],
  ["5 days", "in 15 days"],
  ["$2.40", "$2.405"],
  ["2 of 3", "12 of 3"],
  ["2 of 3", "2 of 34"],
];

describe.each(["expected_in_answer", "any_expected_in_answer"])("%s", (key) => {
  test.each(whole)("finds %j in %j", (term, answer) => {
    expect(outcomeOf(key, [term], answer)).toBe("pass");
  });

  test.each(inside)("does not find %j in %j", (term, answer) => {
    expect(outcomeOf(key, [term], answer)).toBe("fail");
  });
});

test("the message names the number around the term", () => {
  const { message } =
    evaluated({ correctness: { expected_in_answer: ["2.40", "Emma"] } }, { answer: "You owe 12.40 EUR." })
      .layers.correctness.checks[0] ?? {};
  expect(message).toBe('the answer lacks "2.40" and "Emma"; "2.40" only inside another number');
});

test.each(inside)(
  "not_in_answer finds %j in %j, because a forbidden term may be a prefix",
  (term, answer) => {
    expect(outcomeOf("not_in_answer", [term], answer)).toBe("fail");
  },
);
