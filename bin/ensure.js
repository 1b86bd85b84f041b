#!/usr/bin/env node
// Sets up whatever a fresh clone lacks: installs dependencies unless they are there as the lock file asks, then builds. Says on stderr what it
// does, before it does it. `--compiled`: only as far as the compiler, without bundles and the page.
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
      `set-up stopped: ${command} ${args.join(" ")} ${error ? error.message : `ended with ${status}`}`,
    );
    process.exit(2);
  }
}

/** Whether every package that the lock file asks for is there in its version; npm notes what it installed. */
function installed() {
  const installedFile = `${root}node_modules/.package-lock.json`;
  if (!existsSync(installedFile)) return false;
  // A linked node_modules belongs to another checkout: installing would empty it under that one's feet.
  if (lstatSync(`${root}node_modules`).isSymbolicLink()) return true;
  const { packages: wanted } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8"));
  const { packages: present } = JSON.parse(readFileSync(installedFile, "utf8"));
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === "" || optional || present[path]?.version === version,
  );
}

const startedAt = new Date();

/** Whether a source is newer than the last build: to ask the compiler takes longer than to start what it built. */
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
  // Npm's warnings are about packages of Tracejury, and nothing that a user can act on.
  run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error");
}
if (isStale()) {
  hasWorked = true;
  console.error("setting up: compiling (tsc)");
  run(process.execPath, `${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json");
  // The compiler does not write its notes again where nothing that counts has changed.
  utimesSync(`${root}dist/.tsbuildinfo`, startedAt, startedAt);
}
if (!process.argv.includes("--compiled")) {
  run(process.execPath, `${root}bin/bundle.js`);
  run(process.execPath, `${root}bin/build-ui.js`);
}
if (hasWorked) console.error("setting up: done; every command of bin/tracejury.js works now\n");
