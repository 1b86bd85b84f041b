#!/usr/bin/env node
// The command's entry point; everything else is in dist/, which `npm run build` makes.
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const built = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));
const builtAt = (path) => statSync(built(path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const bundled = builtAt("lib/main.cjs");
if (bundled === 0 && builtAt("src/interfaces/cli/main.js") === 0) {
  console.error(
    `tracejury is not built yet: run \`npm start\` once in ${fileURLToPath(new URL("..", import.meta.url))}; Ctrl+C stops it.`,
  );
  process.exit(2);
}
// Some versions of Node report what is used of them as experimental, which is of no use to those who run a command, and no line of a JSON log.
const warn = process.emitWarning.bind(process);
process.emitWarning = (warning, ...more) => {
  const type = typeof more[0] === "string" ? more[0] : (more[0]?.type ?? warning?.name);
  if (type !== "ExperimentalWarning") warn(warning, ...more);
};
// Where the sources were compiled and not bundled afterwards, what was compiled is newer.
if (builtAt(".tsbuildinfo") > bundled) {
  const { main } = await import("../dist/src/interfaces/cli/main.js");
  await main(process.argv);
} else {
  const { start } = createRequire(import.meta.url)("../dist/lib/start.cjs");
  await start(built("lib/main.cjs"), process.argv);
}
