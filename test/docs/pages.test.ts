import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/*
 * Every page of docs/ begins with what its reader can do after it, and its prose has lines of at most 100 columns.
 */

const MOST_COLUMNS = 100;

/** Lists of pages and facts, which are looked up and not read. */
const lists = ["docs/conformance.md", "docs/agents/README.md"];

const pages = ["docs", "docs/agents"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

describe.each(pages)("%s", (page) => {
  const text = readFileSync(page, "utf8").replace(/^<!--.*-->\n/m, "");

  test("begins with what its reader can do after it", () => {
    const beginning = text.split(/^## /m)[0] ?? "";
    const says = lists.includes(page) ? /\b(?:you|page)\b/ : /\b[Aa]fter\s+(?:this\s+page|it)\b|^This page/m;
    expect(beginning).toMatch(says);
  });

  test("has lines that fit a screen", () => {
    const prose = text.replaceAll(/^ *```[^]*?^ *```$/gm, "").split("\n");
    expect(prose.filter((line) => line.length > MOST_COLUMNS && !/^\s*(?:\||<|!?\[|`")/.test(line))).toEqual(
      [],
    );
  });
});
