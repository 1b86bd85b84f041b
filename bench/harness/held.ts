import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const holding = fileURLToPath(new URL("../servers/holding.js", import.meta.url));

/**
 * Growth of the resident memory per buffered span, in bytes, for each round. Each round starts a new process, which buffers `spans` spans
 * from these bodies; repeated bodies get new trace ids.
 */
export function heldBytes(bodies: readonly Uint8Array[], spans: number, rounds: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
  try {
    const files = bodies.map((body, index) => {
      const file = join(folder, String(index));
      writeFileSync(file, body);
      return file;
    });
    return Array.from({ length: rounds }, () => {
      const output = execFileSync(process.execPath, ["--expose-gc", holding, String(spans), ...files]);
      return (JSON.parse(output.toString()) as { held: number }).held;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
