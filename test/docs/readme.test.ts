import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { adapters } from "../../adapters/index.ts";
import { runCli } from "../support/run-cli.ts";

/*
 * What the README shows is what its commands print.
 */

const readme = readFileSync("README.md", "utf8");
const failure = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, language, text = ""]) =>
  language === "" && text.includes(" FAIL ") ? [text] : [],
)[0];
const [, command = ""] = /^tracejury (test test\/fixtures\/runs [^#\n]*)/m.exec(readme) ?? [];

test("the failure in the README is what its command prints", async () => {
  expect(failure).toBeDefined();
  const { code, stdout } = await runCli(...command.trim().split(/\s+/));
  expect(code).toBe(1);
  expect(stdout).toContain(failure);
});

test("the README counts the dialects that there are", () => {
  expect(readme).toContain(`${adapters.length} instrumentation dialects`);
});
