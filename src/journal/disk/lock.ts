import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode, JournalOpenError } from "./errors.ts";
import { messageOf } from "../../support/structures/error-message.ts";

/** The right to write a folder, held by one process at a time. */
export interface Lock {
  release(): Promise<void>;
}

export interface LockOptions {
  /** How often a holder shows that it lives. A holder on another machine counts as dead after three times this. */
  readonly heartbeatMs?: number;
}

interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the system's own count: a later process may have the same id. Null where it is not known. */
  readonly began: string | null;
  /** Differs between any two locks; null in locks of versions up to 0.1.0. */
  readonly id: string | null;
}

const FILE = "lock";
const HEARTBEAT_MS = 5_000;
/** How long to wait for another process that creates or removes a lock at this moment. */
const MOMENT_MS = 20;
const heldHere = new Set<string>();

/** Takes over the lock of a process that is no more. Rejects with `JournalOpenError` while another one holds it. */
export async function acquireLock(
  folder: string,
  { heartbeatMs = HEARTBEAT_MS }: LockOptions = {},
): Promise<Lock> {
  const path = join(folder, FILE);
  const key = resolve(folder);
  if (heldHere.has(key)) throw inUse(folder, "this process");
  heldHere.add(key);
  const id = randomUUID();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await write(path, id, folder, heartbeatMs);
  } catch (error) {
    heldHere.delete(key);
    throw error instanceof JournalOpenError ? error : cannotWrite(folder, error);
  }
  const beat = setInterval(() => void touch(path), heartbeatMs).unref();
  return {
    async release() {
      clearInterval(beat);
      heldHere.delete(key);
      const holder = await readHolder(path);
      // Another machine takes over what a process that slept for long seemed to have left.
      if (holder === null || holder.id === id) await rm(path, { force: true }).catch(() => undefined);
    },
  };
}

async function write(path: string, id: string, folder: string, heartbeatMs: number): Promise<void> {
  for (let waitedMs = 0; ;) {
    if (await create(path, id)) return;
    const holder = await readHolder(path);
    if (await isDead(holder, path, heartbeatMs)) {
      await removeDead(path, heartbeatMs);
      continue;
    }
    if (holder?.host === hostname() || waitedMs > 3 * heartbeatMs) throw inUse(folder, nameOf(holder));
    const waitMs = holder === null ? Math.min(MOMENT_MS, heartbeatMs) : heartbeatMs;
    await sleep(waitMs);
    waitedMs += waitMs;
  }
}

/** False when there is such a file. */
async function create(path: string, id: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    const me: LockOwner = { pid: process.pid, host: hostname(), began: await beginOf(process.pid), id };
    await file.writeFile(JSON.stringify(me)).catch(() => undefined); // on a full disk the empty file is the lock
    await file.close();
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return false;
  }
}

/**
 * Removes the lock of a dead process. One process at a time may do so, or one would remove what another has just created: the right to it is
 * a lock of its own, which is taken over in the same way when its holder died. A dead process's lock stays as it is until then.
 */
async function removeDead(path: string, heartbeatMs: number): Promise<void> {
  const claim = `${path}.takeover`;
  if (!(await create(claim, randomUUID()))) {
    if (await isDead(await readHolder(claim), claim, heartbeatMs)) await removeDead(claim, heartbeatMs);
    else await sleep(MOMENT_MS);
    return;
  }
  try {
    if (await isDead(await readHolder(path), path, heartbeatMs)) await rm(path, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
}

async function isDead(holder: LockOwner | null, path: string, heartbeatMs: number): Promise<boolean> {
  if (holder === null || holder.host !== hostname()) return (await ageMs(path)) > 3 * heartbeatMs;
  if (holder.pid === process.pid) return true; // of a former process with our id; we hold it ourselves only if `heldHere` says so
  const began = await beginOf(holder.pid);
  return !isAlive(holder.pid) || (began !== null && holder.began !== null && began !== holder.began);
}

async function readHolder(path: string): Promise<LockOwner | null> {
  try {
    const holder: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof holder !== "object" || holder === null) return null;
    const { pid, host, began, id }: Partial<Record<keyof LockOwner, unknown>> = holder;
    if (typeof pid !== "number" || typeof host !== "string") return null;
    return {
      pid,
      host,
      began: typeof began === "string" ? began : null,
      id: typeof id === "string" ? id : null,
    };
  } catch {
    return null;
  }
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

/** 0 where there is no such file any more: it is not a dead process's, and must not be removed when it is created again. */
async function ageMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}

function nameOf(holder: LockOwner | null): string {
  return holder === null ? "another process" : `process ${holder.pid} on ${holder.host}`;
}

function inUse(folder: string, who: string): JournalOpenError {
  return new JournalOpenError(
    `${who} uses the journal in ${folder}; stop it, or set data_dir to another folder`,
    true,
  );
}

function cannotWrite(folder: string, error: unknown): JournalOpenError {
  const message = messageOf(error);
  return new JournalOpenError(
    `the journal cannot be written to ${folder} (${message}); set data_dir to a folder that can be written, or journal.durability to memory`,
  );
}
