import type { ChildProcess } from "node:child_process";

/** Ends the process group of a check, because its child processes can outlive it. */
export function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-pid, "SIGKILL");
  } catch {
    // The signal fails if the process group has already ended.
  }
}
