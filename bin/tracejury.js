#!/usr/bin/env node
// The command's entry point; everything else is in dist/, which `npm run build` makes.
import { statSync } from "node:fs";
import * as module from "node:module";

const made = (path) =>
  statSync(new URL(`../dist/${path}`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const bundled = made("lib/main.js");
if (bundled === 0 && made("src/cli/main.js") === 0) {
  console.error(
    "tracejury is not built yet: run `npm ci && npm run build` first (or `npm start`, which does it).",
  );
  process.exit(2);
}
// From Node 22.8 on, compiled code is kept between calls.
module.enableCompileCache?.();
// Node 22 calls the store's SQLite experimental: true, and of no use to whoever runs a command.
const warn = process.emitWarning.bind(process);
process.emitWarning = (warning, ...more) => {
  if (!String(warning).startsWith("SQLite is an experimental feature")) warn(warning, ...more);
};
// Whoever compiled the sources and bundled nothing afterwards means what was compiled.
const { main: run } = await import(
  made(".tsbuildinfo") > bundled ? "../dist/src/cli/main.js" : "../dist/lib/main.js"
);
await run(process.argv);
