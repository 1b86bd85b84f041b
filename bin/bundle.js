#!/usr/bin/env node
// Joins the compiled sources and the libraries that most starts need into a few files in dist/lib/. Without the bundle, `serve` spends most
// of its start on reading about 1,000 small files. The bundle consists of CommonJS files, because all supported versions of Node can cache
// the compiled code of such files. Libraries and Node's modules are loaded at first use. Does nothing if the bundle is newer than its
// sources. `--all-libraries FOLDER` writes a bundle with all libraries, for installations without node_modules, such as the Python wheel.
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
 * Libraries that most starts need, with their dependencies. All other libraries stay outside of the bundle. They are native, have files or
 * threads of their own, are rarely used, or are large and already a single file.
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

/** Libraries that our code requires by name at run time. In a bundle with all libraries, each of these is a package next to the bundle. */
const requiredByName = ["fzstd", "lz4js", "protobufjs", "snappyjs"];

/**
 * Modules that are never bundled: the user's own vitest, a module that Node has from 22.13 on, and the SDK for Tracejury's own traces. This
 * SDK is larger than all other libraries together.
 */
const neverJoined = [
  "vitest",
  "@photostructure/sqlite",
  "@opentelemetry/sdk-node",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/exporter-trace-otlp-proto",
];

/** Libraries that are not bundled, and are loaded at first use. */
const loadedLate = ["csv-parse/sync", "re2js", "fzstd", "@pydantic/genai-prices"];

/** Entry modules of the command line and of `test`. Modules that only `replay/test` imports are bundled into one file. */
const replaying = ["interfaces/cli/main", "replay/test"].map((path) => join(root, `dist/src/${path}.js`));

/**
 * Our code keeps its lines and the names of its functions, so that stack traces are readable. Local names within functions are shortened.
 */
const legible = {
  module: true,
  compress: false,
  mangle: { toplevel: false, keepNames: true },
  codegen: { removeWhitespace: false },
};

/** Returns the name of the package that a module belongs to; null for Tracejury's own modules. */
const libraryOf = (id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? null;

/** A module that few replays need gets a file of its own in the bundle, so that its libraries are loaded only at first use. */
const seldom = new Map([[join(root, "dist/src/evaluate/rules/json-schema.js"), "json-schema-check"]]);

/** Caches the result of `reachableFrom`. */
const reachable = new Map();

// Compares with the compiled files, because tsc writes only changed files: a change in a test does not change dist/src.
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
        // Removes the indentation. This is safe, because no string in our code has a line that starts with a tab.
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
    // Prefers ES modules, because unused exports can be removed from them.
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
          // Converts `import()`, which is experimental in Node for cached code. None of these libraries needs it.
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
 * Returns the name of the output file of a module: one for each library, one for all of OpenTelemetry, and one for modules that only replay
 * imports. If null, the bundler chooses the file.
 */
function fileNameOf(id, graph) {
  const library = libraryOf(id);
  if (library !== null) return library.replace(/^(@opentelemetry)\/.*/, "$1").replaceAll(/[@/]/g, "_");
  const [command, replay] = replaying.map((path) => reachableFrom(path, graph));
  return seldom.get(id) ?? (replay.has(id) && !command.has(id) ? "replay" : null);
}

/** Returns a module and all modules that it statically imports, directly or indirectly. */
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
 * Changes code, so that it loads files, Node's modules and the libraries in `loadedLate` only at first use. Changes the name of a module
 * only if it is used solely to access members: any other use may be that of a local variable with the same name.
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

/**
 * Changes code, so that each export that is assigned only at its declaration is a plain value, which is shorter and faster than a getter.
 */
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

/** Returns the text of an ES module for an entry of the library, for users who import this entry. */
function moduleOf({ isEntry, name, exports }) {
  if (!isEntry || !["index", "assert"].includes(name)) return null;
  return `import library from "./${name}.cjs";\nexport const { ${exports.join(", ")} } = library;\n`;
}

/**
 * Returns the text of the module with the matchers for Vitest. It is an ES module, because Vitest can only be imported, not required. The
 * code of its checks is in the entry `run-checks`.
 */
function matchersModule() {
  const text = readFileSync(join(root, "dist/src/vitest.js"), "utf8");
  const own = 'import * as checks from "./interfaces/library/run-checks.js";';
  if (!text.includes(own)) throw new Error(`dist/src/vitest.js has no line ${own}`);
  return text.replace(own, 'import checks from "./run-checks.cjs";');
}

/** Returns the names, versions and licence texts of the libraries. Equal licence texts are written once. */
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
