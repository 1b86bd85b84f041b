import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createProgram } from "../../src/interfaces/cli/main.ts";
import { renderCommandReference } from "../../src/interfaces/cli/declare/reference.ts";
import { capturedIo } from "../../src/support/process/captured-io.ts";

const page = readFileSync("docs/commands.md", "utf8");

test("docs/commands.md is what the code says (npm run generate)", () => {
  const program = createProgram(capturedIo({}, ".").io, () => undefined);
  expect(page).toBe(renderCommandReference(program));
});

test("every command has an example", () => {
  const sections = page.split(/^## /m).slice(1);
  expect(sections.length).toBeGreaterThan(20);
  for (const section of sections) expect(section).toMatch(/^```bash\ntracejury /m);
});
