import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  allocatorSettings,
  restartWithAllocatorSettings,
} from "../../src/interfaces/cli/compile-cache/allocator.ts";

const serve = {
  argv: ["/usr/bin/node", "/app/bin/tracejury.js", "serve", "--config", "a b.yaml"],
  env: { PATH: "/bin" },
  execArgv: ["--max-old-space-size=300"],
  execPath: "/usr/bin/node",
  platform: "linux",
};

function restarted(current: typeof serve & { env: Record<string, string> }): readonly unknown[] | undefined {
  let call: readonly unknown[] | undefined;
  restartWithAllocatorSettings(current, (...args: readonly unknown[]) => (call = args));
  return call;
}

test("serve is restarted once, with the same arguments and the settings of the allocator", () => {
  const [file, args, env] = restarted(serve) ?? [];
  expect(file).toBe("/usr/bin/node");
  expect(args).toEqual([
    "/usr/bin/node",
    "--max-old-space-size=300",
    "/app/bin/tracejury.js",
    "serve",
    "--config",
    "a b.yaml",
  ]);
  expect(env).toEqual({ PATH: "/bin", ...allocatorSettings });
  expect(restarted({ ...serve, env: env as Record<string, string> & { PATH: string } })).toBeUndefined();
});

test("a setting of the operator stays", () => {
  const [, , env] = restarted({ ...serve, env: { PATH: "/bin", MALLOC_ARENA_MAX: "1" } }) ?? [];
  expect(env).toMatchObject({ ...allocatorSettings, MALLOC_ARENA_MAX: "1" });
});

test("a process with a channel to its parent is not restarted, which would close the channel", () => {
  expect(restarted({ ...serve, env: { PATH: "/bin", NODE_CHANNEL_FD: "3" } })).toBeUndefined();
});

test("other systems are not concerned, and a process that may not restart goes on", () => {
  expect(restarted({ ...serve, platform: "darwin" })).toBeUndefined();
  expect(() => restartWithAllocatorSettings(serve, undefined)).not.toThrow();
  const denied = (): never => {
    throw new Error("access denied");
  };
  expect(() => restartWithAllocatorSettings(serve, denied)).not.toThrow();
});

test("the image has the same settings", () => {
  const set = readFileSync("docker/Dockerfile", "utf8").match(/\bMALLOC_\w+=\d+/g) ?? [];
  expect(Object.fromEntries(set.map((one) => one.split("=")))).toEqual(allocatorSettings);
});
