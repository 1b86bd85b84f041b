import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderDialects } from "../../src/interfaces/cli/declare/dialects-page.ts";

it("docs/dialects.md is what the fixtures say: npm run generate writes it anew", () => {
  expect(readFileSync("docs/dialects.md", "utf8")).toBe(renderDialects());
});

it("names what a producer loses, and where", () => {
  const row = renderDialects()
    .split("\n")
    .find((line) => line.startsWith("| agentscope-native "));
  expect(row).toContain("agentscope 2.0.10");
  expect(row).toMatch(/\| 6 \| response models \|/);
});
