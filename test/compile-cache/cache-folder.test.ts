import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Machine, openCacheFolder } from "../../src/interfaces/cli/compile-cache/cache-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const uid = process.getuid?.();

function machine(env: NodeJS.ProcessEnv, other: Partial<Machine> = {}): Machine {
  return { env, platform: "linux", uid, ...other };
}

describe("the folder for compiled code", () => {
  test.each<[string, NodeJS.Platform, (folder: string) => NodeJS.ProcessEnv, string]>([
    ["Linux", "linux", (HOME) => ({ HOME }), ".cache/tracejury"],
    ["XDG_CACHE_HOME", "linux", (HOME) => ({ HOME, XDG_CACHE_HOME: join(HOME, "xdg") }), "xdg/tracejury"],
    [
      "an XDG_CACHE_HOME that is no absolute path",
      "linux",
      (HOME) => ({ HOME, XDG_CACHE_HOME: "xdg" }),
      ".cache/tracejury",
    ],
    ["macOS", "darwin", (HOME) => ({ HOME }), "Library/Caches/tracejury"],
    ["Windows", "win32", (LOCALAPPDATA) => ({ LOCALAPPDATA }), "tracejury"],
  ])("%s: is where the platform keeps what can be computed again", (_, platform, env, expected) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "Library"));

    expect(openCacheFolder(machine(env(folder), { platform }))).toBe(join(folder, expected));
  });

  test("is created for its owner only, whatever the umask, and opened again", () => {
    const HOME = temporaryFolder();
    const before = process.umask(0);
    try {
      const folder = openCacheFolder(machine({ HOME })) ?? "";
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(openCacheFolder(machine({ HOME }))).toBe(folder);
    } finally {
      process.umask(before);
    }
  });

  test.each(["770", "702"])("a cache folder that others can write is refused: mode %s", (mode) => {
    const HOME = temporaryFolder();
    mkdirSync(join(HOME, ".cache/tracejury"), { recursive: true });
    chmodSync(join(HOME, ".cache/tracejury"), Number.parseInt(mode, 8));

    expect(openCacheFolder(machine({ HOME }))).toBeUndefined();
  });

  test("is refused where it belongs to another user", () => {
    const HOME = temporaryFolder();
    mkdirSync(join(HOME, ".cache/tracejury"), { recursive: true, mode: 0o700 });

    expect(openCacheFolder(machine({ HOME }, { uid: (uid ?? 0) + 1 }))).toBeUndefined();
  });

  test("is refused where it is a link, even to a folder of the user", () => {
    const HOME = temporaryFolder();
    mkdirSync(join(HOME, "elsewhere"), { mode: 0o700 });
    mkdirSync(join(HOME, ".cache"));
    symlinkSync(join(HOME, "elsewhere"), join(HOME, ".cache/tracejury"));

    expect(openCacheFolder(machine({ HOME }))).toBeUndefined();
  });

  test("is not created in the home of another user, as with sudo", () => {
    const HOME = temporaryFolder();

    expect(openCacheFolder(machine({ HOME }, { uid: (uid ?? 0) + 1 }))).toBeUndefined();
    expect(existsSync(join(HOME, ".cache"))).toBe(false);
  });

  test("does not bring a home folder into being", () => {
    const HOME = join(temporaryFolder(), "nonexistent");

    expect(openCacheFolder(machine({ HOME }))).toBeUndefined();
    expect(existsSync(HOME)).toBe(false);
  });

  test("is none where a file is in its place, or nothing says where it is", () => {
    const HOME = temporaryFolder();
    writeFileSync(join(HOME, ".cache"), "");

    expect(openCacheFolder(machine({ HOME }))).toBeUndefined();
    expect(openCacheFolder(machine({}))).toBeUndefined();
    expect(openCacheFolder(machine({}, { platform: "win32" }))).toBeUndefined();
  });
});
