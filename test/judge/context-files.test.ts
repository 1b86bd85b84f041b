import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { specJudging } from "../../src/judge/files/context-files.ts";

test("context files are found beside their spec; others are undefined", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spec-"));
  await writeFile(join(folder, "manual.md"), "Returns take 30 days.");
  const { contextFile, settings } = specJudging({
    file: join(folder, "spec.yaml"),
    judgeConfig: { model: "m" },
  });

  expect([contextFile("manual.md"), contextFile("./manual.md")]).toEqual(
    Array(2).fill("Returns take 30 days."),
  );
  expect([contextFile("missing.md"), contextFile(".")]).toEqual([undefined, undefined]);
  expect(settings.model).toBe("m");
});

test("a context file outside of the spec's folder is not read, whatever leads there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spec-"));
  await mkdir(join(folder, "specs"));
  await writeFile(join(folder, "secret.md"), "secret");
  await symlink("../secret.md", join(folder, "specs", "link.md"));
  await symlink("..", join(folder, "specs", "up"));
  const { contextFile } = specJudging({ file: join(folder, "specs", "spec.yaml"), judgeConfig: {} });

  for (const path of ["../secret.md", join(folder, "secret.md"), "link.md", "up/secret.md", "/etc/hostname"])
    expect(contextFile(path)).toBeUndefined();
});
