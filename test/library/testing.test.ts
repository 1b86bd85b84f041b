import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assertMatchesSpec, assertUsesExactlyTools } from "../../src/assert.ts";
import {
  type AgentRun,
  evaluate,
  loadSpec,
  readRuns,
  type ReceiverOptions,
  startReceiver,
  type TestReceiver,
} from "../../src/index.ts";
import "../../src/vitest.ts";
import { postDump } from "../support/post-dump.ts";
import { runOf } from "../support/run-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const fixed = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
const spec = "specs/rag-agent.yaml";

async function recorded(name: string): Promise<AgentRun> {
  const [run] = (await readRuns([`test/fixtures/runs/${name}.jsonl`])).runs;
  if (run === undefined) throw new Error(name);
  return run;
}

describe("a spec and a run in a program", () => {
  test("are judged by the spec's own matching, or by a named query", async () => {
    const loaded = loadSpec(spec);
    const run = await recorded("rag-weather-broken.langgraph");
    expect(evaluate(run, loaded)).toMatchObject({ queryId: "weather", outcome: "fail" });
    expect(evaluate(run, loaded, { query: "install" })).toMatchObject({ queryId: "install" });
    expect(evaluate(runOf({ agent: "nobody" }), loaded)).toBeNull();
    expect(() => evaluate(run, loaded, { query: "nothing" })).toThrow(/install, weather/);
  });

  test("an invalid spec is refused with its problems", () => {
    expect(() => loadSpec("package.json")).toThrow(/package\.json/);
  });
});

describe("matchers", () => {
  test("hold for what the run did", async () => {
    const run = await recorded("rag-install.langgraph");
    expect(run).toUseTools(["retriever_tool"]);
    expect(run).toUseExactlyTools(["retriever_tool"]);
    expect(run).toAnswerWith("pip install");
    expect(run).toAnswerWith(/agentci init/);
    expect(run).toCostLessThan(0.01);
    expect(run).toUseFewerTokensThan(1000);
    expect(run).toMatchSpec("install", spec);
    expect(await recorded("support-cancel.agents-sdk")).toHandOffTo(["BillingAgent"]);
  });

  test("say what happened instead", async () => {
    const run = await recorded("rag-weather-broken.langgraph");
    expect(() => expect(run).toUseTools(["calculator"])).toThrow(
      /did not use calculator; it used retriever_tool → tavily_search/,
    );
    expect(() => expect(run).toMatchSpec("weather", spec)).toThrow(
      /fail +forbidden_tools: tavily_search was called/,
    );
    expect(() => expect(run).not.toUseTools(["retriever_tool"])).toThrow(
      /^the run used retriever_tool → tavily_search(?!.*it used)/,
    );
    expect(() => expect(runOf()).not.toAnswerWith("on its way")).toThrow(/^the answer contains on its way: /);
    expect(() => expect(run).toUseNoneOf(["calculator", "Tavily-Search"])).toThrow(
      /the run used tavily_search/,
    );
    expect(run).toUseNoneOf(["calculator"]);
    expect(run).not.toUseTools(["calculator"]);
  });

  test("the same as plain assertions", () => {
    const run = runOf({ tools: ["a", "b"] });
    expect(() => assertUsesExactlyTools(run, ["a"])).toThrow(
      expect.objectContaining({ code: "ERR_ASSERTION", actual: ["a", "b"] }),
    );
    expect(() => assertMatchesSpec(run, "weather", spec)).toThrow(/max_tool_calls|weather/);
  });
});

describe("a receiver for tests", () => {
  let receiver: TestReceiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test("gives each run once it is complete, and says what came when none does", async () => {
    await expect(receiver.nextRun(50)).rejects.toThrow(
      /no complete run.*the agent sent nothing[^]*docs\/agents/,
    );
    const waiting = receiver.nextRun();
    await postDump(receiver.endpoint, fixed);
    const run = await waiting;
    expect(run).toMatchSpec("weather", spec);
    expect(await receiver.runs()).toHaveLength(1);
    await expect(receiver.nextRun(50)).rejects.toThrow(/no complete run.*the agent sent nothing/);
    receiver.clear();
    expect(await receiver.runs()).toEqual([]);
    expect(receiver.env["OTEL_EXPORTER_OTLP_ENDPOINT"]).toBe(receiver.endpoint);
  });

  test.each<[string, (folder: string) => ReceiverOptions]>([
    ["the tracejury.yaml of the project", () => ({})],
    ["a configuration that is named", (folder) => ({ config: [join(folder, "tracejury.yaml")] })],
  ])("prices come from %s", async (_, options) => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "tracejury.yaml"),
      'prices: { "gpt-4o-mini-2024-07-18": { input: 1000000, output: 0 } }\n',
    );
    const outside = process.cwd();
    process.chdir(folder);
    const priced = await startReceiver(options(folder)).finally(() => process.chdir(outside));
    try {
      const waiting = priced.nextRun();
      await postDump(priced.endpoint, fixed);
      const { usage, costUsd } = await waiting;
      expect(costUsd).toBe(usage.input);
    } finally {
      await priced.close();
    }
  });
});
