import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { ProcessTree } from "../../src/support/process/process-tree.ts";

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
