import { readdirSync, readFileSync } from "node:fs";
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

test("CONTRIBUTING names commands that there are, and every one that a change may need", () => {
  const page = readFileSync("CONTRIBUTING.md", "utf8");
  const named = new Set(
    [...page.matchAll(/`(?:npm run )?([a-z]+(?:[:-][a-z]+)*)(?: -- [^`]*)?`/g)].map(([, name = ""]) => name),
  );
  const commands = [...page.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = ""]) => name);
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
  const byNpm = ["pretest", "precheck", "version", "build", "start", "test", "format"];
  expect(Object.keys(scripts).filter((name) => !byNpm.includes(name) && !named.has(name))).toEqual([]);
});
