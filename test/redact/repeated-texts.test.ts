import fc from "fast-check";
import { expect, test } from "vitest";
import { Redactor } from "../../src/support/redact/redactor.ts";
import { objectItemsOf } from "../../src/support/redact/object-items.ts";
import { growthOf } from "../support/growth.ts";

const redactorOf = (): Redactor => new Redactor({ keys: ["*secret*"], patterns: [], detectors: ["keys"] });

test("the items of an array of objects are those that a parser finds", () => {
  const arrays = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
  fc.assert(
    fc.property(arrays, fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      const items = objectItemsOf(JSON.stringify(value, null, space));
      expect(items === null ? [] : items.map((item) => JSON.parse(item) as unknown)).toEqual(
        JSON.parse(JSON.stringify(value)),
      );
    }),
  );
});

test.each(["[1]", "[{}", "[{},]", "[{} {}]", '[{"a":"]', "{}", "text", "[{}] [{}]", '[{"a":1}}]'])(
  "%s is no array of objects",
  (text) => expect(objectItemsOf(text)).toBeNull(),
);

/** A history as the calls of a conversation send it, longer with each. */
function historyOf(turns: number): string {
  const message = (turn: number): object => ({
    role: "user",
    content: `turn ${turn}: ${"all kinds of words, ".repeat(40)}`,
  });
  return JSON.stringify(Array.from({ length: turns }, (_, turn) => message(turn)));
}

test("a message of a history is redacted as it is alone, however often it comes", () => {
  const redactor = redactorOf();
  const key = ["sk-ant-api03-", "AbCdEfGhIjKlMnOpQrSt"].join("");
  const messages = [
    { role: "system", content: "x ".repeat(3000) },
    { role: "user", content: `my key is ${key}`, client_secret: "hunter22" },
    { role: "user", content: "as before" },
  ];
  const text = JSON.stringify(messages);
  const clean = `[${messages.map((one) => redactor.text(JSON.stringify(one))).join(",")}]`;

  expect([redactor.text(text), redactor.text(text)]).toEqual([clean, clean]);
  expect(clean).not.toContain(key);
  expect(clean).not.toContain("hunter22");
  expect(JSON.parse(clean)).toHaveLength(3);
});

test("a history is redacted once, and not with each call that repeats it", () => {
  const work = (calls: number): void => {
    const redactor = redactorOf();
    for (let call = 1; call <= calls; call++) redactor.text(historyOf(call));
  };
  // Without the memo, eight times as many calls have sixty-four times as much text to search.
  expect(growthOf(work, { size: 25, times: 8, limit: 30 })).toBeLessThan(30);
});

test.each([
  ["a word on a line of its own", (word: string) => `${word}\nand the rest`],
  ["a word in a sentence", (word: string) => `see ${word} and the rest`],
  ["a word in JSON", (word: string) => JSON.stringify({ file: word, note: "the rest" })],
])("%s of several MiB is withheld without a search", (_, textOf) => {
  const redactor = redactorOf();
  const key = ["sk-ant-api03-", "AbCdEfGhIjKlMnOpQrSt"].join("");
  const clean = redactor.text(textOf(`${"A1b".repeat(2 ** 20)}/${key}`));

  expect(clean).toContain("[redacted]");
  expect(clean.length).toBeLessThan(100);
  expect(clean).toContain("the rest");
});
