import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { replay } from "../../src/replay/replay.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** For each value that a run may lack: whether it does, and the entries of `missing` that say so. */
const values: readonly (readonly [string, (run: AgentRun) => boolean, readonly string[]])[] = [
  ["agent", ({ agent }) => agent === null, ["agent"]],
  ["query", ({ query }) => query === null, ["query"]],
  ["answer", ({ answer }) => answer === null, ["answer", "end"]],
  ["status", ({ status }) => status === null, ["end"]],
  ["llm_calls", ({ llmCalls }) => llmCalls === null, ["llm_calls"]],
  ["total_tokens", ({ totalTokens }) => totalTokens === null, ["tokens"]],
  ["cost_usd", ({ costUsd }) => costUsd === null, ["cost"]],
  ["tools.name", ({ tools }) => tools.some(({ name }) => name === null), ["tool_names"]],
  ["tools.arguments", ({ tools }) => tools.some((one) => one.arguments === undefined), ["tool_arguments"]],
  [
    "tools.result",
    ({ tools }) =>
      tools.some(
        ({ executed, result, error }) => executed === true && result === undefined && error === null,
      ),
    ["tool_results"],
  ],
  ["tools.executed", ({ tools }) => tools.some(({ executed }) => executed === null), ["tool_execution"]],
];

function unexplained(run: AgentRun): string[] {
  const said = new Set(run.missing.map(({ what }) => what));
  return values
    .filter(([, isUnknown, whats]) => isUnknown(run) && !whats.some((what) => said.has(what)))
    .map(([name]) => name);
}

describe("each unknown value of a run has an entry in missing", () => {
  it.each(globSync(["adapters/*/fixtures/*.jsonl", "test/fixtures/runs/**/*.jsonl"]).sort())(
    "%s",
    async (dump) => {
      const runs: AgentRun[] = [];
      const config = { attributes: [], prices: {} };
      await replay([dump], { config, stdin: process.stdin, onRun: (run) => runs.push(run) });
      expect(runs.map(unexplained)).toEqual(runs.map(() => []));
    },
  );
});

const json = JSON.stringify;
const asked = json([{ role: "user", parts: [{ type: "text", content: "How high?" }] }]);
const said = json([{ role: "assistant", parts: [{ type: "text", content: "3.1 metres." }] }]);
const usage = { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2 };

async function missingOf(
  attributes: Readonly<Record<string, string | number>>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<ReadonlyMap<string, string>> {
  const named = { "gen_ai.operation.name": "chat", ...attributes };
  const spans = [
    span("r", undefined, "invoke_agent watcher", 0, 9, { "gen_ai.operation.name": "invoke_agent" }),
    span("a", "r", "chat", 1, 8, named, more),
  ];
  const [run] = await replayed(document(spans));
  return new Map(run?.missing.map(({ what, why }) => [what, why]));
}

const model = { "gen_ai.request.model": "gpt-4o-mini" };
const words = { "gen_ai.input.messages": asked, "gen_ai.output.messages": said };

describe("why a value is unknown is checked against the run's own data", () => {
  it("nothing is missing where all is there", async () => {
    expect([...(await missingOf({ ...model, ...usage, ...words }))]).toEqual([]);
  });

  it("words: a switch only where no content came at all", async () => {
    expect((await missingOf({ ...model, ...usage })).get("query")).toContain("contents are switched off");
    const half = await missingOf({ ...model, ...usage, "gen_ai.output.messages": said });
    expect(half.get("query")).toContain("other content is there");
    expect(half.has("answer")).toBe(false);
  });

  it("words: the sender's limit where spans lost attributes", async () => {
    const missing = await missingOf({ ...model, ...usage }, { droppedAttributesCount: 2 });
    expect(missing.get("query")).toContain("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT");
  });

  it("tokens, and the cost with them", async () => {
    const missing = await missingOf({ ...model, ...words });
    expect(missing.get("tokens")).toMatch(/^1 of 1 model calls report no usage/);
    expect(missing.get("cost")).toBe("tokens are unknown");
  });

  it("a price, by the model's name", async () => {
    const missing = await missingOf({ "gen_ai.request.model": "our-own-8b", ...usage, ...words });
    expect(missing.get("cost")).toContain("no price for our-own-8b");
  });

  it("the model's name", async () => {
    expect((await missingOf({ ...usage, ...words })).get("cost")).toBe("1 of 1 model calls name no model");
  });
});
