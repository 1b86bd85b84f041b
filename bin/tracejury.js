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
// Some versions of Node print warnings about experimental features. Users cannot act on them, and they would break JSON logs.
const warn = process.emitWarning.bind(process);
process.emitWarning = (warning, ...more) => {
  const type = typeof more[0] === "string" ? more[0] : (more[0]?.type ?? warning?.name);
  if (type !== "ExperimentalWarning") warn(warning, ...more);
};
// Runs the compiled files if they are newer than the bundle.
if (builtAt(".tsbuildinfo") > bundled) {
  const { main } = await import("../dist/src/interfaces/cli/main.js");
  await main(process.argv);
} else {
  const { start } = createRequire(import.meta.url)("../dist/lib/start.cjs");
  await start(built("lib/main.cjs"), process.argv);
}
