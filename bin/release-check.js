#!/usr/bin/env node
// `npm run release:check` checks everything that a release needs. It prints one line for each check, and for each failed check the last
// lines of its output. It changes only dist/.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NODE_MAJORS } from "./other-node.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (name) => readFileSync(`${root}${name}`, "utf8");
const { version } = JSON.parse(read("package.json"));

/** @type {readonly (readonly [string, () => boolean])[]} */
const steps = [
  ["all changes are committed", () => run("git", "status", "--porcelain").stdout === ""],
  ["all files have the version of package.json", () => node("bin/versions.js", "--check")],
  [`the changelog has ${version} with its date`, () => isDated(read("CHANGELOG.md"))],
  [
    `the tag v${version} does not exist`,
    () => {
      const { stdout } = run("git", "tag", "--list", `v${version}`);
      if (stdout !== "") output += "set the next version first: npm version X --no-git-tag-version";
      return stdout === "";
    },
  ],
  [
    "the lock file matches package.json",
    () => run("npm", "ci", "--dry-run", "--no-audit", "--no-fund").status === 0,
  ],
  ["licences are listed, and permissive", () => node("bin/licences.js", "--check")],
  [
    "it builds from a clean checkout",
    () => {
      rmSync(`${root}dist`, { recursive: true, force: true });
      return node("bin/ensure.js");
    },
  ],
  ["types, lint, format and all tests", () => run("npm", "test").status === 0],
  [
    `the package installs and works, here and on Node ${NODE_MAJORS.join(", ")}`,
    () => node("bin/check-package.js", ...NODE_MAJORS.flatMap((major) => ["--node", major])),
  ],
  [
    `npm start, test, serve and npm test work on Node ${NODE_MAJORS.join(", ")}`,
    () => node("bin/check-nodes.js"),
  ],
  ["the chart is valid", () => node("bin/check-chart.js")],
  [
    "dist/sbom.json is the bill of materials",
    () => {
      const { status, stdout } = run("npm", "sbom", "--omit", "dev", "--sbom-format", "cyclonedx");
      if (status === 0) writeFileSync(`${root}dist/sbom.json`, stdout);
      return status === 0;
    },
  ],
];

/** Number of lines, at the end of a failed check's output, that are shown. */
const shownLines = 40;

let output = "";
let failures = 0;
for (const [what, holds] of steps) {
  output = "";
  const held = holds();
  console.log(`${held ? "✓" : "✗"} ${what}`);
  if (held) continue;
  failures++;
  for (const line of output.trimEnd().split("\n").slice(-shownLines))
    if (line !== "") console.log(`    ${line}`);
}
if (failures === 0)
  console.log(`ready: git tag v${version} && git push origin v${version}; the release workflow publishes it`);
process.exitCode = failures === 0 ? 0 : 1;

/** Whether the section of the version in the changelog has a date. If not, adds the reason to the output. */
function isDated(changelog) {
  const sections = changelog.split("\n").filter((line) => line.startsWith("## "));
  const heading = sections.find((line) => line.split(" ")[1] === version);
  if (heading !== undefined && /^## \S+ \(\d{4}-\d\d-\d\d\)$/.test(heading)) return true;
  const found = heading === undefined ? `has no section of ${version}` : `has "${heading}"`;
  output += `CHANGELOG.md ${found}; write "## ${version} (YYYY-MM-DD)" with the date of the release`;
  return false;
}

function run(command, ...words) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, words, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    shell: process.platform === "win32",
  });
  const end = error?.message ?? (signal === null ? "" : `${command} was ended by ${signal}`);
  output += [stdout, stderr, end].filter(Boolean).join("\n");
  return { status, stdout: stdout ?? "" };
}

function node(...words) {
  return run(process.execPath, ...words).status === 0;
}
