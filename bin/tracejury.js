#!/usr/bin/env node
// The command's entry point; everything else is in dist/, which `npm run build` makes.
import { existsSync } from "node:fs";
import * as module from "node:module";
import { fileURLToPath } from "node:url";

const main = new URL("../dist/src/cli/main.js", import.meta.url);
if (!existsSync(fileURLToPath(main))) {
  console.error(
    "tracejury is not built yet: run `npm ci && npm run build` first (or `npm start`, which does it).",
  );
  process.exit(2);
}
// From Node 22.8 on, compiled code is kept between calls.
module.enableCompileCache?.();
const { main: run } = await import(main.href);
await run(process.argv);
