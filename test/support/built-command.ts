import { spawnSync } from "node:child_process";

/** Builds the command. Tests that start processes or threads use the bundle: unbundled, each start takes a second longer. */
export function setup(): void {
  const { status } = spawnSync(process.execPath, ["bin/ensure.js"], { stdio: "inherit" });
  if (status !== 0) throw new Error("bin/ensure.js failed; see its output above");
}
