import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commandsOf, proofOf, rowsOf } from "../parity/page.ts";

const rows = rowsOf();

/** The commands of docs/commands.md, which is made of the code, with what each takes. */
const commands = new Map(
  readFileSync("docs/commands.md", "utf8")
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf("\n")), text] as const),
);

describe("docs/parity.md", () => {
  test("has rows of all four systems", () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(new Set(rows.map(({ section }) => section)).size).toBe(12);
  });

  test("names a command that reaches the rule in every row, or says why none does", () => {
    expect(rows.filter((row) => commandsOf(row).length === 0 && row.decision === "")).toEqual([]);
    expect(rows.filter((row) => commandsOf(row).length === 0 && row.command !== "none")).toEqual([]);
  });

  test("names only commands and options that are there", () => {
    const wrong = rows.flatMap((row) =>
      commandsOf(row).flatMap((command) => {
        const [name = "", ...words] = command.split(" ");
        const known = commands.get(name);
        if (known === undefined) return [`${row.rule}: no command ${name}`];
        const options = words.filter((word) => word.startsWith("--"));
        return options.filter(
          (option) => !known.includes(`\`${option} `) && !known.includes(`\`${option}\``),
        );
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("has a test in test/parity for every row with a command, and none for others", () => {
    const unproved = rows.filter((row) => commandsOf(row).length > 0 !== (proofOf(row) !== undefined));
    expect(unproved.map(({ section, rule }) => `${section}: ${rule}`)).toEqual([]);
  });
});
