import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { acquireLock, HeartbeatWatch, type LockOptions } from "../../src/journal/disk/lock.ts";
import { describeOwner } from "../../src/journal/disk/lock-owner.ts";
import { nodeDisk } from "../../src/journal/disk/node-disk.ts";
import { ownedDisk } from "../../src/journal/disk/owned-disk.ts";
import { repeating } from "../support/eventually.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** No process has this id: Linux gives at most 2^22. */
const DEAD = 2 ** 22 + 17;
const inNamespace = ["unshare", "-p", "--fork", "--kill-child"];
const hasNamespaces = spawnSync("unshare", ["-p", "--fork", "true"]).status === 0;
const heartbeatOnly: LockOptions = { isHeartbeatOnly: true, heartbeatMs: 100 };
const lockKinds = [
  ["a lock of the kernel's", {}],
  ["a heartbeat only", heartbeatOnly],
] as const;

interface Answer {
  readonly holds: boolean;
  readonly why?: string;
  readonly pid: number;
}

/** What an owner leaves that ended here. */
const ended = { ...(await describeOwner("ended", false)), pid: DEAD, began: "1" };

function leaveLock(path: string, owner: object = ended, name = "lock"): void {
  writeFileSync(join(path, name), JSON.stringify(owner));
}

/** Shows life for another owner until the test ends. */
function keepAlive(path: string, owner: object, atUnixMs: () => number = Date.now): void {
  leaveLock(path, owner);
  const end = repeating(20, () => {
    const at = new Date(atUnixMs());
    utimesSync(join(path, "lock"), at, at);
  });
  onTestFinished(end);
}

