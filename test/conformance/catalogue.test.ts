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

test("every requirement of docs/conformance.md has a test of its name, or names another command", () => {
  expect(catalogue.map(({ id }) => id.slice(0, 1)).join("")).toBe("C".repeat(51) + "A".repeat(17));
  const without = catalogue.filter(({ id, command }) => !named.has(id) && command === undefined);
  expect(without.map(({ id }) => id)).toEqual([]);
});
