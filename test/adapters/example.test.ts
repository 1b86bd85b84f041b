import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { adapters } from "../../adapters/index.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import { tracesOf } from "../support/runs.ts";
import { acme } from "./example/adapter.ts";
import { subsetOf } from "./run-subset.ts";

const dump = readFileSync("test/adapters/example/failed-tool.jsonl", "utf8");
const readme = readFileSync("adapters/README.md", "utf8");

describe("the worked example of adapters/README.md", () => {
  it("is the adapter that is tested here", () => {
    const code = readFileSync("test/adapters/example/adapter.ts", "utf8");
    const shown = /```ts\n(import type[\s\S]+?)```/.exec(readme)?.[1];
    expect(shown).toBe(code.replace("../../../adapters/", "../"));
  });

  it("gives the run that the README shows", () => {
    const shown = JSON.parse(/```json\n([\s\S]+?)```/.exec(readme)?.[1] ?? "") as unknown;
    const joiner = new RunStitcher();
    for (const trace of tracesOf(
      dump
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ))
      joiner.add(new FragmentReader([acme, ...adapters]).read(trace), 0);
    expect(joiner.drain().map(subsetOf)).toEqual([shown]);
  });
});
