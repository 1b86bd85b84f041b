#!/usr/bin/env node
// Entry point of the command; all other code is in dist/, which `npm run build` makes.
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
// Suppresses warnings about experimental features, which some versions of Node print. Users cannot act on them, and they would be invalid
// lines in a JSON log.
const warn = process.emitWarning.bind(process);
process.emitWarning = (warning, ...more) => {
  const type = typeof more[0] === "string" ? more[0] : (more[0]?.type ?? warning?.name);
  if (type !== "ExperimentalWarning") warn(warning, ...more);
};
// Runs the compiled files instead of the bundle if they are newer.
if (builtAt(".tsbuildinfo") > bundled) {
  const { main } = await import("../dist/src/interfaces/cli/main.js");
  await main(process.argv);
} else {
  const { start } = createRequire(import.meta.url)("../dist/lib/start.cjs");
  await start(built("lib/main.cjs"), process.argv);
}
