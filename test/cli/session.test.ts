import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { document, span } from "../support/otlp.ts";
import { runCli } from "../support/run-cli.ts";
import { SessionTalk } from "../support/session-talk.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * What plug-ins of test runners speak. Agents are recorded requests that are sent to the session's port.
 */

const broken = "test/fixtures/runs/rag-weather-broken.langgraph.jsonl";
const fixed = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
const spec = "specs/rag-agent.yaml";

const dir = temporaryFolder();
const open = new Set<SessionTalk>();
afterEach(async () => {
  for (const talk of open) await talk.end();
  open.clear();
});

async function talk(
  words: readonly string[] = ["--judge", "off"],
  env: NodeJS.ProcessEnv = {},
): Promise<SessionTalk> {
  const opened = new SessionTalk(words, env);
  open.add(opened);
  const { ready } = (await opened.line()) as { ready: { endpoint: string } };
  opened.endpoint = ready.endpoint;
  return opened;
}

/** A request with a run whose producer records no content. */
function withoutContent(): string {
  const agent = span("a", undefined, "invoke_agent", 0, 1000, { "gen_ai.operation.name": "invoke_agent" });
  const chat = span("c", "a", "chat", 0, 1000, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o-mini",
    "gen_ai.usage.input_tokens": 12,
    "gen_ai.usage.output_tokens": 5,
  });
  return JSON.stringify(document([agent, chat]));
}

