import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Tests write temporary files into a folder of this run, which is deleted in the end. */
export function setup(): () => void {
  process.env["TESTS_OUTER_TMPDIR"] = tmpdir();
  const folder = mkdtempSync(join(tmpdir(), "tracejury-tests-"));
  // Where root runs the tests, PostgreSQL runs as somebody else, and has its data in here.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
