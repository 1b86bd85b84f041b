import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/*
 * docs/dependencies.md, package.json and the imports of the product name the same packages.
 */

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const { dependencies, optionalDependencies, devDependencies, scripts } = JSON.parse(
  readFileSync("package.json", "utf8"),
) as PackageJson;
const shipped = Object.keys({ ...dependencies, ...optionalDependencies }).toSorted();

const [, withThePackage = "", forDevelopment = ""] = readFileSync("docs/dependencies.md", "utf8").split(
  /^## .*$/m,
);

/** Packages in the first column of a section's table. */
function packagesIn(section: string): string[] {
  const columns = [...section.matchAll(/^\| (`[^|]*) \|/gm)].map(([, column = ""]) => column);
  return columns
    .flatMap((column) => [...column.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name))
    .toSorted();
}

const sources = ["src", "adapters"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(folder, file), "utf8")),
);

/** Packages that the product imports: by a statement, when they are needed, or by a name that is a constant. */
const imported = new Set(
  sources
    .flatMap((code) => [
      ...code.matchAll(
        /(?:\bfrom |^import |\bimport\(|\brequire\(|\)\(|_PACKAGE = )"((?:@[\w-]+\/)?[\w-]+)/gm,
      ),
    ])
    .map(([, name = ""]) => name),
);

test("the page has a row for each package that is installed with ours, and for no other", () => {
  expect(packagesIn(withThePackage)).toEqual(shipped);
});

test("the page has each package that development needs, and no other", () => {
  expect(packagesIn(forDevelopment)).toEqual(Object.keys(devDependencies).toSorted());
});

test("product code imports each package that is installed with ours", () => {
  expect(shipped.filter((name) => !imported.has(name))).toEqual([]);
});

test("of what development needs, product code imports vitest: who uses its matchers has it", () => {
  expect(Object.keys(devDependencies).filter((name) => imported.has(name))).toEqual(["vitest"]);
});

test("versions are exact", () => {
  const all = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies });
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("CONTRIBUTING names commands that there are, and every script", () => {
  const page = readFileSync("CONTRIBUTING.md", "utf8");
  const commands = [...page.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = ""]) => name);
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
  const byNpm = ["version", "build", "start", "test"];
  expect(Object.keys(scripts).filter((name) => !byNpm.includes(name) && !commands.includes(name))).toEqual(
    [],
  );
});

test("CONTRIBUTING has a row for each script of `npm run long`", () => {
  const page = readFileSync("CONTRIBUTING.md", "utf8");
  const rows = [...page.matchAll(/^\|[^|]*\| (`[^|]*) \|/gm)].flatMap(([, column = ""]) =>
    [...column.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  const own = new Set(Object.values(scripts).map((line) => /dist\/test\/long\/([a-z-]+)/.exec(line)?.[1]));
  const entriesOf = (folder: string, prefix: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const file = entry.isDirectory() ? join(folder, entry.name, "run.ts") : join(folder, entry.name);
      return file.endsWith(".ts") && existsSync(file) ? [prefix + entry.name.replace(/\.ts$/, "")] : [];
    });
  const benchmarks = entriesOf("bench", "bench/").filter((name) => existsSync(join(name, "run.ts")));
  const names = [...entriesOf("test/long", ""), ...benchmarks];
  expect(rows.filter((name) => !name.startsWith("npm run")).toSorted()).toEqual(
    names.filter((name) => !own.has(name)).toSorted(),
  );
});
