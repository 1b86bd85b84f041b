import fc from "fast-check";
import { expect, test } from "vitest";
import { Redactor } from "../../src/support/redact/redactor.ts";
import { objectItemsOf } from "../../src/support/redact/object-items.ts";

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
    { numRuns: 30 },
  );
});

test.each(["[1]", "[{}", "[{},]", "[{} {}]", '[{"a":"]', "{}", "text", "[{}] [{}]", '[{"a":1}}]'])(
  "%s is no array of objects",
  (text) => expect(objectItemsOf(text)).toBeNull(),
);

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

test.each([
  ["a word on a line of its own", (word: string) => `${word}\nand the rest`],
  ["a word in a sentence", (word: string) => `see ${word} and the rest`],
  ["a word in JSON", (word: string) => JSON.stringify({ file: word, note: "the rest" })],
])("%s of several MiB is withheld without a search", (_, textOf) => {
  const redactor = redactorOf();
  const key = ["sk-ant-api03-", "AbCdEfGhIjKlMnOpQrSt"].join("");
  const clean = redactor.text(textOf(`${"A1b".repeat(2 ** 19)}/${key}`));

  expect(clean).toContain("[redacted]");
  expect(clean.length).toBeLessThan(100);
  expect(clean).toContain("the rest");
});

test("long texts of short words are checked", () => {
  const text = "some words ".repeat(150_000);
  expect(redactorOf().text(text)).toBe(text);
});
