import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { blocksIn, runBlock } from "./shell.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * docs/agents/coding.md, followed to the letter: each spec is written, each command is run on the recorded session, and prints the lines that
 * the page shows after it.
 */

interface Step {
  readonly command: string;
  readonly exit: number;
  /** Lines of the output, in order; each may go on. */
  readonly prints: readonly string[];
}

interface Section {
  readonly agent: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly steps: readonly Step[];
}

function sectionOf(text: string): Section {
  const [agent = ""] = text.split("\n");
  const blocks = blocksIn(text);
  const files = blocks.flatMap((block) =>
    block.file === undefined ? [] : [{ name: block.file, text: block.text }],
  );
  const steps = blocks.flatMap(({ language, exit, text: command }, at): Step[] => {
    if (language !== "sh") return [];
    const next = blocks[at + 1];
    const said = next?.language === "text" ? next.text : "";
    return [{ command, exit, prints: said.split("\n").filter((line) => line.trim() !== "") }];
  });
  return { agent, files, steps };
}

const sections = readFileSync("docs/agents/coding.md", "utf8")
  .split(/^## /m)
  .slice(1)
  .map(sectionOf)
  .filter(({ files }) => files.length > 0);

describe.each(sections)("$agent", ({ files, steps }) => {
  const folder = temporaryFolder();
  beforeAll(() => {
    for (const name of ["bin", "dist", "node_modules", "config", "package.json", "test"])
      symlinkSync(resolve(name), join(folder, name));
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
  });

  test("has specs of three lines", () => {
    expect(files.map(({ text }) => text.trimEnd().split("\n").length)).toEqual(files.map(() => 3));
  });

  test.each(steps)("$command", async ({ command, exit, prints }) => {
    const { status, stdout, stderr } = await runBlock(command, folder, false);
    expect({ status, said: status === exit ? "" : stdout + stderr }).toEqual({ status: exit, said: "" });
    const lines = stdout.split("\n");
    let from = 0;
    const missing = prints.filter((print) => {
      const at = lines.findIndex((line, index) => index >= from && line.startsWith(print));
      if (at >= 0) from = at + 1;
      return at < 0;
    });
    expect({ missing, said: missing.length === 0 ? "" : stdout }).toEqual({ missing: [], said: "" });
    expect(prints.length).toBeGreaterThan(0);
  });
});

test("every agent with a spec has a recorded session", () => {
  expect(sections.length).toBeGreaterThan(5);
});