/** A process that takes locks, until the test ends. */
async function contender(under: readonly string[] = []): Promise<ChildProcess> {
  const child = await started(under);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function started(under: readonly string[] = []): Promise<ChildProcess> {
  const file = fileURLToPath(new URL("lock-contender.js", import.meta.url));
  const [program, ...words] = [...under, process.execPath, file];
  const child = spawn(program, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  await once(child, "message");
  return child;
}

async function ask(child: ChildProcess, question: object): Promise<Answer> {
  const answer = once(child, "message") as Promise<[Answer]>;
  child.send(question);
  return (await answer)[0];
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

describe("the lock of a journal that several processes want at once", () => {
  let children: readonly ChildProcess[] = [];
  beforeAll(async () => {
    children = await Promise.all(Array.from({ length: 4 }, () => started()));
  });
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
  });

  test.each(
    lockKinds.flatMap(([kind, options]) =>
      ["the lock", "the lock and the claim to remove it"].map((left) => [kind, left, options] as const),
    ),
  )(
    "with %s: of several processes that find %s of a dead process, exactly one takes it over",
    async (_, left, options) => {
      const path = temporaryFolder();
      for (let round = 0; round < 8; round++) {
        leaveLock(path);
        if (left !== "the lock") leaveLock(path, ended, "lock.takeover");
        // More processes than cores begin less closely together.
        const contenders = children.slice(0, round % 2 === 0 ? 2 : 4);
        const startLine = { folder: temporaryFolder(), count: contenders.length };
        const all = (question: object) =>
          Promise.all(contenders.map((child) => ask(child, { ...question, folder: path, options })));
        const holding = (await all({ take: true, startLine })).filter(({ holds }) => holds).length;
        expect([round, holding]).toEqual([round, 1]);
        await all({ take: false });
        expect(readdirSync(path).filter((name) => name !== "lock.db")).toEqual([]);
      }
    },
  );
});

describe("the lock of a journal", () => {
  test.each(lockKinds)(
    "with %s: the message names the owner, its host, its age and what to do",
    async (_, options) => {
      const path = temporaryFolder();
      const child = await contender();
      const { pid } = await ask(child, { take: true, folder: path, options });
      await expect(acquireLock(path, options)).rejects.toThrow(
        new RegExp(
          `^process ${pid} on ${hostname()} \\(since \\d{4}-.*, last heartbeat \\d+ s ago\\) uses the journal in ${path}; end that process, or set data_dir`,
        ),
      );
    },
  );

  test.each(lockKinds)("with %s: is taken over from a process that was killed", async (_, options) => {
    const path = temporaryFolder();
    const child = await contender();
    expect(await ask(child, { take: true, folder: path, options })).toMatchObject({ holds: true });
    await killed(child);
    const lock = await acquireLock(path, options);
    expect(JSON.parse(readFileSync(join(path, "lock"), "utf8"))).toMatchObject({ pid: process.pid });
    await lock.release();
  });

  test.skipIf(!hasNamespaces).each(lockKinds)(
    "with %s: two containers with one host name and one process id do not share a folder, until one is killed",
    async (_, options) => {
      const path = temporaryFolder();
      const [first, second] = [await contender(inNamespace), await contender(inNamespace)];
      const question = { take: true, folder: path, options };
      const held = await ask(first, question);
      const refused = await ask(second, question);
      expect([held.holds, refused.holds, held.pid]).toEqual([true, false, refused.pid]);
      expect(refused.why).toContain(`process ${held.pid} on ${hostname()}`);
      await expect(acquireLock(path, options)).rejects.toThrow("end that process");

      await killed(first);
      await expect.poll(async () => (await ask(second, question)).holds).toBe(true);
    },
  );

  test.each([
    ["of a version before", { pid: DEAD, host: hostname() }],
    [
      "on another machine",
      { pid: 1, host: "another", id: "other", kernel: "another", pidNamespace: "pid:[1]" },
    ],
    ["of this very id in another container", { ...ended, pid: process.pid, pidNamespace: "pid:[1]" }],
  ])(
    "the lock of an owner %s is respected while its heartbeat continues, whatever its clock says",
    async (_, owner) => {
      for (const skewMs of [0, -3_600_000, 3_600_000]) {
        const path = temporaryFolder();
        keepAlive(path, owner, () => Date.now() + skewMs);
        await expect(acquireLock(path, { heartbeatMs: 100 })).rejects.toThrow("to take over at once");
      }
    },
  );

  test.each([
    ["an hour ago", -3_600_000],
    ["just now", 0],
    ["in an hour, as a clock says that jumped", 3_600_000],
  ])(
    "of another machine that last showed life %s is taken over once it has shown none here",
    async (_, at) => {
      const path = temporaryFolder();
      leaveLock(path, { pid: 1, host: "another" });
      const then = new Date(Date.now() + at);
      utimesSync(join(path, "lock"), then, then);
      const lock = await acquireLock(path, { heartbeatMs: 100 });
      await lock.release();
      expect(existsSync(join(path, "lock"))).toBe(false);
    },
  );

  test("the former owner of a lock neither removes the new lock nor changes any file in the folder", async () => {
    const path = temporaryFolder();
    const lock = await acquireLock(path, heartbeatOnly);
    const disk = ownedDisk(nodeDisk(path), lock);
    const file = await disk.create("one");
    await file.append([Buffer.from("before")]);
    leaveLock(path, { ...ended, id: "new owner", pid: 7, host: "b" });

    for (const change of [
      () => disk.remove("one"),
      () => disk.rename("one", "other"),
      () => disk.truncate("one", 1),
      () => disk.create("two"),
      () => disk.reopen("one"),
      () => file.append([Buffer.from("after")]),
      () => file.truncate(0),
    ])
      await expect(change()).rejects.toThrow(/process 7 on b .*has taken over/);
    await file.close();
    await lock.release();

    expect(readFileSync(join(path, "one"), "utf8")).toBe("before");
    expect(readdirSync(path)).toEqual(["lock", "one"]);
  });

  test("comes back when its file is removed and nobody takes it", async () => {
    const path = temporaryFolder();
    const lock = await acquireLock(path, heartbeatOnly);
    rmSync(join(path, "lock"));
    await lock.confirm(true);
    expect(JSON.parse(readFileSync(join(path, "lock"), "utf8"))).toMatchObject({ pid: process.pid });
    await lock.release();
  });

  test("an owner ends by silence, measured here, and lives by any change", async () => {
    const path = join(temporaryFolder(), "file");
    let nowMs = 0;
    const watch = new HeartbeatWatch(15_000, () => nowMs);
    expect(await watch.look(path)).toBe("gone");
    writeFileSync(path, "");
    expect(await watch.look(path)).toBe("waiting");
    nowMs = 15_000;
    expect(await watch.look(path)).toBe("waiting");
    nowMs = 15_001;
    expect(await watch.look(path)).toBe("silent");
    utimesSync(path, 1, 1);
    expect(await watch.look(path)).toBe("beats");
  });
});