describe("tracejury session", () => {
  test("says first which protocol it speaks and where it receives, and ends with its input", async () => {
    const opened = new SessionTalk([], {});
    const line = await opened.line();
    expect(line).toEqual({
      ready: {
        protocol: 1,
        version: expect.any(String),
        endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        environment: {},
      },
    });
    expect(await opened.end()).toBe(0);
  });

  test("lists the queries of a spec with their places, and which have a text to ask", async () => {
    const file = join(dir, "wild.yaml");
    writeFileSync(
      file,
      'agent: shop\nqueries:\n  - { id: order, query: "Where is it?", cost: { max_llm_calls: 3 } }\n  - { id: rest, query: "*", cost: { max_llm_calls: 3 } }\n',
    );
    const { result } = await (await talk()).ask("queries", { specs: [file] });
    expect(result).toEqual({
      queries: [
        { spec: "wild", file, line: 3, query_id: "order", query: "Where is it?", can_be_asked: true },
        { spec: "wild", file, line: 4, query_id: "rest", query: "*", can_be_asked: false },
      ],
    });
  });

  test("judges the run of a call as `test` judges a dump", async () => {
    const opened = await talk();
    const [made] = await opened.call(broken);
    const { result } = (await opened.ask("judge", { runs: [made?.run_id], spec, query: "weather" })) as {
      result: { result: unknown; report: string };
    };
    const told = resultSchema.parse(result.result);
    const words = ["test", broken, "--spec", spec, "--query", "weather", "--judge", "off"];
    const replayed = resultSchema.parse(JSON.parse((await runCli(...words, "--format", "json")).stdout));
    expect(told.summary).toEqual({ ...replayed.summary });
    expect(told.verdicts[0]?.layers).toEqual(replayed.verdicts[0]?.layers);
    expect(result.report).toContain("FORBIDDEN TOOL: tavily_search was called and is forbidden");
    expect(result.report).toContain("exit 1: 1 run failed");
    // No file that is deleted in the end.
    expect(result.report).not.toMatch(/\.json|tracejury inspect/);
  });

  test("a call's runs are its own: none of an earlier call comes again", async () => {
    const opened = await talk();
    const [first] = await opened.call(broken);
    const second = await opened.call(fixed);
    expect(second).toHaveLength(1);
    expect(second[0]?.run_id).not.toBe(first?.run_id);
    await opened.ask("begin");
    await opened.send(broken);
    const { result } = await opened.ask("finish", { wait_ms: 0 });
    expect(result).toMatchObject({
      runs: [],
      silence: { reason: expect.stringMatching(/none is a part of/) },
    });
    // An earlier run can still be asserted about.
    const check = { name: "uses_tools", expected: ["tavily_search"] };
    expect(await opened.ask("check", { run: first?.run_id, check })).toMatchObject({
      result: { pass: true },
    });
  });

  test("waits for telemetry that arrives after the call, and not longer than it has to", async () => {
    const opened = await talk();
    await opened.ask("begin");
    const answer = opened.ask("finish", { wait_ms: 60_000 });
    await opened.send(fixed);
    expect(await answer).toMatchObject({ result: { runs: [{ complete: true }], silence: null } });
  });

  test("what a call returned is the answer where the telemetry has none, and nowhere else", async () => {
    const opened = await talk();
    const silent = join(dir, "without-content.json");
    writeFileSync(silent, withoutContent());
    const said = { wait_ms: 60_000, answer: "It is in Lyon." };
    await opened.ask("begin");
    await opened.send(silent);
    const { result } = (await opened.ask("finish", said)) as {
      result: { runs: { run_id: string; answer: string; missing: { what: string }[] }[] };
    };
    expect(result.runs).toMatchObject([{ answer: "It is in Lyon." }]);
    expect(result.runs[0]?.missing.map(({ what }) => what)).not.toContain("answer");
    const check = { name: "answers_with", expected: "Lyon" };
    expect(await opened.ask("check", { run: result.runs[0]?.run_id, check })).toMatchObject({
      result: { pass: true },
    });
  });

  test("of a call that sent nothing it says why: that is neither a pass nor a failure", async () => {
    const opened = await talk([], { OTEL_SDK_DISABLED: "true" });
    await opened.ask("begin");
    expect(await opened.ask("finish", { wait_ms: 0 })).toMatchObject({
      result: {
        runs: [],
        requests: 0,
        spans: 0,
        silence: { reason: expect.stringMatching(/OTEL_SDK_DISABLED/) },
      },
    });
  });

  test.each([
    [{ name: "uses_tools", expected: ["tavily_search"] }, true, /the run used .*tavily_search/],
    [{ name: "uses_tools", expected: ["order_pizza"] }, false, /did not use order_pizza/],
    [{ name: "uses_exactly_tools", expected: ["tavily_search"] }, false, /expected tavily_search/],
    [{ name: "hands_off_to", expected: [] }, true, /hand-offs/],
    [{ name: "answers_with", expected: "no such words" }, false, /no such words/],
    [{ name: "costs_less_than", expected: 1 }, true, /the limit is/],
    [{ name: "uses_fewer_tokens_than", expected: 10 }, false, /4,200 tokens/],
  ])("checks %j", async (check, pass, message) => {
    const opened = await talk();
    const [made] = await opened.call(broken);
    expect(await opened.ask("check", { run: made?.run_id, check })).toMatchObject({
      result: { pass, message: expect.stringMatching(message) },
    });
  });

  test.each([
    ["no JSON", "hello", /not JSON/],
    ["no known method", '{"id":1,"method":"dance"}', /not valid/],
    ["a spec that is not there", '{"id":1,"method":"queries","specs":["nowhere.yaml"]}', /nowhere\.yaml/],
    ["a spec that is none", '{"id":1,"method":"queries","specs":["package.json"]}', /package\.json/],
    [
      "a run that is not there",
      '{"id":1,"method":"judge","runs":["x"],"spec":"specs/rag-agent.yaml","query":"weather"}',
      /run x/,
    ],
  ])("%s gets an error, and the session goes on", async (_, line, message) => {
    const opened = await talk();
    expect(await opened.raw(line)).toMatchObject({ error: { message: expect.stringMatching(message) } });
    expect(await opened.call(fixed)).toHaveLength(1);
  });

  test("a query that the spec does not have is an error that names those it has", async () => {
    const opened = await talk();
    const [made] = await opened.call(fixed);
    expect(await opened.ask("judge", { runs: [made?.run_id], spec, query: "nope" })).toMatchObject({
      error: { message: `${spec} has no query nope`, fix: expect.stringMatching(/weather/) },
    });
  });

  test("what it received is deleted in the end, or kept where --keep says", async () => {
    const keep = join(dir, "kept");
    const opened = await talk(["--keep", keep]);
    await opened.call(fixed);
    await opened.end();
    expect(readdirSync(keep).length).toBeGreaterThan(0);
    const again = await runCli("test", keep, "--spec", spec, "--query", "weather", "--judge", "off");
    expect(again.stdout).toContain("1 run,");
    expect(existsSync(keep)).toBe(true);
  });
});
