#!/usr/bin/env node
// Joins the compiled sources and the libraries that most starts need into a few files in dist/lib/. Without these files, `serve` spends
// most of its start on reading about 1,000 small ones. The files are CommonJS, because all supported versions of Node can cache their
// compiled code. Libraries and Node's modules are loaded at first use. Does nothing if the bundle is newer than its sources.
// `--all-libraries FOLDER` writes a bundle with all libraries, for places without node_modules.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { newestMs } from "./newest.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { "all-libraries": { type: "string" } } });
const completeDir = values["all-libraries"];
const outDir = completeDir ?? join(root, "dist/lib");
const entries = [
  "interfaces/cli/main",
  "interfaces/cli/compile-cache/start",
  "index",
  "assert",
  "interfaces/library/run-checks",
  "store/sqlite/reading/reading-worker",
  "replay/workers/replay-worker",
  "model-server/record/recording-process",
];

/**
 * Libraries that most starts need, with their dependencies. All others stay outside the bundle: native ones, those with own files or
 * threads, rarely used ones, and large ones that are already a single file.
 */
const joined = [
  "@hono/node-server",
  /^@opentelemetry\/(?!sdk-node|exporter-trace-otlp-(?:http|proto))/,
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
  "sql-template-tag",
  "tinyglobby",
  "yaml",
  "zod",
];

/** Libraries that our code requires by name at run time. In a complete bundle, each is a package beside it. */
const requiredByName = ["fzstd", "lz4js", "protobufjs", "snappyjs"];

/**
 * Never bundled: the user's own vitest, a module that Node has from 22.13 on, and the SDK for Tracejury's own traces, which is larger than
 * all other libraries together.
 */
const neverJoined = [
  "vitest",
  "@photostructure/sqlite",
  "@opentelemetry/sdk-node",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/exporter-trace-otlp-proto",
];

/** Not bundled, and loaded at first use. */
const loadedLate = ["csv-parse/sync", "re2js", "fzstd", "@pydantic/genai-prices"];

/** The entry of the command line and that of replay. Modules that only `replay/test` imports are bundled into one file. */
const replaying = ["interfaces/cli/main", "replay/test"].map((path) => join(root, `dist/src/${path}.js`));

/** Our code keeps its lines and the names of its functions, so that stack traces are readable. Names within functions are shortened. */
const legible = {
  module: true,
  compress: false,
  mangle: { toplevel: false, keepNames: true },
  codegen: { removeWhitespace: false },
};

/** Name of the package that a module belongs to; null for our own modules. */
const libraryOf = (id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? null;

/** Modules that few replays need get their own file, so that their libraries are loaded at first use. */
const seldom = new Map([[join(root, "dist/src/evaluate/rules/json-schema.js"), "json-schema-check"]]);

/** Caches the result of `reachableFrom`. */
const reachable = new Map();

// tsc writes only changed files: after a change in a test, dist/src stays unchanged.
const isNew = ["dist/src", "dist/adapters", "bin/bundle.js", "package-lock.json"].every(
  (path) => newestMs(join(root, path)) <= newestMs(join(outDir, "content-hash.txt")),
);
if (completeDir !== undefined || !isNew) await bundle();
else {
  // Marks the bundle as newer than all compiled files.
  const now = new Date();
  for (const name of readdirSync(outDir)) utimesSync(join(outDir, name), now, now);
}

async function bundle() {
  console.error(`setting up: joining the command and its libraries (${relative(root, outDir)})`);
  const { build, minifySync } = await import("vite");
  /** @type {Set<string>} */
  const libraries = new Set();
  const content = createHash("sha256");
  /** Minifies the libraries and adds their licences to the bundle. */
  const finish = {
    name: "tracejury-libraries",
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type !== "chunk") continue;
        const from = file.moduleIds.map(libraryOf);
        for (const name of from) if (name !== null) libraries.add(name);
        const isOurs = from.some((name, at) => name === null && !file.moduleIds[at].startsWith("\0"));
        const code = exportingValues(loadingLate(file.code));
        const { code: short } = minifySync(file.fileName, code, isOurs ? legible : { module: true });
        // Removes the indentation. No string in our code has a line that starts with a tab.
        file.code = isOurs ? short.replaceAll(/^\t+/gm, "") : short;
        content.update(file.fileName).update(file.code);
        const source = moduleOf(file);
        if (source !== null) this.emitFile({ type: "asset", fileName: `${file.name}.js`, source });
      }
      this.emitFile({ type: "asset", fileName: "licences.txt", source: licences([...libraries].sort()) });
    },
  };
  await build({
    root,
    configFile: false,
    logLevel: "error",
    ssr: completeDir === undefined ? { noExternal: joined } : { noExternal: true, external: neverJoined },
    // Prefers ES modules, from which unused exports are removed.
    resolve: { mainFields: ["module", "main"] },
    plugins: [finish],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: "node20",
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries([
          ...entries.map((path) => [basename(path), join(root, `dist/src/${path}.js`)]),
          ...(completeDir === undefined ? [] : requiredByName).map((name) => [packageEntry(name), name]),
        ]),
        output: {
          format: "cjs",
          entryFileNames: ({ name }) => (name.startsWith("node_modules/") ? "[name].js" : "[name].cjs"),
          chunkFileNames: "[name].cjs",
          comments: false,
          // `import()` from cached code is experimental in Node; none of these libraries needs it.
          dynamicImportInCjs: false,
          codeSplitting: {
            groups: [{ debugName: "files", name: fileNameOf, includeDependenciesRecursively: false }],
          },
        },
      },
    },
  });
  writeFileSync(join(outDir, "vitest.js"), matchersModule());
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(outDir, "content-hash.txt"), `${version}-${content.digest("hex").slice(0, 16)}\n`);
}

