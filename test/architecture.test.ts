import { readFileSync, readdirSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

/** Folders of src that only group others: what they hold has rows of its own. */
const groups = ["interfaces", "report", "support"];

/**
 * Which folders each folder of src may import, beside itself; `adapters` is what all adapters share, the files beside their folders. The first table is the pure core: no Node built-in, no clock, no
 * randomness, no environment. The second is the shell, which does input and output and makes no decision about a run.
 */
const core: Record<string, readonly string[]> = {
  structures: ["model"],
  model: [],
  adapters: ["model"],
  otlp: ["model", "structures"],
  assemble: ["model", "structures", "otlp"],
  runs: ["model", "structures", "assemble", "adapters"],
  statistics: ["model", "structures"],
  redact: ["model"],
  evaluate: ["model", "structures", "statistics"],
  match: ["model", "structures", "evaluate"],
  spec: ["model", "structures", "evaluate", "match"],
  pipeline: ["model", "structures", "otlp", "assemble", "runs", "match", "evaluate"],
  json: ["model", "structures", "statistics", "match"],
  baseline: ["model", "structures", "redact", "statistics", "match", "evaluate", "json"],
  authoring: ["model", "structures", "assemble", "adapters", "runs", "match", "evaluate", "spec"],
  render: ["model", "structures", "statistics", "match", "evaluate", "spec", "json", "baseline", "authoring"],
};

const shell: Record<string, readonly string[]> = {
  process: ["structures"],
  http: ["structures", "security"],
  security: ["model", "structures"],
  journal: ["model", "structures", "otlp", "assemble", "process"],
  receive: ["model", "structures", "otlp", "journal", "security"],
  judge: ["model", "structures", "evaluate", "json", "process", "security", "http"],
  export: [
    "model",
    "structures",
    "otlp",
    "assemble",
    "pipeline",
    "json",
    "process",
    "security",
    "http",
    "journal",
    "receive",
    "judge",
  ],
  telemetry: ["model", "structures", "export"],
  store: [
    "model",
    "structures",
    "otlp",
    "assemble",
    "pipeline",
    "evaluate",
    "redact",
    "json",
    "process",
    "export",
  ],
  config: [
    "model",
    "assemble",
    "adapters",
    "runs",
    "pipeline",
    "evaluate",
    "spec",
    "redact",
    "process",
    "security",
    "receive",
    "judge",
    "export",
    "store",
    "telemetry",
  ],
  api: [
    "model",
    "structures",
    "otlp",
    "assemble",
    "pipeline",
    "statistics",
    "evaluate",
    "spec",
    "json",
    "render",
    "process",
    "security",
    "store",
    "config",
  ],
  "model-server": ["model", "structures", "process", "redact", "security", "http", "receive"],
  mcp: ["model", "structures", "json", "render", "process", "security", "http"],
  pull: ["model", "structures", "receive", "judge", "config", "process", "http"],
  replay: [
    ...Object.keys(core),
    "process",
    "security",
    "http",
    "receive",
    "judge",
    "config",
    "mcp",
    "store",
    "pull",
    "model-server",
  ],
  collector: [
    ...Object.keys(core),
    "process",
    "security",
    "http",
    "journal",
    "receive",
    "judge",
    "export",
    "telemetry",
    "store",
    "config",
    "api",
    "replay",
    "model-server",
  ],
  library: [...Object.keys(core), "process", "telemetry", "config", "replay", "collector"],
  cli: [
    ...Object.keys(core),
    "process",
    "security",
    "receive",
    "judge",
    "telemetry",
    "store",
    "config",
    "api",
    "mcp",
    "pull",
    "replay",
    "collector",
    "library",
    "model-server",
  ],
};

/** Libraries that compute and nothing else. */
const pureLibraries = ["zod", "yaml", "re2js", "ajv", "ajv-formats", "csv-parse", "@pydantic/genai-prices"];

const files = [...typescriptFiles("src"), ...typescriptFiles("adapters")];
const importsOf = new Map(files.map((file) => [file, readImports(file)]));

describe("the import law", () => {
  test("each folder of src has a row", () => {
    const folders = ["src", ...groups.map((group) => `src/${group}`)].flatMap((parent) =>
      readdirSync(parent).filter(
        (name) => statSync(join(parent, name)).isDirectory() && !groups.includes(name),
      ),
    );

    expect([...folders, "adapters"].sort()).toEqual([...Object.keys(core), ...Object.keys(shell)].sort());
  });

  test("a folder imports what its row names", () => {
    const rows = { ...core, ...shell };
    const strangers = files.flatMap((file) => {
      const folder = folderOf(file);
      if (folder === undefined) return [];
      return (importsOf.get(file) ?? [])
        .filter((target) => folderOf(target) !== undefined)
        .filter((target) => ![folder, ...(rows[folder] ?? [])].includes(folderOf(target) ?? ""))
        .map((target) => `${file} → ${target}`);
    });

    expect(strangers).toEqual([]);
  });

  test("no two folders import each other", () => {
    const rows: Record<string, readonly string[]> = { ...core, ...shell };
    const pairs = Object.keys(rows).flatMap((a) =>
      (rows[a] ?? []).filter((b) => rows[b]?.includes(a)).map((b) => `${a} ↔ ${b}`),
    );

    expect(pairs).toEqual([]);
  });

  test("the core imports no folder of the shell and only libraries that compute", () => {
    const strangers = files.flatMap((file) => {
      if (!isCore(file)) return [];
      return (importsOf.get(file) ?? [])
        .filter((target) =>
          /^(?:src|adapters)\//.test(target)
            ? !isCore(target)
            : !pureLibraries.some((library) => target === library || target.startsWith(`${library}/`)),
        )
        .map((target) => `${file} → ${target}`);
    });

    expect(strangers).toEqual([]);
  });

  test("the core reads no clock, chance or environment", () => {
    const reads =
      /\b(Date\.now|new Date\(\)|performance\.now|Math\.random|crypto\.|process\.|console\.(?!ts)|setTimeout|setInterval|fetch\()/;
    const readers = files
      .filter(isCore)
      .map((file) => `${file}: ${reads.exec(withoutComments(readFileSync(file, "utf8")))?.[0]}`)
      .filter((line) => !line.endsWith(": undefined"));

    expect(readers).toEqual([]);
  });

  test("the core has no variables of modules: two engines in one process are independent", () => {
    // One table for all engines: numbers stand for attribute names in rows, wherever they are read. It is bounded, and says nothing but names.
    const namesOfAttributes = [
      "src/model/telemetry/attribute-key.ts",
      "src/otlp/attributes/attribute-symbols.ts",
    ];
    // Only `npm run rules` and `npm run score` switch rules off, each in a process of its own.
    const switches = ["src/runs/rules.ts"];
    const variable =
      /^(?:export )?let |^(?:export )?const (?!.*(?:readonly|Readonly|Captures)).* = (?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|\[\]);/m;
    const holders = files.filter(isCore).filter((file) => variable.test(readFileSync(file, "utf8")));

    expect(holders.toSorted()).toEqual([...namesOfAttributes, ...switches].sort());
  });

  test("an adapter imports what all adapters share and its own folder", () => {
    const strangers = files
      .filter((file) => /^adapters\/[^/]+\//.test(file))
      .flatMap((file) =>
        (importsOf.get(file) ?? [])
          .filter((target) => !isShared(target))
          .filter((target) => dirname(target) !== dirname(file))
          .map((target) => `${file} → ${target}`),
      );

    expect(strangers).toEqual([]);
  });

  test("only what puts the parts together imports the adapters", () => {
    const importers = files.filter(
      (file) =>
        file.startsWith("src/") &&
        !["src/replay/", "src/collector/", "src/interfaces/cli/"].some((folder) => file.startsWith(folder)),
    );

    expect(
      importers.filter((file) =>
        importsOf.get(file)?.some((target) => target.startsWith("adapters/") && !isShared(target)),
      ),
    ).toEqual([]);
  });

  test("one HTTP client sends all requests, so redirects are handled in one place", () => {
    const asks = /(?<![.\w])fetch\(|import [^;]*\brequest\b[^;]* from "node:https?"/;
    const askers = files.filter(
      (file) =>
        !file.startsWith("src/support/http/") && asks.test(withoutComments(readFileSync(file, "utf8"))),
    );

    expect(askers).toEqual([]);
  });

  test("one parser reads JSON in received texts, so its bounds are defined in one place", () => {
    // What a schema of a spec is a copy of, and what the process itself wrote to its child.
    const own = ["src/evaluate/rules/json-schema.ts", "src/judge/user-checks/module-process.ts"];
    const readers = files.filter(
      (file) =>
        /^(?:adapters|src\/(?:runs|match|evaluate|judge|spec|authoring|pipeline))\//.test(file) &&
        !own.includes(file) &&
        withoutComments(readFileSync(file, "utf8")).includes("JSON.parse("),
    );

    expect(readers).toEqual([]);
  });

  test("no module imports itself over others", () => {
    expect(findCycle()).toBeUndefined();
  });

  test("no file inside src only passes other files on", () => {
    const barrels = files.filter((file) => {
      const code = withoutComments(readFileSync(file, "utf8")).trim();
      return (
        file !== "src/index.ts" &&
        code !== "" &&
        code.split(/;\s*/).every((line) => line === "" || /^export .*from /s.test(line))
      );
    });

    expect(barrels).toEqual([]);
  });
});

/** What adapters are written with: all beside their folders but the list of adapters. */
function isShared(file: string): boolean {
  return /^adapters\/[^/]+\.ts$/.test(file) && file !== "adapters/index.ts";
}

/** The folder with a row that a file is in; undefined for the entry points beside them, and for adapters. */
function folderOf(file: string): string | undefined {
  if (isShared(file)) return "adapters";
  const [, outer, inner] = /^src\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? [];
  return groups.includes(outer ?? "") ? inner : outer;
}

function isCore(file: string): boolean {
  return (folderOf(file) ?? "") in core;
}

function typescriptFiles(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? typescriptFiles(path) : [path]))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("/fixtures/"));
}

/** Targets of a file's imports: project files by path, everything else by the name of its package or built-in. */
function readImports(file: string): string[] {
  const code = withoutComments(readFileSync(file, "utf8"));
  const statement =
    /^(?:import|export)\b[^;"]*?\bfrom\s*"([^"\n]+)"|^import\s*"([^"\n]+)"|\bimport\("([^"\n]+)"\)/gm;
  const targets = [...code.matchAll(statement)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  return targets.map((target) => {
    if (target.startsWith(".")) return relative(".", resolve(dirname(file), target));
    return builtinModules.includes(target) ? `node:${target}` : target;
  });
}

function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|[^:"'`])\/\/.*$/gm, "$1");
}

function findCycle(): string | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(" → ");
    if (done.has(file)) return undefined;
    for (const target of importsOf.get(file) ?? []) {
      const cycle = importsOf.has(target) ? visit(target, [...path, file]) : undefined;
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
