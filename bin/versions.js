#!/usr/bin/env node
// `node bin/versions.js [--check]`: writes the version of package.json to every other file that names it, or names those that differ.
// `npm version X` runs it: from then on workflows that `init` writes, and the action, install that version.
import { readFileSync, writeFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

/** Each file, with what stands before a version and after it; `isPublished` where there is none before the first release. */
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
  if (!pattern.test(text)) fail(`${file} has no place for the version: ${pattern}`);
  if (!isCheck) writeFileSync(file, written(value));
  else if (written(value) !== text && (unpublished === undefined || written(unpublished) !== text))
    fail(`${file} names another version than package.json (${version}): node bin/versions.js`);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
