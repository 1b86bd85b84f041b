import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { beforeAll, expect, test } from "vitest";

/*
 * What `npm pack` would put into the package. `node bin/check-package.js` installs and uses it.
 */

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let packed: Packed;
let paths: ReadonlySet<string>;

beforeAll(() => {
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
    encoding: "utf8",
  });
  const said = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  packed = Object.values(said)[0] as Packed;
  paths = new Set(packed.files.map(({ path }) => path));
});

test("it is small", () => {
  expect(packed.unpackedSize).toBeLessThan(4_800_000);
});

test("it holds what package.json promises, and what runs reads", () => {
  const { bin, exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
    bin: Record<string, string>;
    exports: Record<string, string | Record<string, string>>;
  };
  const promised = [
    ...Object.values(bin),
    ...Object.values(exports).flatMap((one) => (typeof one === "string" ? [one] : Object.values(one))),
  ];
  for (const path of promised) expect(paths).toContain(normalize(path));
  for (const path of `LICENSE config/rubrics/tone.v1.yaml proto/trace.proto dist/lib/main.cjs dist/lib/start.cjs
dist/lib/content-hash.txt dist/lib/reading-worker.cjs dist/lib/replay-worker.cjs
dist/lib/licences.txt`.split(/\s/)) {
    expect(paths).toContain(path);
  }
});

test("it holds nothing of the workshop", () => {
  expect(
    [...paths].filter((path) =>
      /^(test|bench|src|docs|dist\/(bench|test))\/|\.test\.|fixtures|\.map$/.test(path),
    ),
  ).toEqual([]);
});

test("its declarations are complete: whatever one imports is there, too", () => {
  const declarations = [...paths].filter((path) => path.endsWith(".d.ts"));
  const missing = declarations.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)]
      .map(([, target]) => join(dirname(file), (target ?? "").replace(/\.[jt]s$/, ".d.ts")))
      .filter((target) => !paths.has(target))
      .map((target) => `${file} → ${target}`),
  );
  expect(declarations).toContain("dist/src/index.d.ts");
  expect(missing).toEqual([]);
});

test("the list of licences is up to date, and all are permissive", () => {
  const { status, stderr } = spawnSync(process.execPath, ["bin/licences.js", "--check"], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
