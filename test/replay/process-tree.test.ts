import { spawn, spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { processesOf, signalAll } from "../../src/support/process/processes.ts";
import { ProcessTree } from "../../src/support/process/process-tree.ts";
import { until } from "../support/eventually.ts";

test("what a command printed is there when it has ended, also where this process was busy meanwhile", async () => {
  const outputs: string[] = [];
  for (let round = 0; round < 5; round++) {
    const tree = new ProcessTree("echo first; echo last >&2; exit 3", {
      env: process.env,
      cwd: process.cwd(),
    });
    // Until the command has ended, this process reads nothing and learns nothing of its end.
    spawnSync(process.execPath, ["--version"]);
    expect(await tree.ended).toEqual({ exitCode: 3, signal: null, error: null });
    await tree.end(0);
    outputs.push(tree.output);
  }
  expect(outputs.filter((text) => !text.includes("first") || !text.includes("last"))).toEqual([]);
});

test("a process that is out of sight and holds the output open is not waited for without end", async () => {
  const tree = new ProcessTree("env -i setsid sleep 600 & echo $!", {
    env: process.env,
    cwd: process.cwd(),
  });
  expect(await tree.ended).toMatchObject({ exitCode: 0 });
  await tree.end(0);
  expect(tree.output).toMatch(/^\d+\n$/);
  process.kill(Number(tree.output));
});

test.each([
  ["no command", "", {}, /empty/],
  ["a command that is too long for the system", `echo ${"x".repeat(4_000_000)}`, {}, /E2BIG|ENAMETOOLONG/],
  ["a variable with a null byte", "echo", { QUERY: "a\0b" }, /null bytes/],
])("%s is reported like a program that does not start", async (_, command, env, reason) => {
  const tree = new ProcessTree(command, { env, cwd: process.cwd() });
  const { error, ...rest } = await tree.ended;
  expect(error).toMatch(reason);
  expect(rest).toEqual({ exitCode: null, signal: null });
  expect(tree.alive).toBe(false);
  await tree.end(0);
  tree.release();
});

test.skipIf(process.platform !== "linux")("Linux and ps list the same processes of a command", async () => {
  const { pid = 0 } = spawn("sleep 600 & (sleep 600 & wait) & wait", { shell: true, detached: true });
  const listed = (): readonly number[] => processesOf(pid, "TRACEJURY_CALL=none").toSorted((a, b) => a - b);
  onTestFinished(() => signalAll(listed(), "SIGKILL"));
  await until(() => listed().length === 4, "all are started");
  const onLinux = listed();
  const platform = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
  Object.defineProperty(process, "platform", { ...platform, value: "darwin" });
  try {
    expect(listed()).toEqual(onLinux);
  } finally {
    Object.defineProperty(process, "platform", platform);
  }
});
