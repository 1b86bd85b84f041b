import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { acquireLock } from "../../src/journal/disk/lock.ts";

/** No process has this id: Linux gives at most 2^22. */
const DEAD = 2 ** 22 + 17;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "tracejury-lock-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function leaveLock(path: string, name = "lock", pid = DEAD, host = hostname()): void {
  writeFileSync(join(path, name), JSON.stringify({ pid, host, began: "1" }));
}

async function contender(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL("lock-contender.js", import.meta.url)));
  onTestFinished(() => void child.kill());
  await once(child, "message");
  return child;
}

/** How many of them hold the lock afterwards. */
async function ask(
  children: readonly ChildProcess[],
  question: { take: boolean; folder: string },
): Promise<number> {
  const answers = children.map((child) => once(child, "message") as Promise<[{ holds: boolean }]>);
  for (const child of children) child.send(question);
  return (await Promise.all(answers)).filter(([{ holds }]) => holds).length;
}

describe("the lock of a journal", () => {
  test.each(["the lock", "the lock and the claim to remove it"])(
    "of several processes that find %s of a dead process, exactly one gets it",
    async (left) => {
      const children = await Promise.all(Array.from({ length: 4 }, contender));
      const path = folder();
      for (let round = 0; round < 40; round++) {
        leaveLock(path);
        if (left !== "the lock") leaveLock(path, "lock.takeover");
        expect([round, await ask(children, { take: true, folder: path })]).toEqual([round, 1]);
        await ask(children, { take: false, folder: path });
        expect(readdirSync(path)).toEqual([]);
      }
    },
  );

  test("is not removed by a process that lost it to another meanwhile", async () => {
    const path = folder();
    const lock = await acquireLock(path);
    leaveLock(path);
    await lock.release();

    expect(existsSync(join(path, "lock"))).toBe(true);
  });

  test("of a version before 0.1.0 counts as well: while its process lives, and after it died", async () => {
    const path = folder();
    leaveLock(path, "lock", process.ppid);
    const held = readFileSync(join(path, "lock"), "utf8");
    const { began: _, ...unknownBegin } = JSON.parse(held) as Record<string, unknown>;
    writeFileSync(join(path, "lock"), JSON.stringify(unknownBegin));
    await expect(acquireLock(path)).rejects.toThrow(`process ${process.ppid} on`);

    leaveLock(path);
    await (await acquireLock(path)).release();
  });

  test("of another machine is taken over once it has shown no life for three heartbeats", async () => {
    const path = folder();
    leaveLock(path, "lock", 1, "another-machine");
    const longAgo = new Date(Date.now() - 1_000);
    utimesSync(join(path, "lock"), longAgo, longAgo);
    const lock = await acquireLock(path, { heartbeatMs: 100 });
    await lock.release();

    expect(existsSync(join(path, "lock"))).toBe(false);
  });
});
