import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Tests write temporary files into a folder of this run, which is deleted in the end. */
export function setup(): () => void {
  // Each project of the tests sets up; they share the folder.
  if (process.env["TESTS_OUTER_TMPDIR"] !== undefined) return () => undefined;
  process.env["TESTS_OUTER_TMPDIR"] = tmpdir();
  const folder = mkdtempSync(join(tmpdir(), "tracejury-tests-"));
  // PostgreSQL does not run as root: where root runs the tests, another user must reach its data in this folder.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
