#!/usr/bin/env node
// Joins what tsc built with the libraries that every start needs into a few files, dist/lib/: reading a thousand small ones takes longer
// than everything else that `serve` does before it listens. Does nothing when what is there is newer than what it is made of.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const outDir = join(root, "dist/lib");
const entries = [
  "cli/main",
  "index",
  "assert",
  "vitest",
  "store/reading-worker",
  "cli/engine/workers/replay-worker",
];

/**
 * What most starts need, with what it needs itself. Whatever is not named stays outside: native, with files or threads of its own, rarely
 * needed, or large and in one file anyway.
 */
const joined = [
  "@hono/node-server",
  /^@opentelemetry\//,
  "ajv",
  "ajv-formats",
  "chokidar",
  "commander",
  "fast-deep-equal",
  "fast-uri",
  "fdir",
  "hono",
  "json-schema-traverse",
  "picomatch",
  "readdirp",
  "tinyglobby",
  "yaml",
  "zod",
];

/** Our own code keeps its lines and the names of its functions, for whoever reads a stack; names inside functions get short. */
const legible = {
  module: true,
  compress: false,
  mangle: { toplevel: false, keepNames: true },
  codegen: { removeWhitespace: false },
};

/** Name of the library that a module belongs to. */
const libraryOf = (id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? null;

const isNew = ["dist/.tsbuildinfo", "bin/bundle.js", "package-lock.json"].every(
  (path) => changed(join(root, path)) <= changed(join(outDir, "main.js")),
);
if (!isNew) await bundle();

function changed(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function bundle() {
  const { build, minifySync } = await import("vite");
  /** @type {Set<string>} */
  const libraries = new Set();
  /** Libraries get as small as they can, and their licences come along. */
  const finish = {
    name: "tracejury-libraries",
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type !== "chunk") continue;
        const from = file.moduleIds.map(libraryOf);
        for (const name of from) if (name !== null) libraries.add(name);
        const isOurs = from.some((name, at) => name === null && !file.moduleIds[at].startsWith("\0"));
        file.code = minifySync(file.fileName, file.code, isOurs ? legible : { module: true }).code;
      }
      this.emitFile({ type: "asset", fileName: "licences.txt", source: licences([...libraries].sort()) });
    },
  };
  await build({
    root,
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: joined },
    // A library's ES modules lose what nobody uses.
    resolve: { mainFields: ["module", "main"] },
    plugins: [finish],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: "node20",
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((path) => [basename(path), join(root, `dist/src/${path}.js`)])),
        output: {
          format: "es",
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          comments: false,
          codeSplitting: { groups: [{ debugName: "libraries", name: fileNameOf }] },
        },
      },
    },
  });
}

/** A file for each library, one for all of OpenTelemetry. */
function fileNameOf(id) {
  const library = libraryOf(id);
  return library === null ? null : library.replace(/^(@opentelemetry)\/.*/, "$1").replaceAll(/[@/]/g, "_");
}

/** Names and versions of the libraries, and their licences word for word, each text once. */
function licences(names) {
  const texts = new Map();
  for (const name of names) {
    const text = licenceOf(name);
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  return [...texts]
    .map(([text, of]) => `${of.map(nameAndVersion).join("\n")}\n\n${text}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function nameAndVersion(name) {
  const { version, license } = JSON.parse(
    readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
  );
  return `${name} ${version} (${license})`;
}

function licenceOf(name) {
  const home = join(root, "node_modules", name);
  const file = readdirSync(home).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
  return file === undefined ? "" : readFileSync(join(home, file), "utf8").trim();
}
