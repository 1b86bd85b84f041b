import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/main.ts";
import { renderCommandReference } from "../../src/cli/declare/reference.ts";
import { capturedIo } from "../../src/process/captured-io.ts";

const page = readFileSync("docs/commands.md", "utf8");

test("docs/commands.md is what the code says (npm run generate)", () => {
  const program = createProgram(capturedIo({}, ".").io, () => undefined);
  expect(page).toBe(renderCommandReference(program));
});

test("every command has an example", () => {
  const sections = page.split(/^## /m).slice(1);
  expect(sections.length).toBeGreaterThan(20);
  for (const section of sections) expect(section).toMatch(/^```sh\ntracejury /m);
});
