#!/usr/bin/env node
// Builds the page of the admin port from ui/ into dist/page/, unless what is there is newer than its sources.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const outDir = join(root, "dist/page");

function changed(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => changed(join(path, name))));
}

const sources = [
  "ui",
  "bin/build-ui.js",
  "src/evaluate/text.ts",
  "src/render/printable.ts",
  "src/render/sequence-diff.ts",
  "package-lock.json",
];
const newest = Math.max(...sources.map((path) => changed(join(root, path))));
if (changed(join(outDir, "index.html")) <= newest) {
  const { build } = await import("vite");
  await build({
    root: join(root, "ui"),
    base: "/ui/",
    configFile: false,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: "",
      target: "es2022",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  });
}
