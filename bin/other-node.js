// Installs other versions of Node, from the npm package `node`.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Major versions of Node that `npm run release:check` tests. */
export const NODE_MAJORS = ["20", "22", "24", "26"];

/** Installs the newest Node of a major version into a folder, and returns its path. */
export function otherNode(major, folder) {
  const home = join(folder, `node-${major}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{ "private": true }\n');
  const words = ["install", "--no-audit", "--no-fund", "--foreground-scripts", `node@${major}`];
  spawnSync("npm", words, { cwd: home, encoding: "utf8", shell: process.platform === "win32" });
  return join(home, "node_modules/node/bin/node");
}
