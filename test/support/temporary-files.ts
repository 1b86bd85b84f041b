import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes a folder for all temporary files of this test run, which is deleted at the end. */
export function setup(): () => void {
  // Vitest calls this for each project; all projects share the folder.
  if (process.env["TESTS_OUTER_TMPDIR"] !== undefined) return () => undefined;
  process.env["TESTS_OUTER_TMPDIR"] = tmpdir();
  const folder = mkdtempSync(join(tmpdir(), "tracejury-tests-"));
  // PostgreSQL runs as another user if the tests run as root, and needs access to its data in this folder.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
