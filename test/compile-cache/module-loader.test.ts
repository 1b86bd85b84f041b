import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CompiledSources } from "../../src/interfaces/cli/compile-cache/compiled-code.ts";
import { ModuleLoader } from "../../src/interfaces/cli/compile-cache/module-loader.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(made, name, ".."), { recursive: true });
    writeFileSync(join(made, name), text);
  }
  return made;
}

const nothing: CompiledSources = new Map();

describe("a CommonJS module", () => {
  const files = {
    "a.cjs": `const b = require("./b.cjs"); exports.name = "a"; exports.ofB = () => b.name; exports.here = [__filename, __dirname];`,
    "b.cjs": `const a = require("./a.cjs"); exports.name = "b"; exports.ofA = () => a.name; exports.again = require("./a.cjs") === a;`,
  };

  test("is loaded once, with those that it requires, in a circle too", () => {
    const dir = folderWith(files);
    const loader = new ModuleLoader(nothing);
    const a = loader.load(join(dir, "a.cjs")) as { ofB: () => string; here: string[] };
    const b = loader.load(join(dir, "b.cjs")) as { ofA: () => string; again: boolean };

    expect([a.ofB(), b.ofA(), b.again]).toEqual(["b", "a", true]);
    expect(a.here).toEqual([join(dir, "a.cjs"), dir]);
    expect(loader.load(join(dir, "a.cjs"))).toBe(a);
  });

  test("takes Node's modules, libraries and ES modules from where Node has them", async () => {
    const dir = folderWith({
      "main.cjs": `exports.join = require("node:path").join; exports.common = require("common"); exports.plain = require("plain");
exports.later = () => import("./es.mjs"); exports.package = () => import("plain");`,
      "es.mjs": "export const kind = 'es';",
      "node_modules/common/package.json": '{ "main": "./main.cjs" }',
      "node_modules/common/main.cjs": "module.exports = function common() { return require('./part.cjs'); };",
      "node_modules/common/part.cjs": "module.exports = 'a part';",
      "node_modules/plain/index.js": "exports.kind = 'plain';",
    });
    const loader = new ModuleLoader(nothing);
    const main = loader.load(join(dir, "main.cjs")) as {
      join: unknown;
      common: () => string;
      plain: { kind: string };
      later: () => Promise<{ kind: string }>;
      package: () => Promise<{ kind: string }>;
    };

    expect(main.join).toBe(join);
    expect(main.common()).toBe("a part");
    expect(main.plain.kind).toBe("plain");
    expect((await main.later()).kind).toBe("es");
    expect((await main.package()).kind).toBe("plain");
    expect([...loader.compiled().keys()].map((path) => path.slice(dir.length + 1)).sort()).toEqual([
      "main.cjs",
      "node_modules/common/main.cjs",
      "node_modules/common/part.cjs",
    ]);
  });

  test("that throws is loaded anew when it is required again", () => {
    const dir = folderWith({ "broken.cjs": `if (!globalThis.isMended) throw new Error("not yet");` });
    const loader = new ModuleLoader(nothing);
    const path = join(dir, "broken.cjs");

    expect(() => loader.load(path)).toThrow("not yet");
    Reflect.set(globalThis, "isMended", true);
    onTestFinished(() => void Reflect.deleteProperty(globalThis, "isMended"));
    expect(() => loader.load(path)).not.toThrow();
  });

  test("has its own lines and columns in a stack trace", () => {
    const dir = folderWith({
      "first.cjs": "throw new Error('in the first line')",
      "third.cjs":
        "function outer() {\n  function inner() {\n    throw new Error('deep'); }\n  inner(); }\nouter();",
    });
    const stackOf = (name: string): string[] => {
      try {
        new ModuleLoader(nothing).load(join(dir, name));
      } catch (error) {
        return (error as Error).stack?.split("\n") ?? [];
      }
      return [];
    };

    expect(stackOf("first.cjs").find((line) => line.includes("first.cjs:1:7"))).toBeDefined();
    const [, inner, outer] = stackOf("third.cjs").filter((line) => !line.includes("throw new"));
    expect(inner).toContain(`at inner (${join(dir, "third.cjs")}:3:11)`);
    expect(outer).toContain(`at outer (${join(dir, "third.cjs")}:4:3)`);
  });
});

describe("with compiled code", () => {
  const answer = (loader: ModuleLoader, dir: string): unknown =>
    (loader.load(join(dir, "main.cjs")) as { answer: () => unknown }).answer();
  const source = (word: string): string => `exports.answer = () => require("./part.cjs").word + "${word}";`;

  test("nothing is compiled that an earlier loader compiled", () => {
    const dir = folderWith({ "main.cjs": source("!"), "part.cjs": "exports.word = 'hello';" });
    const first = new ModuleLoader(nothing);
    expect(answer(first, dir)).toBe("hello!");
    expect(first.isComplete).toBe(false);

    const second = new ModuleLoader(first.compiled());
    expect(answer(second, dir)).toBe("hello!");
    expect(second.isComplete).toBe(true);
  });

  test("a source that was changed is run as it is now, even one of the same length", () => {
    const dir = folderWith({ "main.cjs": source("!"), "part.cjs": "exports.word = 'hello';" });
    const first = new ModuleLoader(nothing);
    answer(first, dir);
    writeFileSync(join(dir, "main.cjs"), source("?"));

    const second = new ModuleLoader(first.compiled());
    expect(answer(second, dir)).toBe("hello?");
    expect(second.isComplete).toBe(false);
  });

  test("what was not loaded this time stays for the next", () => {
    const dir = folderWith({ "main.cjs": source("!"), "part.cjs": "exports.word = 'hello';" });
    const first = new ModuleLoader(nothing);
    answer(first, dir);
    const second = new ModuleLoader(first.compiled());
    second.load(join(dir, "part.cjs"));

    expect([...second.compiled().keys()].sort()).toEqual([join(dir, "main.cjs"), join(dir, "part.cjs")]);
  });
});
