import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { publishedVersion, version } from "../../src/support/process/version.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * The version is written once, in package.json: engine, wheel, chart, image and action have the same, and what is generated installs a
 * version that there is.
 */

const inRoot = (file: string): string => readFileSync(file, "utf8");

/** What each file says, below a folder. */
function versionsBelow(folder: string): Readonly<Record<string, string | undefined>> {
  const read = (file: string): string => readFileSync(join(folder, file), "utf8");
  const chart = parse(read("charts/tracejury/Chart.yaml"));
  return {
    engine: /version = "([^"]+)"/.exec(read("src/support/process/version.ts"))?.[1],
    chart: chart.version,
    "the chart's image": chart.appVersion,
    "the image's label": /image\.version="([^"]+)"/.exec(read("docker/Dockerfile"))?.[1],
    action: parse(read("action.yml")).inputs.package?.default,
  };
}

test("package.json, engine, chart and image have one version", () => {
  const { action, ...others } = versionsBelow(".");
  expect(JSON.parse(inRoot("package.json"))).toHaveProperty("version", version);
  expect(new Set(Object.values(others))).toEqual(new Set([version]));
  expect(action).toBe(publishedVersion === null ? "" : `tracejury@${publishedVersion}`);
  expect([null, version]).toContain(publishedVersion);
});

test("the wheel takes its version from package.json", () => {
  const project = inRoot("python/pyproject.toml");
  expect(project).toMatch(/dynamic = \["version"\]/);
  expect(project).toMatch(/^path = "\.\.\/package\.json"$/m);
});

test("`npm version` writes it everywhere, and says from then on that it is published", () => {
  const folder = temporaryFolder();
  for (const file of [
    "package.json",
    "action.yml",
    "src/support/process/version.ts",
    "charts/tracejury/Chart.yaml",
    "docker/Dockerfile",
  ])
    cpSync(file, join(folder, file));
  const json = JSON.parse(inRoot("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
  expect(json.scripts["version"]).toMatch(/^node bin\/versions\.js /);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...json, version: "7.8.9-rc.1" }));
  const script = join(process.cwd(), "bin/versions.js");
  const run = (...words: string[]): { readonly status: number | null; readonly stderr: string } =>
    spawnSync(process.execPath, [script, ...words], { cwd: folder, encoding: "utf8" });

  const before = run("--check");
  expect(before.status).toBe(1);
  for (const file of ["version.ts", "Chart.yaml", "Dockerfile"]) expect(before.stderr).toContain(file);

  expect(run()).toMatchObject({ status: 0, stderr: "" });
  expect(run("--check").status).toBe(0);
  expect(versionsBelow(folder)).toEqual({
    engine: "7.8.9-rc.1",
    chart: "7.8.9-rc.1",
    "the chart's image": "7.8.9-rc.1",
    "the image's label": "7.8.9-rc.1",
    action: "tracejury@7.8.9-rc.1",
  });
  expect(readFileSync(join(folder, "src/support/process/version.ts"), "utf8")).toContain(
    'publishedVersion: string | null = "7.8.9-rc.1";',
  );
});

test
  .runIf(publishedVersion === null)
  .each(["README.md", "docs/ci.md", "docs/library.md", "docs/python.md", "docs/outputs.md"])(
  "%s sends to no registry for what is not there",
  (page) => {
    expect(inRoot(page)).not.toMatch(/(?:npm (?:install|i)|npx|pip install) (?:-\S+ |--\S+ )*tracejury\b/);
  },
);

test("only the jobs of a release that publish may prove who they are", () => {
  const { permissions, jobs } = parse(inRoot(".github/workflows/release.yml"), { merge: true }) as {
    readonly permissions: object;
    readonly jobs: Readonly<Record<string, { readonly permissions?: Readonly<Record<string, string>> }>>;
  };
  expect(permissions).toEqual({ contents: "read" });
  const proving = Object.keys(jobs).filter((name) => jobs[name]?.permissions?.["id-token"] === "write");
  expect(proving).toEqual(["npm", "pypi", "image", "chart"]);
});
