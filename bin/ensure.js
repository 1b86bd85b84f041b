#!/usr/bin/env node
// Sets up whatever a fresh clone lacks: installs dependencies unless they are there as the lock file asks, then builds.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

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

if (!installed()) {
  console.error("setting up: installing packages");
  run("npm", "ci", "--no-audit", "--no-fund");
}
if (!existsSync(`${root}dist`)) console.error("setting up: building, a minute or so");
run(process.execPath, `${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json");
run(process.execPath, `${root}bin/bundle.js`);
run(process.execPath, `${root}bin/build-ui.js`);
