import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { replay } from "../../src/replay/replay.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import type { Explanation } from "../../src/model/explanation.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { agentAttributes, chatAttributes, tokenCounts, toolAttributes, words } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";
import { unexplainedIn } from "./unknown-values.ts";

async function runsOf(path: string): Promise<AgentRun[]> {
  const runs: AgentRun[] = [];
  const config = { attributes: [], prices: {} };
  await replay([path], { config, stdin: process.stdin, onRun: (run) => runs.push(run) });
  return runs;
}

async function explained(path: string): Promise<Explanation[][]> {
  return (await runsOf(path)).flatMap((run) => (isExplained(run) ? [run.explain()] : []));
}

const fact = (all: readonly Explanation[], name: string): Explanation => {
  const found = all.find((one) => one.fact === name);
  if (found === undefined) throw new Error(`no fact ${name}`);
  return found;
};

const fixtures = globSync(["adapters/*/fixtures/*.jsonl", "test/fixtures/runs/**/*.jsonl"]).sort();

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

  it.each([
    ["adapters/langfuse/fixtures/tool.jsonl", "cached tokens (read or written) are missing"],
    [
      "test/fixtures/recordings/spring-ai-1.1-micrometer/one-tool/traces.jsonl",
      "report the sum of all calls so far",
    ],
  ])("says how the sum in %s came about", async (path, note) => {
    const [run = []] = await explained(path);
    expect(fact(run, "input_tokens").note).toContain(note);
  });

  it("names the attribute of a reported cost, or the prices that make it", async () => {
    const ofCall = (more: object) =>
      replayed(
        document([
          span("r", undefined, "chat", 0, 10, {
            ...chatAttributes("gpt-4o-mini"),
            ...tokenCounts(100, 10),
            ...more,
          }),
        ]),
      );
    const costOf = ([run]: readonly AgentRun[]): Explanation =>
      fact(run !== undefined && isExplained(run) ? run.explain() : [], "cost_usd");
    const reported = costOf(await ofCall({ "operation.cost": 0.25 }));
    expect(reported).toMatchObject({ value: "0.25", from: [{ attribute: "operation.cost" }], note: null });
    const priced = costOf(await ofCall({}));
    expect(priced).toMatchObject({ from: [], note: expect.stringMatching(/^tokens times the prices of /) });
    expect(costOf(await ofCall({ "gen_ai.request.model": "nobody-prices-it" }))).toMatchObject({
      value: null,
      note: expect.stringContaining("no price"),
    });
  });

  const agent = agentAttributes("Assistant");
  const said = (text: string) => JSON.stringify([words("assistant", text)]);
  const chat = {
    ...chatAttributes("m"),
    "gen_ai.input.messages": JSON.stringify([words("user", "<env-context>mac</env-context> How high?")]),
    "gen_ai.output.messages": said("3 m."),
  };

  it.each([
    ["a name that is also a usual one", "agent", 3],
    ["words that a harness wraps", "query", 6],
    ["another span's words", "answer", 2],
    ["a tool's failure", "status", 4],
    ["tokens that no call reports", "input_tokens", 7],
  ])("names the rule that decided: %s", async (_, name, number) => {
    const spans = [
      span("r", undefined, "invoke_agent Assistant", 0, 90, {
        ...agent,
        "gen_ai.output.messages": said("Something else."),
      }),
      {
        ...span("t", "r", "execute_tool gauge", 1, 5, toolAttributes("gauge")),
        status: { code: 2 },
      },
      span("a", "r", "chat m", 10, 50, chat),
    ];
    const [run] = await replayed(document(spans));
    const all = run !== undefined && isExplained(run) ? run.explain() : [];
    expect(fact(all, name).precedence?.number).toBe(number);
  });

  it.each(fixtures)(
    "%s: each fact has a source or a word about it, each unknown value a reason",
    async (path) => {
      const runs = await runsOf(path);
      expect(unexplainedIn(runs)).toEqual([]);
      for (const run of runs) {
        const facts = isExplained(run) ? run.explain() : [];
        for (const name of ["query", "answer", "llm_calls", "input_tokens"]) {
          const { value, from, note } = fact(facts, name);
          const hasSource = value === null ? from.length === 0 : from.length > 0 || note !== null;
          expect(hasSource, `${path}: ${name}`).toBe(true);
        }
      }
    },
  );
});