function packageEntry(name) {
  return `node_modules/${name}/index`;
}

/**
 * Name of the output file of a module: one per library, one for OpenTelemetry, one for modules that only replay imports. Null leaves the
 * choice to the bundler.
 */
function fileNameOf(id, graph) {
  const library = libraryOf(id);
  if (library !== null) return library.replace(/^(@opentelemetry)\/.*/, "$1").replaceAll(/[@/]/g, "_");
  const [command, replay] = replaying.map((path) => reachableFrom(path, graph));
  return seldom.get(id) ?? (replay.has(id) && !command.has(id) ? "replay" : null);
}

/** A module and all modules that it imports statically. */
function reachableFrom(path, graph) {
  const known = reachable.get(path);
  if (known !== undefined) return known;
  const found = new Set();
  const waiting = [path];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  reachable.set(path, found);
  return found;
}

/**
 * Loads files, Node's modules and the libraries in `loadedLate` at first use. Changes only names that are used for nothing but access to a
 * member, so that local variables of the same name stay as they are.
 */
function loadingLate(code) {
  const required =
    /^(?:const|let) ([\w$]+) = require\("([^"]+)"\);(?:\n\1 = (require_rolldown_runtime\.__toESM\(\1(?:, 1)?\));)?\n/gm;
  let late = "";
  for (const [statement, name, id, wrapped] of code.matchAll(required)) {
    const isLate = id.startsWith("./")
      ? !id.includes("rolldown-runtime")
      : id.startsWith("node:") || loadedLate.includes(id);
    if (!isLate) continue;
    const escaped = name.replaceAll("$", "\\$");
    const rest = code.replace(statement, "");
    const named = rest.match(new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`, "g")) ?? [];
    const member = new RegExp(`(?<![\\w$.'"\`])${escaped}(?=\\.[A-Za-z_$])`, "g");
    if (named.length === 0 || named.length !== rest.match(member)?.length) continue;
    const loaded = `loaded_${name}`;
    const value =
      wrapped === undefined ? `require("${id}")` : wrapped.replace(`(${name}`, () => `(require("${id}")`);
    code = rest.replace(member, () => `${name}.own`);
    late += `let ${loaded};\nconst ${name} = { get own() { return ${loaded} ??= ${value}; } };\n`;
  }
  return late === ""
    ? code
    : code.replace(/^(?!Object\.defineProperty\(exports|const require_rolldown_runtime)/m, () => late);
}

/** Makes each export that is assigned only at its declaration a plain value, which is shorter and faster than a getter. */
function exportingValues(code) {
  const getter =
    /^Object\.defineProperty\(exports, "([\w$]+)", \{\s*enumerable: true,\s*get: function\(\) \{\s*return ([\w$]+);\s*\}\s*\}\);$/gm;
  return code.replace(getter, (whole, name, local) => {
    const word = local.replaceAll("$", "\\$");
    const isFunction = new RegExp(`^(?:async )?function\\*? ${word}\\(`, "m").test(code);
    const isVariable = new RegExp(`^(?:var|let|const) ${word} = `, "m").test(code);
    const assigned = new RegExp(`(?<![\\w$.])${word} *(?:=(?!=)|[-+*/%&|^?]{1,3}=|\\+\\+|--)`, "g");
    const assignments = code.match(assigned)?.length ?? 0;
    const isConstant = assignments === (isVariable ? 1 : 0) && isFunction !== isVariable;
    return isConstant ? `exports.${name} = ${local};` : whole;
  });
}

/** An ES module for an entry of the library, for users who import it. */
function moduleOf({ isEntry, name, exports }) {
  if (!isEntry || !["index", "assert"].includes(name)) return null;
  return `import library from "./${name}.cjs";\nexport const { ${exports.join(", ")} } = library;\n`;
}

/** Vitest can only be imported, not required. The checks of the matchers are in the entry `run-checks`. */
function matchersModule() {
  const text = readFileSync(join(root, "dist/src/vitest.js"), "utf8");
  const own = 'import * as checks from "./interfaces/library/run-checks.js";';
  if (!text.includes(own)) throw new Error(`dist/src/vitest.js has no line ${own}`);
  return text.replace(own, 'import checks from "./run-checks.cjs";');
}

/** The libraries' names, versions and licence texts; equal texts are written once. */
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
