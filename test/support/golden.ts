import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What `test/fixtures/golden/NAME` holds; with `UPDATE_GOLDEN=1` the text is written there first. */
export function golden(name: string, text: string): string {
  const file = `test/fixtures/golden/${name}`;
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return readFileSync(file, "utf8");
}
