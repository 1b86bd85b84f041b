import { describe, expect, test } from "vitest";
import { GroundingEvidence } from "../../../src/evaluate/checks/correctness/grounding/evidence.ts";
import { kinds } from "../../../src/evaluate/checks/correctness/grounding/reading.ts";
import { statedValues } from "../../../src/evaluate/checks/correctness/grounding/values.ts";
import type { JsonValue } from "../../../src/model/json.ts";

const all = new Set(kinds);

function grounds(told: JsonValue, answer: string): boolean {
  const evidence = new GroundingEvidence();
  evidence.add(told);
  const values = statedValues(answer, all);
  return values.length > 0 && values.every((value) => evidence.grounds(value));
}

const units = ["°C", "°F", "K", "%", "kg", "m", "hPa", "EUR", "€", "dBm", "points", "degrees", "ms"];
const spaces = ["", " ", "\u00a0", "\u202f", "\u2009"];
const spaceAt = (place: number): string => spaces[place % spaces.length] ?? "";
const minuses = ["-", "\u2212", "\u2013", "\u2010", "\u2011", "\ufe63", "\uff0d"];
const starts = [
  "",
  "It is ",
  "It was ",
  "Low: ",
  "low=",
  "| ",
  "|",
  "(",
  "*",
  "**",
  "_",
  "low → ",
  "from 9 to ",
];

/** Whether a minus sign may stand apart from its number after this text. Elsewhere, a dash before a space separates. */
const mayStandApart = (start: string): boolean => !["", "*", "**", "_"].includes(start);

describe.each(units)("a number of %s", (unit) => {
  const positive = `It is 5 ${unit} now.`;
  const negative = `It is -5 ${unit} now.`;

  test("with a minus sign is no evidence for the number without one, and the reverse", () => {
    const wrong: string[] = [];
    for (const [at, start] of starts.entries())
      for (const [turn, minus] of minuses.entries()) {
        // Over all units, each space occurs with each start and each sign: all combinations would take a minute.
        const apart = mayStandApart(start) ? spaceAt(at + turn + units.indexOf(unit)) : "";
        const told = `${start}${minus}${apart}5${spaceAt(2 * at + turn)}${unit}`;
        for (const evidence of [told, { reading: told }])
          if (grounds(evidence, positive) || !grounds(evidence, negative)) wrong.push(told);
      }
    expect(wrong).toEqual([]);
    expect(grounds(`It is 5 ${unit}`, negative)).toBe(false);
    expect(grounds(`It is +5 ${unit}`, negative)).toBe(false);
  });

  test("after the word minus is no evidence for the number without it", () => {
    const told = ["", "It is ", "Low: ", "low=", "| ", "fell to "].map((start) => `${start}minus 5 ${unit}`);
    expect(told.filter((text) => grounds(text, positive))).toEqual([]);
    expect(told.filter((text) => grounds(text, negative))).toEqual(told);
  });
});

test.each([
  ["a subtraction", "20 € - 5 €", "5 €"],
  ["a subtraction in words", "20 EUR minus 5 EUR", "5 EUR"],
  ["a list", "- 5 kg\n- 7 kg", "5 kg and 7 kg"],
  ["a list in one line", "Ingredients: - 5 eggs - 7 pears", "5 eggs and 7 pears"],
  ["items of an array", ["- 5 eggs", "- 7 kg"], "5 eggs and 7 kg"],
  ["a range", "5 - 7 kg", "5 to 7 kg"],
  ["a dash between words", "Tuesday - 5 tickets", "5 tickets"],
  ["a product", "2*-5 and 2 *-5 and 5", "5"],
])("the dash of %s is no sign", (_, told, answer) => {
  expect(grounds(told, answer)).toBe(true);
});
