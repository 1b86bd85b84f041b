import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { loadRubrics, ownRubricFolder } from "../../src/judge/files/rubric-files.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dump = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
let folder: string;
let specs: string;
beforeEach(() => {
  folder = temporaryFolder();
  specs = join(folder, "specs");
  mkdirSync(specs);
  mkdirSync(join(folder, "elsewhere"));
});

function specWith(lines: string, query = "{ query: '*' }"): string {
  const file = join(specs, "spec.yaml");
  writeFileSync(file, `version: 1\nagent: "*"\n${lines}\nqueries:\n  - ${query}\n`);
  return file;
}

describe("a baseline_dir outside of the spec's folder", () => {
  const dirs: readonly (readonly [string, () => string])[] = [
    ["above it", () => "../elsewhere"],
    ["by an absolute path", () => join(folder, "elsewhere")],
    [
      "through a link",
      () => {
        symlinkSync("../elsewhere", join(specs, "linked"));
        return "./linked";
      },
    ],
  ];

  test.each(dirs)("%s outside the folder is neither written nor read", async (_, dirOf) => {
    const spec = specWith(`baseline_dir: ${JSON.stringify(dirOf())}`);

    const saved = await runCli("save", dump, "--spec", spec, "--version", "v1", "--judge", "off");
    expect(saved.code).toBe(2);
    expect(saved.stderr).toMatch(/baseline_dir .* is outside the spec's folder[\s\S]*--baseline-dir/);
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);

    const tested = await runCli("test", dump, "--spec", spec, "--baseline", "v1", "--judge", "off");
    expect(tested.stderr).toMatch(/baseline_dir .* is outside the spec's folder/);
    const listed = await runCli("baselines", "--spec", spec);
    expect(listed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is outside the spec's folder") as string,
    });
  });

  test("is used where the command line names it", async () => {
    const spec = specWith("baseline_dir: ../elsewhere");
    const dir = join(folder, "elsewhere");

    const saved = await cli`save ${dump} --spec ${spec} --version v1 --judge off --baseline-dir ${dir}`;
    expect(saved.code).toBe(0);
    expect(readdirSync(dir)).toEqual(["rag-agent"]);
  });

  test("is shown by validate, as is a context_file", async () => {
    const query =
      "{ query: '*', correctness: { llm_judge: [{ rule: Is true., context_file: ../secret.md }] } }";
    const { code, stdout } = await runCli("validate", specWith("baseline_dir: ../elsewhere", query));

    expect(code).toBe(0);
    expect(stdout).toMatch(/\.\.\/elsewhere is absolute or outside the spec's folder/);
    expect(stdout).toMatch(/\.\.\/secret\.md is absolute or outside the spec's folder/);
  });
});

test("a baseline is not written through a link inside its folder", async () => {
  const spec = specWith("baseline_dir: ./baselines");
  mkdirSync(join(specs, "baselines"));
  symlinkSync(join(folder, "elsewhere"), join(specs, "baselines", "rag-agent"));

  const saved = await runCli("save", dump, "--spec", spec, "--version", "v1", "--judge", "off");

  expect(saved.code).toBe(2);
  expect(saved.stderr).toContain("symbolic link");
  expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
});

test("a rubric file that is a link out of its folder is not read; one that stays, as Kubernetes makes them, is", async () => {
  const [name = ""] = readdirSync(ownRubricFolder()).filter((one) => one.endsWith(".yaml"));
  const text = readFileSync(join(ownRubricFolder(), name), "utf8");
  for (const place of ["rubrics", "elsewhere"]) {
    mkdirSync(join(folder, place, "..data"), { recursive: true });
    writeFileSync(join(folder, place, "..data", name), text);
  }
  symlinkSync(join("..data", name), join(folder, "rubrics", name));
  expect(await loadRubrics([join(folder, "rubrics")])).toMatchObject({ problems: [], rubrics: { size: 1 } });

  rmSync(join(folder, "rubrics", name));
  symlinkSync(join("../elsewhere/..data", name), join(folder, "rubrics", name));
  const { rubrics, problems } = await loadRubrics([join(folder, "rubrics")]);
  expect(rubrics.size).toBe(0);
  expect(problems).toEqual([expect.stringContaining("a symbolic link leads out of the folder")]);
});

test("a specification that is a pipe or a device is refused, not waited for", async () => {
  symlinkSync("/dev/zero", join(specs, "zero.yaml"));
  const spec = specWith('description: !include "zero.yaml"');
  const { code, stdout, stderr } = await runCli("validate", spec);

  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(/not a regular file/);
});
