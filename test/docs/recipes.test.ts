import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { blocksIn, runBlock } from "./shell.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * Pages whose blocks are followed to the letter: a block with `file=NAME` is written, a block of `sh` is run and ends with `exit=CODE`.
 */
const pages = `docs/configuration.md docs/spec.md docs/ci.md docs/commands.md docs/conversations.md
docs/dialects.md docs/dumps.md docs/first-spec.md docs/own-checks.md docs/parity.md docs/promote.md docs/runs.md
docs/scale.md docs/security.md docs/statistics.md docs/tables.md docs/trends.md`.split(/\s/);

describe.each(pages)("%s, followed to the letter", (page) => {
  const folder = temporaryFolder();
  beforeAll(() => {
    for (const name of ["bin", "dist", "docs", "node_modules", "config", "package.json", "test"])
      symlinkSync(resolve(name), join(folder, name));
    cpSync("specs", join(folder, "specs"), { recursive: true });
  });

  const blocks = blocksIn(readFileSync(page, "utf8")).filter(
    ({ language, file }) => language === "sh" || file !== undefined,
  );

  test("has commands", () => {
    expect(blocks.some(({ language }) => language === "sh")).toBe(true);
  });

  test.each(blocks)("$language $file $text", async ({ file, text, exit }) => {
    if (file !== undefined) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
      return;
    }
    const { status, stdout, stderr } = await runBlock(text, folder, exit === 0);
    expect({ status, said: status === exit ? "" : stdout + stderr }).toEqual({ status: exit, said: "" });
  });
});
