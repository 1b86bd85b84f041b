import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Returns the ids of running processes that `root` started: its process group, its descendants outside of the
 * group, and on Linux processes with `mark` (`NAME=value`) in their environment.
 */
export function processesOf(root: number, mark: string): readonly number[] {
  if (process.platform === "win32") return living([root]);
  const listed = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { encoding: "utf8" }).stdout ?? "";
  const processes = listed.split("\n").flatMap((line) => {
    const [pid = "", parent = "", group = "", state = ""] = line.trim().split(/\s+/);
    return pid === "" || state.startsWith("Z")
      ? []
      : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
  });
  if (processes.length === 0) return living([root]);
  const found = new Set(
    processes.filter(({ pid, group }) => group === root || pid === root).map(({ pid }) => pid),
  );
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid, parent } of processes) {
      if (!found.has(parent) || found.has(pid)) continue;
      found.add(pid);
      grown = true;
    }
  }
  const pids = processes.map(({ pid }) => pid);
  for (const pid of marked(mark, pids)) found.add(pid);
  return [...found];
}

function marked(mark: string, pids: readonly number[]): number[] {
  if (process.platform !== "linux") return [];
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").split("\u0000").includes(mark);
    } catch {
      return false;
    }
  });
}

/** Returns those of the processes that still run. */
export function living(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  if (process.platform === "win32") {
    for (const pid of pids) spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
    return;
  }
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has already ended.
    }
  }
}
