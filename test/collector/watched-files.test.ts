import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchFiles } from "../../src/collector/settings/reload.ts";
import { specFolders } from "../../src/config/find/find-specs.ts";
import { until } from "../support/eventually.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function project(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "specs"));
  for (const name of ["desk.yaml", "specs/a.yaml"]) writeFileSync(join(folder, name), "");
  return folder;
}

test("folders of patterns and named folders may get a spec, the folder of a named file does not", () => {
  const folder = project();
  expect(specFolders(["desk.yaml"], folder)).toEqual([]);
  expect(specFolders(["specs/a.yaml", "missing.yaml"], folder)).toEqual([]);
  expect(specFolders(["specs"], folder)).toEqual(["specs"]);
  expect(specFolders(["specs/"], folder)).toEqual(["specs"]);
  expect(specFolders(["specs/*.yaml", "more/*.yaml"], folder)).toEqual(["specs", "more"]);
  expect(specFolders(["*/a.yaml"], folder)).toEqual(["*", "specs"]);
});

test("a change of a named file or a YAML file in a folder of specs is reported, of another file it is not", async () => {
  const folder = project();
  const changed: string[] = [];
  const watcher = watchFiles([join(folder, "desk.yaml")], [join(folder, "specs")], (file) =>
    changed.push(file),
  );
  onTestFinished(() => watcher.close());
  // The watcher may not be ready: writing is repeated until it reports the file. Between two rounds the files rest, as the watcher waits for that.
  let looks = 0;
  const write = (name: string): void => writeFileSync(join(folder, name), `${looks}`);
  await until(() => {
    const isRound = looks++ % 40 === 0;
    if (isRound)
      for (const name of ["unrelated.yaml", "specs/notes.txt", "desk.yaml", "specs/new.yaml"]) write(name);
    return ["desk.yaml", "specs/new.yaml"].every((name) => changed.includes(join(folder, name)));
  });
  expect(new Set(changed)).toEqual(new Set([join(folder, "desk.yaml"), join(folder, "specs/new.yaml")]));
});
