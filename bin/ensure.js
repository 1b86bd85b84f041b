#!/usr/bin/env node
// Prepares a fresh clone: installs the dependencies if they do not match the lock file, and builds. Prints each step to stderr before it
// starts. With `--compiled`, does not build the bundle and the web page.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, utimesSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { newestMs } from "./newest.js";

const root = fileURLToPath(new URL("..", import.meta.url));

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error(
      `setting up failed: ${command} ${args.join(" ")} ${error ? error.message : `exit code ${status}`}`,
    );
    process.exit(2);
  }
}

/**
 * Whether all packages of the lock file, except optional ones, are installed in their versions. npm records the installed versions in
 * node_modules.
 */
function installed() {
  const installedFile = `${root}node_modules/.package-lock.json`;
  if (!existsSync(installedFile)) return false;
  // If node_modules is a symbolic link, it belongs to another checkout, and `npm ci` would delete the packages of that checkout.
  if (lstatSync(`${root}node_modules`).isSymbolicLink()) return true;
  const { packages: wanted } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8"));
  const { packages: present } = JSON.parse(readFileSync(installedFile, "utf8"));
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === "" || optional || present[path]?.version === version,
  );
}

const startedAt = new Date();

/** Whether a source is newer than the last build. Compares modification times, which is faster than starting the compiler. */
function isStale() {
  const sources = [
    "src",
    "adapters",
    "bench",
    "test",
    "tsconfig.json",
    "tsconfig.build.json",
    "package-lock.json",
  ];
  const isSource = (entry) =>
    entry.isDirectory() ? entry.name !== "fixtures" : /\.(?:ts|json)$/.test(entry.name);
  const built = newestMs(`${root}dist/.tsbuildinfo`);
  return built === 0 || sources.some((path) => newestMs(`${root}${path}`, isSource) >= built);
}

let hasWorked = false;
if (!installed()) {
  hasWorked = true;
  console.error("setting up once, about a minute: installing packages (npm ci)");
  // Does not show npm's warnings: they are about Tracejury's dependencies, and users cannot fix them.
  run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error");
}
if (isStale()) {
  hasWorked = true;
  console.error("setting up: compiling (tsc)");
  run(process.execPath, `${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json");
  // Sets the time of the build: tsc does not update this file if nothing relevant has changed.
  utimesSync(`${root}dist/.tsbuildinfo`, startedAt, startedAt);
}
if (!process.argv.includes("--compiled")) {
  run(process.execPath, `${root}bin/bundle.js`);
  run(process.execPath, `${root}bin/build-ui.js`);
}
if (hasWorked) console.error("setting up: done; bin/tracejury.js is ready\n");
