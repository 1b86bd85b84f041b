import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { adapters } from "../../adapters/index.ts";
import { replay } from "../../src/replay/replay.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { subsetOf } from "./run-subset.ts";

interface Expected {
  /** `recorded: package version` or `documented: where the shape comes from`. */
  readonly source: string;
  readonly runs: readonly unknown[];
}

const folders = readdirSync("adapters", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const fixtures = folders.flatMap((folder) => {
  const path = `adapters/${folder}/fixtures`;
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".jsonl")) : [];
  return names.map((name) => ({ folder, name, path: `${path}/${name}` }));
});

async function runsOf(path: string): Promise<AgentRun[]> {
  const runs: AgentRun[] = [];
  const config = { attributes: [], prices: {} };
  await replay([path], { config, stdin: process.stdin, onRun: (run) => runs.push(run) });
  return runs.sort((a, b) => a.startUnixMs - b.startUnixMs);
}

it.each(fixtures)(
  "the fixture $folder/$name gives the runs that are written beside it",
  async ({ folder, path }) => {
    const file = path.replace(".jsonl", ".expected.json");
    const runs = await runsOf(path);
    const found = JSON.parse(JSON.stringify(runs.map(subsetOf))) as readonly unknown[];
    let expected: Expected = { source: "", runs: [] };
    if (existsSync(file)) expected = JSON.parse(readFileSync(file, "utf8")) as Expected;
    if (process.env["UPDATE_GOLDEN"] === "1" && !isDeepStrictEqual(found, expected.runs)) {
      expected = { ...expected, runs: found };
      writeFileSync(file, `${JSON.stringify(expected, null, 2)}\n`);
    }
    expect(expected.source).toMatch(/^(?:recorded|documented): \S/);
    expect(found).toEqual(expected.runs);
    expect(runs[0]?.dialects).toContain(folder);
  },
);

it.each(folders)("the folder %s has an adapter that is in use, a README and a fixture", (folder) => {
  expect(adapters.map(({ dialect }) => dialect)).toContain(folder);
  const readme = readFileSync(`adapters/${folder}/README.md`, "utf8");
  for (const part of ["**Producers.**", "**What they write.**", "**What is lost.**", "**Content.**"])
    expect(readme).toContain(part);
  const own = fixtures.filter((fixture) => fixture.folder === folder);
  expect(own).not.toEqual([]);
  for (const { name } of own) expect(readme).toContain(`\`${name}\``);
});
