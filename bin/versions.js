#!/usr/bin/env node
// `node bin/versions.js [--check]` writes the version of package.json into all other files that contain it; with `--check`, it only reports
// files that differ. `npm version X` runs this script, so that the action, and the workflows that `init` writes, install version X.
import { readFileSync, writeFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

/** The places of the version: `pattern` captures the text before and after it; `unpublished` is the value before the first release. */
const places = [
  { file: "src/support/process/version.ts", pattern: /(export const version = ")[^"]*(";)/ },
  { file: "charts/tracejury/Chart.yaml", pattern: /(^version: )\S+()$/m },
  { file: "charts/tracejury/Chart.yaml", pattern: /(^appVersion: ")[^"]*(")$/m },
  { file: "docker/Dockerfile", pattern: /(org\.opencontainers\.image\.version=")[^"]*(")/ },
  {
    file: "src/support/process/version.ts",
    pattern: /(export const publishedVersion: string \| null = )[^;]*(;)/,
    value: JSON.stringify(version),
    unpublished: "null",
  },
  {
    file: "action.yml",
    pattern: /( {2}package:\n(?: {4}.*\n)*? {4}default: ).*(\n)/,
    value: `tracejury@${version}`,
    unpublished: '""',
  },
];

const isCheck = process.argv.includes("--check");
for (const { file, pattern, value = version, unpublished } of places) {
  const text = readFileSync(file, "utf8");
  const written = (one) => text.replace(pattern, (_, before, after) => `${before}${one}${after}`);
  if (!pattern.test(text)) fail(`${file} has no text that matches ${pattern}`);
  if (!isCheck) writeFileSync(file, written(value));
  else if (written(value) !== text && (unpublished === undefined || written(unpublished) !== text))
    fail(`${file} has another version than package.json (${version}): run node bin/versions.js`);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
