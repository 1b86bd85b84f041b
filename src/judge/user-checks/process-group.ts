import type { ChildProcess } from "node:child_process";

/** Ends the process group of a check, because child processes of the check can outlive the check. */
export function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-pid, "SIGKILL");
  } catch {
    // Sending the signal fails if the process group has already ended.
  }
}
