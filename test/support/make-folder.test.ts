import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, makeFolderSync } from "../../src/support/process/make-folder.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const make = {
  makeFolder: (path: string, mode?: number): Promise<void> => makeFolder(path, mode),
  makeFolderSync: (path: string, mode?: number): Promise<void> =>
    Promise.resolve().then(() => makeFolderSync(path, mode)),
};

test.each(Object.entries(make))(
  "%s creates parents with the mode, and leaves what is there",
  async (_, call) => {
    const base = temporaryFolder();
    await call(join(base, "a/b/c"), 0o700);
    for (const path of ["a", "a/b", "a/b/c"]) expect(statSync(join(base, path)).mode & 0o777).toBe(0o700);
    mkdirSync(join(base, "open"), { mode: 0o755 });
    await call(join(base, "open"), 0o700);
    expect(statSync(join(base, "open")).mode & 0o777).toBe(0o755);
    await call("/");
    await Promise.all([call(join(base, "x/y")), call(join(base, "x/z"))]);
    expect(readdirSync(join(base, "x")).sort()).toEqual(["y", "z"]);
  },
);

test.each(Object.entries(make))("%s fails at once where no folder can be", async (_, call) => {
  const base = temporaryFolder();
  writeFileSync(join(base, "file"), "");
  await expect(call(join(base, "file"))).rejects.toThrow("EEXIST");
  await expect(call(join(base, "file/a/b"))).rejects.toThrow("ENOTDIR");
});

// Node's own recursive mkdir never returns here.
test.skipIf(!existsSync("/proc/self")).each(Object.entries(make))(
  "%s fails at once below /proc",
  async (_, call) => {
    await expect(call("/proc/no-such/a/b")).rejects.toThrow(/ENOENT|EACCES/);
  },
);

test("no folder is created by Node's recursive mkdir", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const found = sources.filter((name) =>
    /mkdir(?:Sync)?\([^;]*recursive: true/.test(readFileSync(join("src", name), "utf8")),
  );
  expect(found).toEqual([]);
});
