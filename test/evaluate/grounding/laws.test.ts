import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GroundingEvidence } from "../../../src/evaluate/checks/correctness/grounding/evidence.ts";
import { kinds } from "../../../src/evaluate/checks/correctness/grounding/reading.ts";
import { statedValues } from "../../../src/evaluate/checks/correctness/grounding/values.ts";

const all = new Set(kinds);

function isGrounded(told: string, answer: string): boolean {
  const evidence = new GroundingEvidence();
  evidence.add(told);
  const values = statedValues(answer, all);
  return values.length > 0 && values.every((value) => evidence.grounds(value));
}

/** Ways to write one whole amount below a million. */
const amounts: readonly ((amount: number) => string)[] = [
  (amount) => `$${amount}`,
  (amount) => `${amount} USD`,
  (amount) => `US$ ${amount}`,
  (amount) => `${amount.toLocaleString("en-US")} dollars`,
  (amount) => `$${amount.toLocaleString("en-US")}.00`,
  (amount) => `${amount / 1000}k dollars`,
  (amount) => `$${amount / 1_000_000} million`,
  (amount) => `~${amount} $`,
  (amount) => `${amount}+ dollars`,
  (amount) => `${amount} $ per month`,
];
const lengths: readonly ((metres: number) => string)[] = [
  (metres) => `${metres} m`,
  (metres) => `${metres} metres`,
  (metres) => `${metres / 1000} km`,
  (metres) => `${metres * 100}cm`,
  (metres) => `a ${metres}-metre walk`,
];
const durations: readonly ((hours: number) => string)[] = [
  (hours) => `${hours} hours`,
  (hours) => `a ${hours}-hour window`,
  (hours) => `${hours}h`,
  (hours) => `${hours * 60} minutes`,
  (hours) => `PT${hours}H`,
  (hours) => `${Math.floor(hours / 24)} days and ${hours % 24} hours`,
];
const dates: readonly ((date: Date) => string)[] = [
  (date) => date.toISOString().slice(0, 10),
  (date) => `${date.getUTCDate()}.${date.getUTCMonth() + 1}.${date.getUTCFullYear()}`,
  (date) => `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`,
  (date) => date.toLocaleDateString("en-US", { timeZone: "UTC", dateStyle: "long" }),
  (date) => date.toLocaleDateString("en-GB", { timeZone: "UTC", dateStyle: "medium" }),
  (date) => date.toLocaleDateString("de-DE", { timeZone: "UTC", dateStyle: "long" }),
];
const clocks: readonly ((minutes: number) => string)[] = [
  (minutes) => `${two(minutes / 60)}:${two(minutes % 60)}`,
  (minutes) => `${two(minutes / 60)}:${two(minutes % 60)}:00`,
  (minutes) => `${Math.floor(minutes / 60) % 12 || 12}:${two(minutes % 60)} ${minutes < 720 ? "am" : "p.m."}`,
  (minutes) => `${Math.floor(minutes / 60)}h${two(minutes % 60)}`,
];

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}

/** `value` told in one way and stated in another is grounded; another value is not, unless it `mayMean` the first. */
function isGroundedInEveryForm<Value>(
  values: fc.Arbitrary<Value>,
  ways: readonly ((value: Value) => string)[],
  mayMean: (value: Value, other: Value) => boolean = () => false,
): true {
  const way = fc.constantFrom(...ways);
  fc.assert(
    fc.property(values, values, way, way, (value, other, tell, state) => {
      fc.pre(!mayMean(value, other));
      // The words show that decimals have a point.
      const pairs = [tell(value), tell(other)].map((told) => [
        told,
        state(value),
        isGrounded(`It is ${told}.`, state(value)),
      ]);
      const isSame = state(value) === state(other);
      expect(pairs).toEqual([
        [tell(value), state(value), true],
        [tell(other), state(value), isSame],
      ]);
    }),
    { numRuns: 50 },
  );
  return true;
}

describe("a value told in one form is found in every other, and no other value is", () => {
  test("amounts of money", () => {
    expect(isGroundedInEveryForm(fc.integer({ min: 1001, max: 999_999 }), amounts)).toBe(true);
  });

  test("lengths", () => {
    expect(isGroundedInEveryForm(fc.integer({ min: 10, max: 90_000 }), lengths)).toBe(true);
  });

  test("durations", () => {
    // "7 days and 1 hour" says "7 days", too.
    const isWithinDay = (hours: number, other: number): boolean =>
      hours % 24 === 0 && Math.floor(other / 24) === hours / 24;
    expect(isGroundedInEveryForm(fc.integer({ min: 25, max: 500 }), durations, isWithinDay)).toBe(true);
  });

  test("dates whose day is no month", () => {
    const days = fc
      .integer({ min: 0, max: 15_000 })
      .map((day) => new Date(946_684_800_000 + day * 86_400_000));
    expect(
      isGroundedInEveryForm(
        days.filter((date) => date.getUTCDate() > 12),
        dates,
      ),
    ).toBe(true);
  });

  test("times of day", () => {
    // 11:54 may be 11:54 p.m.
    const isTwelveApart = (one: number, other: number): boolean => Math.abs(one - other) === 720;
    expect(isGroundedInEveryForm(fc.integer({ min: 60, max: 1439 }), clocks, isTwelveApart)).toBe(true);
  });

  test("codes that begin with the name of a currency", () => {
    expect(
      isGroundedInEveryForm(
        fc
          .tuple(fc.constantFrom("NGN", "USD", "ETH"), fc.integer({ min: 100, max: 9999 }))
          .map((parts) => parts.join("-")),
        [
          (code) => code,
          (code) => code.toLowerCase(),
          (code) => `see #${code}.`,
          (code) => `/orders/${code}/items`,
        ],
      ),
    ).toBe(true);
  });

  test("codes, also those that begin with the name of a month, a time zone or a product", () => {
    const code = fc.stringMatching(/^(?:MAR|GMT|PHP|[A-Z]{2,4})-[1-9][0-9]{2,6}$/);
    expect(
      isGroundedInEveryForm(code, [
        (code) => code,
        (code) => code.toLowerCase(),
        (code) => code.replace("-", "_"),
        (code) => `see #${code}.`,
        (code) => `/orders/${code}/items`,
      ]),
    ).toBe(true);
  });

  test("a unit, a currency or a sign in place of another is another value", () => {
    const units = ["$", "€", "£", "kg", "km", "miles", "hours", "GB", "%", "°C"];
    const unit = fc.constantFrom(...units);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9999 }), unit, unit, (number, one, other) => {
        expect(isGrounded(`It is -${number} ${one}.`, `It is ${number} ${one}.`)).toBe(false);
        expect(isGrounded(`It is ${number} ${one}.`, `It is ${number} ${other}.`)).toBe(one === other);
        expect(isGrounded(`It is ${number} ${one} per month.`, `It is ${number} ${one}/year.`)).toBe(false);
        expect(isGrounded(`It is ${number}.`, `It is ${number} ${one}.`)).toBe(true);
      }),
    );
  });
});

test("any text grounds itself", () => {
  const texts = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[\d.,:/ $%€kKmMx+-]{0,24}$/));
  fc.assert(
    fc.property(texts, (text) => {
      const evidence = new GroundingEvidence();
      evidence.add([text]);
      expect(statedValues(text, all).filter((value) => !evidence.grounds(value))).toEqual([]);
    }),
    { numRuns: 150, examples: [["%:0+€"], ["rate %: 5+ €"], ["USD: 7+ kg"], ["price_usd: 5+ kg"]] },
  );
});
