import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const page = readFileSync("test/runs/habits.md", "utf8");
const rows = [...page.matchAll(/^\| ([JPQ]\d+) \| (.+?) \| (.+?) \|$/gm)].map(([, id = "", , held = ""]) => ({
  id,
  held,
}));
const suites: Record<string, string> = {
  quirks: readFileSync("test/runs/quirks.test.ts", "utf8"),
  conventions: readFileSync("test/runs/conventions.test.ts", "utf8"),
  noise: readFileSync("test/runs/noise.test.ts", "utf8"),
};

describe("test/runs/habits.md", () => {
  it("lists every numbered habit once", () => {
    const ids = (letter: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
    expect(rows.map(({ id }) => id)).toEqual([...ids("J", 31), ...ids("P", 40), ...ids("Q", 33)]);
  });

  it.each(rows)("$id is held by tests that are there, or says why not: $held", ({ held }) => {
    expect(held.startsWith("not held: ") ? [] : held.split(", ").filter((one) => !isThere(one))).toEqual([]);
  });
});

function isThere(reference: string): boolean {
  const [kind = "", name = ""] = reference.split(": ");
  if (kind === "fixture") {
    const [folder = "", file = ""] = name.split("/");
    return existsSync(`adapters/${folder}/fixtures/${file}.expected.json`);
  }
  if (kind === "file") return existsSync(name);
  return new RegExp(`"(?:\\w+, )*${name}[:,]`).test(suites[kind] ?? "");
}
