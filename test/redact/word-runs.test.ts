import fc from "fast-check";
import { expect, test } from "vitest";
import { Redactor } from "../../src/support/redact/redactor.ts";
import { eachRun, wordCharacters } from "../../src/support/redact/detectors/word-runs.ts";

const few = fc.string({ unit: fc.constantFrom("a", "b", ".", " ", "é", "😀"), maxLength: 40 });

test("runs of characters are those that a regular expression finds", () => {
  const characters = wordCharacters(/[a-c.]/);
  fc.assert(
    fc.property(few, (text) => {
      const runs: string[] = [];
      eachRun(text, characters, 3, (start, end) => {
        runs.push(text.slice(start, end));
      });
      expect(runs).toEqual(text.match(/[a-c.]{3,}/g) ?? []);
    }),
  );
});

/** Put together here: scanners of repositories report such texts. */
const random = ["q7Zr2Lw", "9Tn4Vx8", "Bk3Md6Hs"].join("");
const github = ["ghp", `${random}${random}`.slice(0, 36)].join("_");
const keys = new Redactor({ keys: [], patterns: [], detectors: ["keys"] });

test("a key is removed at every place among other words", () => {
  const words = fc.array(
    fc.constantFrom("a", "src/model-server/record", "-", "…", "https://x.org/a?b=1", "é.", "="),
    {
      maxLength: 6,
    },
  );
  const gaps = fc.constantFrom(" ", "\n", '"', "'", "(", ",");
  fc.assert(
    fc.property(words, words, gaps, (before, after, gap) => {
      for (const secret of [
        github,
        `Bearer ${random}`,
        `api_key\t"${random}`,
        `the password follows ${random}${gap}`,
        Buffer.from(`password=${random}`).toString("base64"),
      ]) {
        const text = [...before, secret, ...after].join(gap);
        const clean = keys.text(text);
        expect(clean).not.toContain(random);
        expect(clean).not.toContain(Buffer.from(random).toString("base64").slice(4, 20));
      }
    }),
  );
});

test.each([
  [
    "a full stop after a random word ends the sentence",
    `the password of it: a ${random}.`,
    "the password of it: a [key].",
  ],
  ["an id in a column behind a name that announces nothing stays", `id   ${random}`, `id   ${random}`],
  ["a name in quotation marks", `"api_key"]   \`${random}\``, '"api_key"]   `[key]`'],
  [
    "base64 loses its padding too",
    `x ${Buffer.from(`password=${random}`).toString("base64")} y`,
    "x [encoded] y",
  ],
])("%s", (_, text, clean) => {
  expect(keys.text(text)).toBe(clean);
});
