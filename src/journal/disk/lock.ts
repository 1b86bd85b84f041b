import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder } from "../../support/process/make-folder.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import { errorCode, JournalOpenError, JournalUnwritable } from "./errors.ts";
import { describeOwner, type LockOwner, readOwner, stateOf } from "./lock-owner.ts";
import { findSqlite } from "../../support/process/sqlite-module.ts";

/**
 * Observes whether the owner of a lock file is alive. A change of the file shows that it is. The age of the file is not used, because
 * clocks jump and differ between machines.
 */
export class HeartbeatWatch {
  readonly #silenceMs: number;
  readonly #now: () => number;
  readonly #seen = new Map<string, { readonly mark: string; readonly sinceMs: number }>();

  /** @param silenceMs milliseconds without a heartbeat after which the owner counts as ended */
  constructor(silenceMs: number, now: () => number = () => performance.now()) {
    this.#silenceMs = silenceMs;
    this.#now = now;
  }

  /**
   * Returns what happened to the lock file since the first call for this path. `beats`: the file has changed. `gone`: the file does not
   * exist. `silent`: the file has not changed for `silenceMs`. `waiting`: the file has not changed, but `silenceMs` have not passed yet.
   */
  async look(path: string): Promise<"gone" | "waiting" | "beats" | "silent"> {
    const mark = await stat(path, { bigint: true }).then(
      ({ ino, mtimeNs }) => `${ino} ${mtimeNs}`,
      () => null,
    );
    const seen = this.#seen.get(path);
    if (mark === null) {
      this.#seen.delete(path);
      return "gone";
    }
    if (seen === undefined) {
      this.#seen.set(path, { mark, sinceMs: this.#now() });
      return "waiting";
    }
    if (seen.mark !== mark) return "beats";
    return this.#now() - seen.sinceMs > this.#silenceMs ? "silent" : "waiting";
  }

  forget(path: string): void {
    this.#seen.delete(path);
  }
}

/** The exclusive right of this process to write to a folder. */
export interface Lock {
  /**
   * Checks that this process still has the lock. Rejects with `JournalUnwritable` if another process has taken the lock over. This can
   * happen while this process is suspended, if the other process cannot see the kernel lock.
   * @param isFresh whether to check even if the last check was recent
   */
  confirm(isFresh: boolean): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  /**
   * Interval of the heartbeat in milliseconds. If the heartbeat is the only information about an owner, the owner counts as ended after
   * three intervals without a heartbeat.
   */
  readonly heartbeatMs?: number;
  /** Whether to use only the heartbeat, and no kernel lock. This is the behaviour of a Node without SQLite. */
  readonly isHeartbeatOnly?: boolean;
}

const FILE = "lock";
/** File of the kernel lock. The file stays empty, and is never deleted. */
const KERNEL_FILE = "lock.db";
const HEARTBEAT_MS = 5_000;
const BEATS_MISSED = 3;
/** Time in milliseconds to wait while another process creates or removes the lock. */
const MOMENT_MS = 20;
/**
 * Time in milliseconds for which SQLite retries if the kernel lock is busy. The lock can be busy although no process has it. If two
 * processes ask at the same moment, each can find the other's attempt, and without a retry neither would get the lock.
 */
const KERNEL_BUSY_MS = 200;
const heldHere = new Set<string>();

/**
 * Locks a folder for this process. The lock has two parts: a kernel lock, which ends with the process, and a heartbeat file for processes
 * that cannot see the kernel lock. The lock of an owner that has ended is taken over. Rejects with `JournalOpenError` if another process
 * has the lock.
 */
