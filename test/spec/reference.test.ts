import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checks } from "../../src/evaluate/registry.ts";
import { renderSpecReference } from "../../src/spec/reference.ts";
import { loadSpec } from "../../src/spec/load.ts";

const page = readFileSync("docs/spec.md", "utf8");

describe("docs/spec.md", () => {
  test("is what the code says (npm run generate)", () => {
    expect(page).toBe(renderSpecReference(checks));
  });

  test("says of every check what it is measured by, and where that comes from", () => {
    const bare = checks.filter(({ details }) => details === undefined).map(({ key }) => key);
    expect(bare).toEqual([]);
    expect(checks.filter(({ key }) => !page.includes(`| \`${key}\``)).map(({ key }) => key)).toEqual([]);
  });

  test("shows specs that are valid", () => {
    const shown = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);
    expect(shown).toHaveLength(2);
    for (const text of shown) {
      const whole = text.startsWith("version") ? text : `agent: "*"\n${text}`;
      expect(loadSpec({ file: "spec.yaml", text: whole }, { checks }).problems).toEqual([]);
    }
  });
});
