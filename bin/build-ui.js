#!/usr/bin/env node
// Builds the page of the admin port into dist/page/ and the page of the HTML report into dist/report/ if they are older than the sources in
// ui/.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newestMs } from "./newest.js";

const root = fileURLToPath(new URL("..", import.meta.url));

const sources = [
  "ui",
  "bin/build-ui.js",
  "src/evaluate/rules/text.ts",
  "src/report/render/html/report-data.ts",
  "src/report/render/terminal/printable.ts",
  "src/report/render/diff/sequence-diff.ts",
  "package-lock.json",
];
const newest = Math.max(...sources.map((path) => newestMs(join(root, path))));

/** The input and the output folder of each page. Files of the report have fixed names, because each report contains their text. */
const pages = [
  { input: "index.html", outDir: "dist/page", output: {} },
  {
    input: "report.html",
    outDir: "dist/report",
    output: {
      entryFileNames: "report.js",
      assetFileNames: "report[extname]",
      codeSplitting: false,
    },
  },
];

for (const { input, outDir, output } of pages) {
  if (newestMs(join(root, outDir, input)) > newest) continue;
  console.error(`setting up: building the page (${outDir})`);
  // Without this, Vite makes a development build when a test run has set NODE_ENV=test.
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  await build({
    root: join(root, "ui"),
    base: "/ui/",
    configFile: false,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: join(root, outDir),
      emptyOutDir: true,
      assetsDir: "",
      target: "es2022",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: { input: join(root, "ui", input), output },
    },
  });
}
