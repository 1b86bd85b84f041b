import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runBlock } from "./shell.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The commands of the tutorial, block by block, with the exit code that the text announces. */
const blocks = [
  ...readFileSync("docs/tutorial.md", "utf8").matchAll(/^```sh([^\n]*)\n([\s\S]*?)^```$/gm),
].map(([, info = "", commands = ""]) => ({
  setup: info.includes("setup"),
  exit: Number(/exit=(\d)/.exec(info)?.[1] ?? 0),
  commands,
}));

const clone = temporaryFolder();
let said = "";
beforeAll(() => {
  for (const name of ["bin", "dist", "docs", "node_modules", "config", "package.json"]) {
    symlinkSync(resolve(name), join(clone, name));
  }
});

describe("the tutorial, followed to the letter", () => {
  test("sets up with what package.json has", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(blocks.filter(({ setup }) => setup).map(({ commands }) => commands)).toEqual([
      expect.stringMatching(/^npm start {2,}# [^\n]*\n$/),
    ]);
    expect(scripts).toHaveProperty("start");
  });

  test.each(blocks.filter(({ setup }) => !setup))("$commands ends with $exit", async ({ commands, exit }) => {
    // An alias holds in a shell that is used by hand; here each block has a shell of its own.
    const script = commands.replace(/^alias .*$/m, "");
    const { status, stdout, stderr } = await runBlock(script, clone, exit === 0);
    said += stdout;
    expect({ status, said: status === exit ? "" : stdout + stderr }).toEqual({ status: exit, said: "" });
  });

  test("shows what it says it shows", () => {
    expect(said).toMatch(/FORBIDDEN TOOL: web_search was called and is forbidden/);
    expect(said).toMatch(/Tool calls: +3 → 0/);
    expect(readFileSync(join(clone, "tutorial/report.html"), "utf8").includes("Tracejury: passed")).toBe(
      true,
    );
  });
});
