import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const rows = ["docs/security.md", "SECURITY.md"].flatMap((page) => [
  ...readFileSync(page, "utf8").matchAll(/^\| (.+?) +\| `(test\/[^`]+)` › (.+?) +\|$/gm),
]);
const claims = rows.map(([, claim = "", file = "", name = ""]) => [claim, file, name] as const);

test("there are claims", () => expect(claims.length).toBeGreaterThan(80));

test("each promise of the threat model has a test", () => {
  const model = readFileSync("SECURITY.md", "utf8");
  const promises = model
    .split("\n")
    .filter((line) => /^\| [^-]/.test(line) && !/^\| (?:promise|party) /.test(line));
  const tested = promises.filter((line) => /› .+ \|$/.test(line));
  const parties = promises.filter((line) => line.startsWith("| **"));
  expect(parties).toHaveLength(5);
  expect(tested.length).toBeGreaterThan(20);
  expect(promises.length).toBe(tested.length + parties.length);
});

test.each(claims)("%s: %s › %s", (_, file, name) => {
  expect(existsSync(file)).toBe(true);
  const begun = name.replace(/…$/, "");
  const found = readFileSync(file, "utf8").split(begun).length - 1;
  // An abbreviated name is the beginning of one test's.
  expect(begun === name ? Math.min(found, 1) : found).toBe(1);
});
