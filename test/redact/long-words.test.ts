import { expect, test } from "vitest";
import { Redactor } from "../../src/support/redact/redactor.ts";

const long = "a".repeat(8 * 2 ** 20);

test("a word that is too long to check is withheld, and the rest of the value stays", () => {
  const redactor = new Redactor({ keys: [], patterns: [], detectors: ["keys"] });
  const clean = redactor.json({ content: long, role: "user" });

  expect(clean).toMatchObject({ role: "user" });
  expect(JSON.stringify(clean).length).toBeLessThan(100);
});

test("long texts of short words are checked", () => {
  const redactor = new Redactor({ keys: [], patterns: [], detectors: ["keys"] });
  const text = "some words ".repeat(150_000);

  expect(redactor.text(text)).toBe(text);
});
