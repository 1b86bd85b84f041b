import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { findSpecs } from "../../src/config/find/find-specs.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();

beforeAll(() => {
  for (const name of ["specs/shared", "capitals"]) mkdirSync(join(folder, name), { recursive: true });
  for (const name of [
    "specs/b.yaml",
    "specs/a.yaml",
    "specs/c.yml",
    "specs/notes.md",
    "specs/shared/d.yaml",
    "capitals/E.YAML",
    "capitals/.hidden.yaml",
    "secret.yaml",
  ])
    writeFileSync(join(folder, name), "max_loops: 1\n");
  symlinkSync("gone.yaml", join(folder, "capitals/none.yaml"));
  symlinkSync("loop.yaml", join(folder, "capitals/loop.yaml"));
  symlinkSync(join(folder, "secret.yaml"), join(folder, "specs/link.yaml"));
});

describe("finding specs", () => {
  test.each([
    [
      ["specs/b.yaml", "specs/a.yaml"],
      ["specs/b.yaml", "specs/a.yaml"],
    ],
    [["specs/[ab].yaml"], ["specs/a.yaml", "specs/b.yaml"]],
    [["specs/**/d.yaml"], ["specs/shared/d.yaml"]],
    [["specs/c.yml", "specs/*.yml"], ["specs/c.yml"]],
    [["capitals"], ["capitals/E.YAML", "capitals/loop.yaml", "capitals/none.yaml"]],
    [["specs/"], ["specs/a.yaml", "specs/b.yaml", "specs/c.yml", "specs/link.yaml"]],
  ])("%j → %j", (values, files) => {
    expect(findSpecs(values, folder)).toEqual({ ok: true, files });
  });

  test("what names nothing is said, each with its own words", () => {
    const found = findSpecs(["specs/a.yaml", "nowhere.yaml", "none/*.yaml"], folder);
    expect(found.ok ? [] : found.problems.map((problem) => problem.message)).toEqual([
      "no spec was found at nowhere.yaml",
      "no file matches the pattern none/*.yaml",
    ]);
  });
});

describe("reading from the disk", () => {
  test("reasons are in words", () => {
    expect(fileReader.read(join(folder, "nowhere"))).toEqual({ ok: false, reason: "there is no such file" });
    expect(fileReader.read(folder)).toMatchObject({ ok: false });
  });

  test("a symbolic link does not lead an include out of the folder", () => {
    const file = join(folder, "specs/main.yaml");
    const text = "agent: a\nqueries: [{ query: q, path: !include link.yaml }]\n";
    writeFileSync(file, text);
    const main = fileReader.read(file);
    const loaded = loadSpec(
      { file, text, ...(main.ok ? { realPath: main.realPath } : {}) },
      { checks, reader: fileReader },
    );
    expect(loaded.problems.map((problem) => problem.code)).toEqual(["include/outside"]);
  });
});
