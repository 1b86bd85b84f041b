import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { createMatcher } from "../../src/match/matcher.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { sampleRun } from "../match/sample-spec.ts";

function example(name: string) {
  const file = `specs/${name}`;
  const loaded = loadSpec({ file, text: readFileSync(file, "utf8") }, { checks });
  expect(loaded.problems).toEqual([]);
  if (!loaded.ok) throw new Error(`${name} is not valid`);
  return loaded.spec;
}

describe("the example specs", () => {
  test.each(readdirSync("specs"))("%s is valid, without warnings", (name) => {
    expect(example(name).queries.length).toBeGreaterThan(0);
  });

  test("support-router has its 32 queries", () => {
    expect(example("support-router.yaml").queries).toHaveLength(32);
  });

  test.each([
    ["rag-agent.yaml", "rag-agent", "how do i install agentci", "install"],
    ["rag-agent.yaml", "rag_agent", "What's the weather in Oslo?", "weather"],
    [
      "support-router.yaml",
      "TriageAgent",
      "reset my password, my email is ann@example.org",
      "reset-password",
    ],
    ["dev-agent.yaml", "dev-agent", 'Why does the test "div by zero" fail?', "explain-failure"],
  ])("%s: a run of %s asked %j is about %s", (name, agent, text, id) => {
    const spec = example(name);
    const run = sampleRun(text, {}, agent, name.replace(".yaml", ""));
    expect(createMatcher([spec]).match(run, spec)).toMatchObject({ kind: "matched", query: { id } });
  });
});
