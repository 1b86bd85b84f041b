import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Text of `test/fixtures/golden/NAME`. With `UPDATE_GOLDEN=1`, `text` is first written to the file. */
export function golden(name: string, text: string): string {
  const file = `test/fixtures/golden/${name}`;
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return readFileSync(file, "utf8");
}
