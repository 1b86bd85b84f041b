import { spawnSync } from "node:child_process";

/** Tests that start processes and threads start what is built: compiled but not joined, each takes a second longer. */
export function setup(): void {
  const { status } = spawnSync(process.execPath, ["bin/ensure.js"], { stdio: "inherit" });
  if (status !== 0) throw new Error("the command could not be built");
}
