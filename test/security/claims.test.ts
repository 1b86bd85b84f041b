import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const rows = [
  ...readFileSync("docs/security.md", "utf8").matchAll(/^\| (.+?) +\| `(test\/[^`]+)` › (.+?) +\|$/gm),
];
const claims = rows.map(([, claim = "", file = "", name = ""]) => [claim, file, name] as const);

test("there are claims", () => expect(claims.length).toBeGreaterThan(30));

test.each(claims)("%s: %s › %s", (_, file, name) => {
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, "utf8")).toContain(name);
});
