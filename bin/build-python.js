#!/usr/bin/env node
// `node bin/build-python.js` builds a wheel in python/dist/ with the command and all its dependencies except Node. PYTHON names the Python
// (3.10 or newer) whose pip builds the wheel; default: `python3`. pip downloads the build backend from the registry.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MOST_BYTES = 4 * 2 ** 20;

const root = fileURLToPath(new URL("..", import.meta.url));
const build = join(root, "python/build");
const out = join(root, "python/dist");
const node = join(build, "node");

rmSync(build, { recursive: true, force: true });
rmSync(out, { recursive: true, force: true });
mkdirSync(node, { recursive: true });
for (const path of [
  "bin/tracejury.js",
  "dist/page",
  "dist/report",
  "config",
  "specs",
  "proto",
  "SECURITY.md",
]) {
  cpSync(join(root, path), join(node, path), { recursive: true });
}
cpSync(join(root, "LICENSE"), join(build, "LICENSE"));
const { name, version, type } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
writeFileSync(join(node, "package.json"), `${JSON.stringify({ name, version, type, private: true })}\n`);
run(process.execPath, "bin/bundle.js", "--all-libraries", join(node, "dist/lib"));
const python = process.env["PYTHON"] ?? "python3";
run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, join(root, "python"));

const wheel = readdirSync(out).find((file) => file.endsWith(".whl"));
if (wheel === undefined) fail("pip built no wheel");
const { size } = statSync(join(out, wheel));
console.log(`python/dist/${wheel}: ${(size / 2 ** 20).toFixed(2)} MB`);
if (size > MOST_BYTES) fail("the wheel is larger than 4 MB");

function run(command, ...words) {
  const { status, error } = spawnSync(command, words, { cwd: root, stdio: "inherit" });
  if (status !== 0)
    fail(`${command} ${words[0]} ${error ? error.message : `failed with exit code ${status}`}`);
}

function fail(message) {
  console.error(`build:python: ${message}`);
  process.exit(1);
}
