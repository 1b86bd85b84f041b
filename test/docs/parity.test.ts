import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

interface Row {
  readonly rule: string;
  readonly proof: string;
  readonly decision: string;
}

const rows: readonly Row[] = readFileSync("docs/parity.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| rule |"))
  .map((line) => {
    const [, rule = "", , proof = "", decision = ""] = line.split("|").map((cell) => cell.trim());
    return { rule, proof, decision };
  });

/** `path`: title */
const named = /^`(test\/[\w./-]+\.test\.ts)`: (.+)$/;

describe("docs/parity.md", () => {
  test("has rows of all four systems", () => {
    expect(rows.length).toBeGreaterThan(80);
  });

  test("has a proof or a decision in every row", () => {
    expect(rows.filter(({ proof, decision }) => proof === "" && decision === "")).toEqual([]);
  });

  test("names only tests that are there", () => {
    const wrong = rows.flatMap(({ rule, proof }) => {
      if (proof === "") return [];
      const [, file = "", title = ""] = named.exec(proof) ?? [];
      if (!existsSync(file)) return [`${rule}: no file ${file}`];
      const text = readFileSync(file, "utf8");
      return text.includes(`"${title}`) || text.includes(`\`${title}`)
        ? []
        : [`${rule}: no test "${title}" in ${file}`];
    });

    expect(wrong).toEqual([]);
  });
});