export async function acquireLock(folder: string, options: LockOptions = {}): Promise<Lock> {
  const key = resolve(folder);
  if (heldHere.has(key)) throw inUse(folder, "this process", "set data_dir to another folder");
  heldHere.add(key);
  let kernelLock: KernelLock | null = null;
  try {
    await makeFolder(folder, 0o700);
    kernelLock = options.isHeartbeatOnly === true ? null : await lockKernel(folder);
    const me = await describeOwner(randomUUID(), kernelLock !== null);
    const taking = new LockFile(folder, me, options.heartbeatMs ?? HEARTBEAT_MS);
    await taking.take();
    let isHeld = true;
    return taking.held(() => {
      if (!isHeld) return; // If the lock were released twice, the second release could remove the lock of the next owner.
      isHeld = false;
      kernelLock?.release();
      heldHere.delete(key);
    });
  } catch (error) {
    kernelLock?.release();
    heldHere.delete(key);
    throw error instanceof JournalOpenError ? error : cannotWrite(folder, error);
  }
}

/** Whether a process has locked the folder, or was killed while it had locked it. */
export function isLocked(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

async function lockKernel(folder: string): Promise<KernelLock | null> {
  const path = join(folder, KERNEL_FILE);
  // Creates the file with mode 0600, because SQLite would make it readable for other users.
  const file = await open(path, "a", 0o600).catch(() => null);
  await file?.close();
  const lock = acquireKernelLock(path);
  if (lock === "taken") throw await inUseBy(folder, "end that process, or set data_dir to another folder");
  return lock;
}

/** The file that names the owner of the lock. The owner changes this file periodically as a heartbeat. */
class LockFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #me: LockOwner;
  readonly #heartbeatMs: number;
  readonly #watch: HeartbeatWatch;
  #confirmedMs = 0;
  #beating: Promise<void> | undefined;
  #isLost = false;

  constructor(folder: string, me: LockOwner, heartbeatMs: number) {
    this.#folder = folder;
    this.#path = join(folder, FILE);
    this.#me = me;
    this.#heartbeatMs = heartbeatMs;
    this.#watch = new HeartbeatWatch(BEATS_MISSED * heartbeatMs);
  }

  async take(): Promise<void> {
    while (!(await this.#create(this.#path))) {
      const state = await this.#stateOf(this.#path);
      if (state === "ended") await this.#removeEnded(this.#path);
      else if (state === "alive") throw await inUseBy(this.#folder, this.#advice);
      else await sleep(Math.min(this.#heartbeatMs / 4, 250));
    }
    this.#confirmedMs = performance.now();
  }

  held(onRelease: () => void): Lock {
    const timer = setInterval(() => void this.#beat(), this.#heartbeatMs).unref();
    return {
      confirm: async (isFresh) => {
        const ageMs = performance.now() - this.#confirmedMs;
        if (isFresh || ageMs > 2 * this.#heartbeatMs) await this.#beat();
        if (this.#isLost) throw new JournalUnwritable(await this.#lostTo());
      },
      release: async () => {
        clearInterval(timer);
        await this.#beat();
        if (!this.#isLost) await rm(this.#path, { force: true }).catch(() => undefined);
        onRelease();
      },
    };
  }

  get #advice(): string {
    const waitS = Math.ceil((BEATS_MISSED * this.#heartbeatMs) / 1000);
    return `end that process, or set data_dir to another folder; if it has ended, try again ${waitS} s after its last heartbeat, or remove ${this.#path} to take over at once`;
  }

  #beat(): Promise<void> {
    return (this.#beating ??= this.#showLife().finally(() => (this.#beating = undefined)));
  }

  async #showLife(): Promise<void> {
    if (this.#isLost) return;
    const owner = await readOwner(this.#path);
    if (owner === null) {
      // The file was removed, but no other process has created it again, so this process still has the lock.
      if (!(await this.#create(this.#path).catch(() => true))) return this.#showLife();
    } else if (owner === "unreadable") {
      // The file is empty, because the disk was full when it was created.
      await writeFile(this.#path, JSON.stringify(this.#me)).catch(() => undefined);
    } else if (owner.id !== this.#me.id) {
      this.#isLost = true;
      return;
    }
    const now = new Date();
    await utimes(this.#path, now, now).catch(() => undefined);
    this.#confirmedMs = performance.now();
  }

  async #stateOf(path: string): Promise<"alive" | "ended" | "unknown"> {
    const owner = await readOwner(path);
    const known = owner === null || owner === "unreadable" ? "unknown" : await stateOf(owner, this.#me);
    if (known !== "unknown") return known;
    const seen = await this.#watch.look(path);
    return seen === "beats" ? "alive" : seen === "silent" ? "ended" : "unknown";
  }

  /** Creates the lock file. Returns false if the file already exists. */
  async #create(path: string): Promise<boolean> {
    try {
      const file = await open(path, "wx", 0o600);
      // If the disk is full, the file stays empty and is still the lock.
      await file.writeFile(JSON.stringify(this.#me)).catch(() => undefined);
      await file.close();
      return true;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      return false;
    }
  }

  /**
   * Removes the lock file of an owner that has ended. Two processes must not do this at the same time, because the second one could remove
   * a new lock. So a process may remove the file only while it owns a second lock file, `PATH.takeover`. If the owner of the second file
   * has ended, the second file is taken over, too.
   */
  async #removeEnded(path: string): Promise<void> {
    const claim = `${path}.takeover`;
    if (!(await this.#create(claim))) {
      if ((await this.#stateOf(claim)) === "ended") await this.#removeEnded(claim);
      else await sleep(MOMENT_MS);
      return;
    }
    try {
      if ((await this.#stateOf(path)) === "ended") await rm(path, { force: true });
      this.#watch.forget(path);
    } finally {
      await rm(claim, { force: true });
    }
  }

  async #lostTo(): Promise<string> {
    return `${await nameOfOwner(this.#folder)} has taken over ${this.#folder}, because this process wrote no heartbeat for too long; end one of the two processes`;
  }
}

/** Returns an error that names the owner: its process id, its host, the time of locking, and the last heartbeat. */
async function inUseBy(folder: string, advice: string): Promise<JournalOpenError> {
  return inUse(folder, await nameOfOwner(folder), advice);
}

async function nameOfOwner(folder: string): Promise<string> {
  const path = join(folder, FILE);
  const owner = await readOwner(path);
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: null }));
  if (owner === null || owner === "unreadable") return "another process";
  const { pid, host, sinceUnixMs } = owner;
  const about = [
    ...(sinceUnixMs === null ? [] : [`since ${new Date(sinceUnixMs).toISOString()}`]),
    ...(mtimeMs === null
      ? []
      : [`last heartbeat ${Math.max(0, Math.round((Date.now() - mtimeMs) / 1000))} s ago`]),
  ];
  return `process ${pid} on ${host}${about.length === 0 ? "" : ` (${about.join(", ")})`}`;
}

function inUse(
  folder: string,
  who: string,
  advice = "end that process, or set data_dir to another folder",
): JournalOpenError {
  return new JournalOpenError(`${who} uses the journal in ${folder}; ${advice}`, true);
}

function cannotWrite(folder: string, error: unknown): JournalOpenError {
  const message = messageOf(error);
  return new JournalOpenError(
    `the journal cannot be written to ${folder} (${message}); set data_dir to a folder that can be written, or journal.durability to memory`,
  );
}

/** A lock that the kernel releases when the process ends, whatever the reason is. */
interface KernelLock {
  release(): void;
}

interface LockDatabase {
  exec(sql: string): unknown;
  close(): void;
}

/**
 * Locks a file with `fcntl` or the platform's equivalent. Node cannot lock files, so SQLite is used; the file stays empty. Processes of one
 * kernel see the lock in any PID namespace. On a network file system, other machines see the lock only if the file system forwards locks.
 * @returns the lock; `taken` if another process has it; null without SQLite or file locks
 */
function acquireKernelLock(path: string): KernelLock | "taken" | null {
  const sqlite = findSqlite<LockDatabase>();
  if (sqlite === undefined) return null;
  let database: LockDatabase | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    // SQLite's own journal is in memory, so that SQLite creates no further file.
    database.exec(`PRAGMA busy_timeout = ${KERNEL_BUSY_MS}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
    const locked = database;
    return { release: () => locked.close() };
  } catch (error) {
    database?.close();
    return /locked|busy/i.test(String(error)) ? "taken" : null;
  }
}
