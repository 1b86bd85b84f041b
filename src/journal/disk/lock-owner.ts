import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { errorCode } from "./errors.ts";

/** The owner of a folder's lock, as written in the lock file. A field that an earlier version did not write is null. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /**
   * Start time of the process, in clock ticks of the system. It distinguishes processes that had the same process id at different times.
   */
  readonly began: string | null;
  /** Unique id of the lock. */
  readonly id: string | null;
  /**
   * Id of the running kernel, which changes at each boot. Containers on one machine have the same kernel id, even if their host names
   * differ.
   */
  readonly kernel: string | null;
  /** PID namespace of the process. Process ids can be compared only within one namespace. */
  readonly pidNamespace: string | null;
  /** Whether the owner also had a kernel lock. */
  readonly hasKernelLock: boolean;
  readonly sinceUnixMs: number | null;
}

export async function describeOwner(id: string, hasKernelLock: boolean): Promise<LockOwner> {
  return {
    pid: process.pid,
    host: hostname(),
    began: await beginOf(process.pid),
    id,
    kernel: await kernelId(),
    pidNamespace: await readlink("/proc/self/ns/pid").catch(() => null),
    hasKernelLock,
    sinceUnixMs: Date.now(),
  };
}

/**
 * Returns whether an owner is alive, without using its heartbeat. `unknown`: the owner is on another machine, in another PID namespace, or
 * was written by an earlier version. Host name and process id alone do not identify an owner, because containers and StatefulSet members
 * reuse them.
 */
export async function stateOf(owner: LockOwner, me: LockOwner): Promise<"alive" | "ended" | "unknown"> {
  if (owner.kernel === null || owner.kernel !== me.kernel) return "unknown";
  // Only one process can have the kernel lock. This process has it, so the owner has ended.
  if (owner.hasKernelLock && me.hasKernelLock) return "ended";
  if (owner.pidNamespace !== me.pidNamespace) return "unknown";
  if (owner.pid === me.pid) return "ended"; // This process now has the owner's process id, so the owner has ended.
  if (!isAlive(owner.pid)) return "ended";
  const began = await beginOf(owner.pid);
  return began !== null && owner.began !== null && began !== owner.began ? "ended" : "alive";
}

/**
 * Reads the owner from a lock file. Returns null if the file does not exist. Returns `unreadable` if its content is invalid or empty, for
 * example on a full disk or while it is being written.
 */
export async function readOwner(path: string): Promise<LockOwner | "unreadable" | null> {
  try {
    return ownerIn(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    return errorCode(error) === "ENOENT" ? null : "unreadable";
  }
}

function ownerIn(value: unknown): LockOwner | "unreadable" {
  if (typeof value !== "object" || value === null) return "unreadable";
  const found: Partial<Record<keyof LockOwner, unknown>> = value;
  const { pid, host, sinceUnixMs } = found;
  if (typeof pid !== "number" || typeof host !== "string") return "unreadable";
  const text = (one: unknown): string | null => (typeof one === "string" ? one : null);
  return {
    pid,
    host,
    began: text(found.began),
    id: text(found.id),
    kernel: text(found.kernel),
    pidNamespace: text(found.pidNamespace),
    hasKernelLock: found.hasKernelLock === true,
    sinceUnixMs: typeof sinceUnixMs === "number" ? sinceUnixMs : null,
  };
}

/**
 * Returns the id of the running kernel; null if unknown. On systems other than Linux, which have no PID namespaces, returns the host name.
 */
async function kernelId(): Promise<string | null> {
  if (process.platform !== "linux") return `${process.platform} ${hostname()}`;
  const id = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => null);
  return id?.trim() ?? null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * Returns the start time of a process, in clock ticks; null if unknown. It is field 22 of Linux's /proc/PID/stat. Fields are counted after
 * the last `)`, because field 2, the program name, can contain blanks and brackets.
 */
async function beginOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
