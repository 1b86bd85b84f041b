import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { renderSpecReference } from "../../src/spec/reference/reference.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf } from "../support/run-of.ts";

const page = readFileSync("docs/spec.md", "utf8");

describe("docs/spec.md", () => {
  test("is what the code says (npm run generate)", () => {
    expect(page).toBe(renderSpecReference(checks));
  });

  test("has a row for every check that says what passes it", () => {
    expect(checks.filter(({ summary }) => !summary.endsWith(".")).map(({ key }) => key)).toEqual([]);
    expect(checks.filter(({ key }) => !page.includes(`| \`${key}\``)).map(({ key }) => key)).toEqual([]);
  });

  test("explains every metric of a verdict", () => {
    const { metrics } = evaluateQuery(
      runOf({ turns: [], attributes: { "tracejury.tokens.monitor": 1 } }),
      queryOf({ path: { min_trust: 0 } }),
      {
        reference: { missing: "not-asked", version: null },
        judge: "off",
      },
    );
    const named = [...metrics.keys()].map((name) => name.replace(/^token_share\..*/, "token_share.PART"));
    const table = page.slice(page.indexOf("## Metrics"));
    expect(named.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  test("shows checks and recipes that are valid", () => {
    const part = page.slice(page.indexOf("## Checks you will use"), page.indexOf("## Outcomes"));
    const snippets = [
      ...part.matchAll(/`((?:correctness|path|cost|severity|reliability|expected_fail): [^`]+)`/g),
    ].map(([, text = ""]) => text);
    expect(snippets.length).toBeGreaterThan(13);
    for (const snippet of snippets) {
      const text = `version: 1\nagent: "*"\nqueries:\n  - query: "*"\n    ${snippet}\n`;
      expect([snippet, loadSpec({ file: "spec.yaml", text }, { checks }).problems]).toEqual([snippet, []]);
    }
  });

  test("shows specs that are valid", () => {
    const shown = [...page.matchAll(/```yaml[^\n]*\n(.*?)```/gs)].map(([, text = ""]) => text);
    expect(shown).toHaveLength(2);
    for (const text of shown) {
      const whole = text.startsWith("version") ? text : `agent: "*"\n${text}`;
      expect(loadSpec({ file: "spec.yaml", text: whole }, { checks }).problems).toEqual([]);
    }
  });
});
