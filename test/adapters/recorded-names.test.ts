import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** Names that occur in the recordings by which the reading of dialects is measured: code that knew one would know the answers. */
const names = JSON.parse(readFileSync("test/adapters/recorded-names.json", "utf8")) as Record<
  string,
  string[]
>;

/** Where a name stands for something else. */
const excepted: readonly (readonly [file: string, name: string, why: string])[] = [
  ["src/spec/spec-names.ts", "rag-agent", "the example's spec, in a comment"],
  ["src/config/command-settings.ts", "rag-agent", "an example's file, in a message"],
  ["src/evaluate/checks/path/tools/tool-categories.ts", "read_file", "usual names of tools, by category"],
  ["src/evaluate/checks/path/tools/tool-categories.ts", "write_file", "usual names of tools, by category"],
];

describe("the names of the recordings", () => {
  // The command line, the library's entry points and the reference show examples, and there is a demo: they name files of ours.
  const isExample = (path: string) =>
    path.startsWith("src/interfaces/cli/") ||
    path === "src/collector/terminal/demo.ts" ||
    /^src\/[^/]+$/.test(path) ||
    path === "src/spec/reference/reference-prose.ts";
  const files = [...textsIn("adapters"), ...textsIn("src")].filter(({ path }) => !isExample(path));

  it.each(Object.keys(names))("%s are in no adapter and nowhere in the source", (kind) => {
    const found = (names[kind] ?? []).flatMap((name) => {
      const word = new RegExp(`(?<![\\w-])${name}(?![\\w-])`);
      return files
        .filter(
          ({ path, text }) =>
            word.test(text) && !excepted.some(([file, other]) => file === path && other === name),
        )
        .map(({ path }) => `${path}: ${name}`);
    });
    expect(found).toEqual([]);
  });

  it.each(excepted)("the exception for %s still applies: %s", (file, name) => {
    expect(readFileSync(file, "utf8")).toContain(name);
  });
});

function textsIn(folder: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "fixtures" ? [] : textsIn(path);
    return /\.(?:ts|md)$/.test(entry.name) ? [{ path, text: readFileSync(path, "utf8") }] : [];
  });
}
