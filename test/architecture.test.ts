import { readFileSync, readdirSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

/** Which folders of ours each folder of the pure core may import, beside itself. The shell may import everything to its left. */
const core: Record<string, readonly string[]> = {
  "src/model": [],
  "src/otlp": ["src/model"],
  "src/assemble": ["src/model", "src/otlp"],
  "src/runs": ["src/model", "src/assemble"],
  "src/statistics": ["src/model"],
  "src/price": ["src/model"],
  "src/redact": ["src/model"],
  "src/evaluate": ["src/model", "src/statistics", "src/spec/compiled.ts"],
  "src/spec": ["src/model", "src/evaluate"],
  "src/match": ["src/model", "src/spec"],
  "src/doctor": ["src/model", "src/assemble", "src/runs", "src/evaluate", "src/spec"],
  "src/render": [
    "src/model",
    "src/evaluate",
    "src/statistics",
    "src/spec",
    "src/match",
    "src/doctor",
    "src/baseline",
    "src/backtest",
    "src/authoring",
  ],
  "src/backtest": ["src/model"],
  "src/authoring": ["src/model", "src/assemble", "src/evaluate", "src/spec", "src/match"],
  "src/baseline": [
    "src/model",
    "src/redact",
    "src/evaluate",
    "src/statistics",
    "src/spec",
    "src/match",
    "src/render/run-json.ts",
    "src/render/verdict-json.ts",
    "src/render/verdict-schema.ts",
  ],
  "src/pipeline": [
    "src/model",
    "src/otlp",
    "src/assemble",
    "src/runs",
    "src/match",
    "src/evaluate",
    "src/spec",
  ],
};

/** Libraries that compute and nothing else. */
const pureLibraries = ["zod", "yaml", "re2js", "ajv", "ajv-formats", "csv-parse", "@pydantic/genai-prices"];

const files = [...typescriptFiles("src"), ...typescriptFiles("adapters")];
const importsOf = new Map(files.map((file) => [file, readImports(file)]));

describe("the import law", () => {
  test("the core is pure and imports only leftwards", () => {
    const strangers = files.flatMap((file) => {
      const folder = coreFolder(file);
      if (folder === undefined) return [];
      const allowed = [folder, ...(core[folder] ?? [])];
      return (importsOf.get(file) ?? [])
        .filter((target) =>
          target.startsWith("src/")
            ? !allowed.some((prefix) => target === prefix || target.startsWith(`${prefix}/`))
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
      .filter((file) => coreFolder(file) !== undefined)
      .map((file) => `${file}: ${reads.exec(withoutComments(readFileSync(file, "utf8")))?.[0]}`)
      .filter((line) => !line.endsWith(": undefined"));

    expect(readers).toEqual([]);
  });

  test("an adapter imports the adapter contract and its own folder", () => {
    const strangers = files
      .filter((file) => /^adapters\/[^/]+\//.test(file))
      .flatMap((file) =>
        (importsOf.get(file) ?? [])
          .filter((target) => target !== "src/runs/adapter.ts" && dirname(target) !== dirname(file))
          .map((target) => `${file} → ${target}`),
      );

    expect(strangers).toEqual([]);
  });

  test("nothing in src but the command line imports the adapters", () => {
    const importers = files.filter(
      (file) => file.startsWith("src/") && !file.startsWith("src/cli/") && file !== "src/index.ts",
    );

    expect(
      importers.filter((file) => importsOf.get(file)?.some((target) => target.startsWith("adapters/"))),
    ).toEqual([]);
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

function coreFolder(file: string): string | undefined {
  return Object.keys(core).find((folder) => file.startsWith(`${folder}/`));
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
