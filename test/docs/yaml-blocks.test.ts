import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { problemsOf } from "../support/yaml-block.ts";

/*
 * Every YAML block of the pages and of `--help` is valid where it belongs: a spec, a part of one put in its place, or a configuration.
 * What is read by other programs (workflows, Compose, the Collector, Helm) is told by the keys it begins with.
 */

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? pagesIn(path) : path.endsWith(".md") ? [path] : [];
  });
}

const blocks = [...pagesIn("docs"), "README.md"].flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(/^( *)```ya?ml[^\n]*\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = "", text = ""], at) => ({
      name: `${page} ${at + 1}`,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  ),
);

/** Parts of specs in tables and sentences: `correctness: { … }`. */
const inline = [...pagesIn("docs"), "README.md"].flatMap((page) =>
  [
    ...readFileSync(page, "utf8").matchAll(
      /`((?:correctness|path|cost|match|reliability|resilience|scoring): \{[^`]*\})`/g,
    ),
  ].flatMap(([, text = ""]) =>
    text.includes("…") ? [] : [{ name: `${page}: ${text}`, text: text.replaceAll("\\|", "|") }],
  ),
);

test.each(inline)("$name is valid in its place", ({ text }) => {
  expect(problemsOf(text)).toEqual([]);
});

test.each(blocks)("$name is valid in its place", ({ text }) => {
  expect(problemsOf(text)).toEqual([]);
});

/** Commands as `--help` lists them. */
async function commandNames(): Promise<readonly string[]> {
  const { stdout } = await runCli("--help");
  return ["", ...[...stdout.matchAll(/^ {2}([a-z][a-z-]+)(?= )/gm)].map(([, name = ""]) => name)];
}

/** Lines of a help text that are YAML: keys that begin a line, and what is indented below or follows. */
function yamlIn(help: string): readonly string[] {
  const parts = help.split(/\n\s*\n/).filter((part) => /^ *(?:- )?[a-z_]+: ?(?:\S|$)/.test(part));
  return parts.filter((part) => !/^(?:Usage|Documentation): /.test(part));
}

test("YAML in --help is valid in its place, and so is what --set takes in its examples", async () => {
  const names = await commandNames();
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    const { stdout } = await runCli(...(name === "" ? [] : [name]), "--help");
    for (const text of yamlIn(stdout)) expect([name, problemsOf(text)]).toEqual([name, []]);
    for (const [, key = "", value = ""] of stdout.matchAll(/--set\s+([a-z_.]+)=(\S+?)(?=[\s)])/g)) {
      const { code } = await runCli("config", "print", "--set", `${key}=${value}`);
      expect([name, key, code]).toEqual([name, key, 0]);
    }
  }
});

test("an example of --help has options that its command knows, and specs that are valid", async () => {
  for (const name of await commandNames()) {
    // A group of commands has none of its own.
    if (["", "help", "config", "models"].includes(name)) continue;
    const { stdout } = await runCli(name, "--help");
    const [, example = ""] = /Example:\n\s+tracejury ([^]+?)\n\s*\n/.exec(`${stdout}\n\n`) ?? [];
    expect(example.split(/\s/)[0]).toBe(name);
    const known = new Set([...stdout.matchAll(/(?<![\w-])(--[a-z-]+)/g)].map(([, option]) => option));
    for (const [option] of example.matchAll(/--[a-z-]+/g))
      expect([name, known.has(option)]).toEqual([name, true]);
    for (const [spec] of example.matchAll(/specs\/[\w-]+\.yaml/g))
      expect([spec, (await runCli("validate", spec)).code]).toEqual([spec, 0]);
  }
});
