import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentSetUp } from "../../src/interfaces/cli/authoring/agent-set-up.ts";
import { githubWorkflow } from "../../src/interfaces/cli/authoring/templates.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * What is taken from others is named so that it cannot change: actions by commit, images by full version.
 */

const read = (file: string): string => readFileSync(file, "utf8");
const PLACEHOLDER = "OWNER/tracejury@COMMIT";
const workflows = [
  ["action.yml", read("action.yml")],
  ["docs/ci.md", read("docs/ci.md")],
  ["docs/ci/offline.github.yml", read("docs/ci/offline.github.yml")],
  ["the workflow that init writes for Python", githubWorkflow(agentSetUp("docs"), PLACEHOLDER, false)],
  ["the workflow that init writes for Node", githubWorkflow(agentSetUp("."), PLACEHOLDER, true)],
  ...readdirSync(".github/workflows").map((name) => [name, read(join(".github/workflows", name))]),
] as const;

describe("actions", () => {
  const uses = workflows.flatMap(([file = "", text = ""]) =>
    [...text.matchAll(/uses: (.*)$/gm)].map(([, action = ""]) => [file, action] as const),
  );

  test("are used", () => expect(uses.length).toBeGreaterThan(6));

  test.each(uses.filter(([, action]) => !action.startsWith(`${PLACEHOLDER} `)))(
    "%s: %s is pinned by commit, with its version beside it",
    (_, action) => {
      expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    },
  );

  test("one action has one commit", () => {
    const pins = new Set(uses.map(([, action]) => action.replace(/^(OWNER\S+).*/, "$1")));
    const names = new Set([...pins].map((action) => action.split("@")[0]));
    expect(pins.size).toBe(names.size);
  });
});

describe("images", () => {
  const files = [
    "docker/Dockerfile",
    ...["gitlab-ci", "offline.gitlab-ci", "circleci"].map((name) => `docs/ci/${name}.yml`),
  ].concat(
    readdirSync("docker")
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => join("docker", name)),
  );
  const images = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:FROM\s+|[\s-]*image: )(\S+)/gm)].map(
      ([, image = ""]) => [file, image] as const,
    ),
  );

  test("are used", () => expect(images.length).toBeGreaterThan(8));

  test.each(images.filter(([, image]) => image !== "tracejury"))("%s: %s has a full version", (_, image) => {
    // Distroless has no tags for versions; PostgreSQL's versions have two parts.
    if (/^gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot$/.test(image)) return;
    expect(image).toMatch(image.startsWith("postgres:") ? /:\d+\.\d+$/ : /:v?\d+\.\d+\.\d+(-[\w.-]+)?$/);
  });
});

describe.skipIf(process.platform === "win32")("the release workflow fills in the digests", () => {
  const digest = `sha256:${"ab".repeat(32)}`;

  /** Runs the script on a copy of the Dockerfile, with a `docker` that answers with `answer`. */
  function pinned(
    answer: string,
    code = 0,
  ): { readonly status: number | null; readonly text: string; readonly stderr: string } {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "docker"), `#!/bin/sh\necho '${answer}'\nexit ${code}\n`);
    chmodSync(join(folder, "docker"), 0o755);
    const copy = join(folder, "Dockerfile");
    copyFileSync("docker/Dockerfile", copy);
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
    const { status, stderr } = spawnSync(process.execPath, ["bin/pin-images.js", copy], {
      env,
      encoding: "utf8",
    });
    return { status, text: read(copy), stderr };
  }

  test("every base image, and nothing else, is pinned", () => {
    const { status, text } = pinned(digest);
    expect(status).toBe(0);
    const from = (file: string): string[] => file.match(/^FROM.*$/gm) ?? [];
    expect(from(text)).toHaveLength(2);
    for (const line of from(text)) expect(line).toMatch(new RegExp(`^FROM \\S+:\\S+@${digest}( AS build)?$`));
    expect(text.replaceAll(`@${digest}`, "")).toBe(read("docker/Dockerfile"));
  });

  test.each([
    ["a registry that does not answer", "", 1],
    ["an answer that is no digest", "latest", 0],
  ])("and stops at %s", (_, answer, code) => {
    const { status, text, stderr } = pinned(answer, code);
    expect(status).toBe(1);
    expect(stderr).toContain("cannot read the digest of node:24.9.0-trixie-slim");
    expect(text).toBe(read("docker/Dockerfile"));
  });

  test("before it builds", () => {
    const release = read(".github/workflows/release.yml");
    expect(release.indexOf("bin/pin-images.js docker/Dockerfile")).toBeGreaterThan(0);
    expect(release.indexOf("docker buildx build")).toBeGreaterThan(release.indexOf("bin/pin-images.js"));
  });
});
