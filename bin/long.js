#!/usr/bin/env node
// `npm run long -- NAME [ARGUMENTS]` builds what is missing and runs test/long/NAME. For a name such as `bench/NAME`, it runs bench/NAME.
// If the name is missing or unknown, it lists the names.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import "./ensure.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const [name, ...words] = process.argv.slice(2);

/** Returns the scripts in a folder, with their names for `npm run long`. */
function scriptsOf(folder, prefix) {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = entry.isDirectory() ? `${folder}/${entry.name}/run.ts` : `${folder}/${entry.name}`;
    if (!path.endsWith(".ts") || !existsSync(root + path)) return [];
    return [
      { name: prefix + entry.name.replace(/\.ts$/, ""), file: `${root}dist/${path.replace(/ts$/, "js")}` },
    ];
  });
}

const benchmarks = scriptsOf("bench", "bench/").filter(({ file }) => file.endsWith("/run.js"));
const scripts = [...scriptsOf("test/long", ""), ...benchmarks.filter((one) => one.name !== "bench/run")];
const script = scripts.find((one) => one.name === name);
if (script === undefined) {
  const names = scripts.map((one) => one.name).sort();
  console.error(`npm run long -- NAME [ARGUMENTS], where NAME is one of these:\n  ${names.join("\n  ")}`);
  process.exit(name === undefined ? 0 : 2);
}
process.argv = [process.execPath, script.file, ...words];
await import(pathToFileURL(script.file).href);
