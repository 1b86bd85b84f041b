import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogue, idsIn } from "./catalogue.ts";

const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".test.ts"),
);
const named = new Set(
  files.flatMap((name) =>
    [
      ...readFileSync(join("test", name), "utf8").matchAll(/^\s*\)?(?:\]\))?.*?["`]((?:[CA]\d\d\s)+)/gm),
    ].flatMap((match) => idsIn(match[1] ?? "")),
  ),
);

test("every requirement has a test of its name, or says why not", () => {
  const without = catalogue.filter(({ id, elsewhere }) => !named.has(id) && elsewhere === undefined);
  expect(without.map(({ id }) => id)).toEqual([]);
});

test("docs/conformance.md has them all", () => {
  const page = readFileSync("docs/conformance.md", "utf8");
  expect(
    catalogue.filter(({ id, what }) => !page.includes(`| ${id} | ${what} |`)).map(({ id }) => id),
  ).toEqual([]);
});
