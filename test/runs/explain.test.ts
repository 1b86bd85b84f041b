import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { replay } from "../../src/replay/replay.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import type { Explanation } from "../../src/model/explanation.ts";
import type { AgentRun } from "../../src/model/run.ts";

async function explained(path: string): Promise<Explanation[][]> {
  const all: Explanation[][] = [];
  const config = { attributes: [], prices: {} };
  const onRun = (run: AgentRun): void => {
    if (isExplained(run)) all.push(run.explain());
  };
  await replay([path], { config, stdin: process.stdin, onRun });
  return all;
}

const fact = (all: readonly Explanation[], name: string): Explanation => {
  const found = all.find((one) => one.fact === name);
  if (found === undefined) throw new Error(`no fact ${name}`);
  return found;
};

const fixtures = readdirSync("adapters", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) =>
    readdirSync(`adapters/${name}/fixtures`)
      .filter((file) => file.endsWith(".jsonl"))
      .map((file) => `adapters/${name}/fixtures/${file}`),
  );

describe("inspect --explain", () => {
  it("names the attribute, the span and the dialect that a fact was read from", async () => {
    const [run = []] = await explained("adapters/openinference/fixtures/agents-sdk.jsonl");
    const { from, value } = fact(run, "input_tokens");
    expect(value).toBe("610");
    expect(from.map(({ attribute, dialect, value: own }) => [attribute, dialect, own])).toEqual([
      ["llm.token_count.prompt", "openinference", "212"],
      ["llm.token_count.prompt", "openinference", "398"],
    ]);
  });

  it("says how a sum came about where the producer leaves cached tokens out", async () => {
    const [run = []] = await explained("adapters/langfuse/fixtures/tool.jsonl");
    expect(fact(run, "input_tokens").note).toBe(
      "cached tokens were left out by the producer and are added in 1 of 2 calls",
    );
  });

  it("says why sums on other spans were passed over", async () => {
    const [run = []] = await explained("adapters/ai-sdk/fixtures/version-6.jsonl");
    const { passedOver } = fact(run, "input_tokens");
    expect(passedOver.map(({ why }) => why)).toContain("a sum over calls that are counted one by one");
  });

  it.each(fixtures)("%s: each fact has a source, or a word about where it comes from", async (path) => {
    for (const run of await explained(path)) {
      for (const name of ["query", "answer", "llm_calls", "input_tokens"]) {
        const { value, from, note } = fact(run, name);
        const isExplained = value === null ? from.length === 0 : from.length > 0 || note !== null;
        expect(isExplained, `${path}: ${name}`).toBe(true);
      }
    }
  });
});
