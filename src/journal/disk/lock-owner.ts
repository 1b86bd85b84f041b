import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { errorCode } from "./errors.ts";

/** The owner of a folder's lock, as its file names it. Fields that older versions did not write are null. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the system's own count: a later process may have the same id. */
  readonly began: string | null;
  /** Differs between any two locks. */
  readonly id: string | null;
  /** The kernel that runs it, from boot to shutdown: containers of one machine share it whatever their host names. */
  readonly kernel: string | null;
  /** Process ids mean something within it only. */
  readonly pidNamespace: string | null;
  /** It has a lock of the kernel's as well. */
  readonly hasKernelLock: boolean;
  readonly sinceUnixMs: number | null;
}

/** This process as an owner. */
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
 * State of an owner without its heartbeat: `unknown` on another machine, in another PID namespace, or for an older version. Host names and
 * process ids alone are not enough, because containers and members of a StatefulSet repeat them.
 */
export async function stateOf(owner: LockOwner, me: LockOwner): Promise<"alive" | "ended" | "unknown"> {
  if (owner.kernel === null || owner.kernel !== me.kernel) return "unknown";
  if (owner.hasKernelLock && me.hasKernelLock) return "ended"; // only one process has it, and that is this one
  if (owner.pidNamespace !== me.pidNamespace) return "unknown";
  if (owner.pid === me.pid) return "ended"; // a former process with our id
  if (!isAlive(owner.pid)) return "ended";
  const began = await beginOf(owner.pid);
  return began !== null && owner.began !== null && began !== owner.began ? "ended" : "alive";
}

/** Null when there is no such file, `unreadable` for one that is empty (a full disk, or written at this moment) or no owner's. */
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

/** Only Linux has PID namespaces; elsewhere a machine has one name. */
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

/** Field 22 of Linux's /proc/PID/stat; the name of the program, which comes before it, may contain anything. */
async function beginOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
