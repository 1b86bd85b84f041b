#!/usr/bin/env node
// Sets up whatever a fresh clone lacks: installs dependencies when they are missing or the lock file is newer, then builds.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, statSync } from "node:fs";
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

function installed() {
  const marker = `${root}node_modules/.package-lock.json`;
  // A linked node_modules belongs to another checkout: installing would empty it under that one's feet.
  if (existsSync(marker) && lstatSync(`${root}node_modules`).isSymbolicLink()) return true;
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs;
}

if (!installed()) run("npm", "ci", "--no-audit", "--no-fund");
run(process.execPath, `${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json");
