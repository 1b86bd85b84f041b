import fc from "fast-check";
import { expect, test } from "vitest";
import { KnownSecrets } from "../../../src/model-server/record/known-secrets.ts";
import { growthOf } from "../../support/growth.ts";

const secret = fc.string({ minLength: 8, maxLength: 20 }).filter((text) => text.trim() === text);

test("no secret is left in a text, in JSON, or in JSON within JSON, and the rest stays", () => {
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 5 }), (all) => {
      const secrets = new KnownSecrets();
      for (const one of all) secrets.add(one);
      const plain = { text: `before ${all.join(" , ")} after` };
      const line = JSON.stringify({ ...plain, inner: JSON.stringify(plain) });
      for (const clean of [secrets.removeFrom(line), secrets.maskIn(line)]) {
        const parsed = JSON.parse(clean) as { text: string; inner: string };
        for (const text of [parsed.text, (JSON.parse(parsed.inner) as { text: string }).text]) {
          expect(text).toMatch(/^before .* after$/s);
          expect(all.filter((one) => text.includes(one))).toEqual([]);
        }
      }
      expect(Buffer.byteLength(secrets.maskIn(line))).toBe(Buffer.byteLength(line));
    }),
  );
});

test("the letter of an escape sequence is not the beginning of a secret", () => {
  const secrets = new KnownSecrets();
  secrets.add("nabcdefgh");
  const line = JSON.stringify({ text: "a line\nabcdefgh" });

  expect(secrets.removeFrom(line)).toBe(line);
});

test("the time for a text does not grow with the number of secrets", () => {
  const text = "some words of a message, ".repeat(20_000);
  const work = (count: number): void => {
    const secrets = new KnownSecrets();
    for (let at = 0; at < count; at++) secrets.add(`secret-${at}-${at ** 2}`);
    for (let turn = 0; turn < 5; turn++) secrets.removeFrom(text);
  };

  expect(growthOf(work, { size: 100, times: 50, limit: 10 })).toBeLessThan(10);
});
