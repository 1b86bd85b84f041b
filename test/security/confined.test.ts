import {
  constants,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
  closeSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { confinedPath, openConfined, readConfined } from "../../src/support/process/confined.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
let root: string;
let outside: string;
beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder, "root");
  outside = join(folder, "outside");
  for (const path of [root, outside, join(root, "sub"), join(outside, "sub")]) mkdirSync(path);
  writeFileSync(join(root, "inside.txt"), "inside");
  writeFileSync(join(root, "sub", "inside.txt"), "inside");
  writeFileSync(join(outside, "secret.txt"), "secret");
  symlinkSync("inside.txt", join(root, "link-inside"));
  symlinkSync("../inside.txt", join(root, "sub", "up-link"));
  symlinkSync(join(outside, "secret.txt"), join(root, "link-out"));
  symlinkSync(outside, join(root, "folder-out"));
  symlinkSync("sub", join(root, "folder-inside"));
  symlinkSync(join(outside, "not-there"), join(root, "dangling"));
  symlinkSync("circle", join(root, "circle"));
});

const leaving = [
  "../outside/secret.txt",
  "..",
  "sub/../../outside/secret.txt",
  "not-there/../../outside/secret.txt",
  "link-out",
  "folder-out/secret.txt",
  "folder-out/new.txt",
  "folder-out",
  "folder-out/sub/new.txt",
  "dangling",
  "circle",
  "inside.txt\0",
];

describe("a path that leaves its root", () => {
  test.each(leaving)("%j is refused for reading and for writing", (path) => {
    expect(() => confinedPath(root, path)).toThrow(/outside|symbolic link|null/);
    expect(() => readConfined(root, path, 1_000)).toThrow(/outside|symbolic link|null/);
    expect(() => openConfined(root, path, constants.O_WRONLY | constants.O_CREAT)).toThrow(
      /outside|symbolic link|null/,
    );
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test("an absolute path is refused, even to a file inside", () => {
    for (const path of [join(outside, "secret.txt"), join(root, "inside.txt"), "/etc/hostname"])
      expect(() => readConfined(root, path, 1_000)).toThrow(/outside/);
  });
});

describe("a path that stays", () => {
  test.each([
    "inside.txt",
    "./inside.txt",
    "sub/inside.txt",
    "sub/../inside.txt",
    "link-inside",
    "sub/up-link",
    "folder-inside/inside.txt",
  ])("%j is read", (path) => {
    expect(readConfined(root, path, 1_000)).toBe("inside");
  });

  test("is read where the root itself is behind a link", () => {
    symlinkSync(root, join(folder, "root-link"));
    expect(readConfined(join(folder, "root-link"), "link-inside", 1_000)).toBe("inside");
    expect(() => readConfined(join(folder, "root-link"), "link-out", 1_000)).toThrow(/outside/);
  });

  test("is found where the root is still to be made", () => {
    expect(confinedPath(join(folder, "later/root"), "a/b")).toBe(join(folder, "later/root/a/b"));
    expect(() => confinedPath(join(folder, "later/root"), "../b")).toThrow(/outside/);
    expect(() => confinedPath(join(root, "folder-out/later"), "../../../root/b")).toThrow(/outside/);
  });

  test("is written, with the folders it needs", () => {
    const file = openConfined(root, "new/deep/file.txt", constants.O_WRONLY | constants.O_CREAT);
    writeSync(file, "written");
    closeSync(file);
    expect(readFileSync(join(root, "new/deep/file.txt"), "utf8")).toBe("written");
  });

  test("is read up to a size, and only where it is a regular file: no pipe, device or folder holds it up", () => {
    writeFileSync(join(root, "large"), "x".repeat(101));
    const making = { command: "mkfifo", path: join(root, "pipe") };
    spawnSync(making.command, [making.path]);
    expect(() => readConfined(root, "large", 100)).toThrow(/larger than 100 bytes/);
    for (const path of ["pipe", "sub", "."])
      expect(() => readConfined(root, path, 100)).toThrow(/not a regular file/);
  });
});
