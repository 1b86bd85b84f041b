import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/**
 * Returns the ids of the running processes that `root` started: its process group, and descendants outside of
 * the group. On Linux, also the processes with `mark` (`NAME=value`) in their environment; on Windows, only
 * `root`.
 */
export function processesOf(root: number, mark: string): readonly number[] {
  if (process.platform === "win32") return living([root]);
  const processes = process.platform === "linux" ? runningOnLinux() : runningElsewhere();
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

/** Reads the processes from `/proc`, as `ps` does. Starting `ps` from a process with much memory would take forty times as long. */
function runningOnLinux(): readonly Running[] {
  const names = existsSync("/proc") ? readdirSync("/proc") : [];
  return names.flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const text = readOf(name, "stat");
    // The fields follow the last bracket: the process's name, which is in brackets, may itself contain blanks and brackets.
    const [state = "Z", parent, group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || text === ""
      ? []
      : [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
  });
}

function runningElsewhere(): readonly Running[] {
  const listed = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { encoding: "utf8" }).stdout ?? "";
  return listed.split("\n").flatMap((line) => {
    const [pid = "", parent, group, state = ""] = line.trim().split(/\s+/);
    return pid === "" || state.startsWith("Z")
      ? []
      : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
  });
}

/**
 * Returns the content of a file in a process's folder; empty if the process has ended or belongs to another
 * user.
 */
function readOf(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

function marked(mark: string, pids: readonly number[]): number[] {
  if (process.platform !== "linux") return [];
  return pids.filter((pid) => readOf(pid, "environ").split("\u0000").includes(mark));
}

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
      // Ignored: the process has already ended.
    }
  }
}
