import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/replay/engine.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { defaultTraceTimeouts, unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { growthOf } from "../support/growth.ts";
import { agentAttributes, chatAttributes, tokenCounts, toolAttributes, words } from "../support/genai.ts";
import { document, hex, span } from "../support/otlp.ts";
import { runsIn } from "../support/runs.ts";
import { replayed } from "../support/replayed.ts";
import { onSmallStack, TOO_MANY_ARGUMENTS } from "../support/small-stack.ts";

const call = chatAttributes("gpt-x");

/** So many attributes that no adapter names. */
function unknown(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`acme.m${at}.model`, "x"]));
}

it("attributes that no adapter names are examined up to a limit, and the run says how many were not", async () => {
  const [run] = await replayed(
    document([span("a", undefined, "work", 0, 10, { ...unknown(1_000), "acme.model": "gpt-x" })]),
    document([span("b", "a", "chat gpt-x", 1, 5, { ...unknown(300), ...call })]),
  );

  expect(run?.missing.filter(({ what }) => what === "attributes")).toMatchObject([
    { why: expect.stringMatching(/^\d+ attributes that no adapter names were not examined/) as string },
  ]);
});

describe("a value in a text beyond the bounds of values", () => {
  const texts: readonly (readonly [string, string])[] = [
    ["of too many lists", "[".repeat(5_000) + "]".repeat(5_000)],
    ["of too many objects", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
    ["of 101 levels", `${"[".repeat(101)}${"]".repeat(101)}`],
    ["of too many values", `[${"1,".repeat(120_000)}1]`],
    ["of too many levels in what Python prints", `${"{'a': ".repeat(101)}1${"}".repeat(101)}`],
  ];
  const agent = agentAttributes("a");
  const tool = toolAttributes("t");
  const said = (text: string) => JSON.stringify([words("assistant", text)]);
  const runWith = async (attributes: object, more: object = {}) => {
    const [run] = await replayed(
      document([
        span("a", undefined, "invoke_agent a", 0, 10, {
          ...agent,
          "gen_ai.input.messages": said("hi").replace("assistant", "user"),
          "gen_ai.output.messages": said("bye"),
          ...more,
        }),
        span("b", "a", "execute_tool t", 1, 2, { ...tool, ...attributes }),
      ]),
    );
    return run;
  };

  it.each(texts)("%s is a tool's result as it is, and nothing else is lost", async (_, text) => {
    const run = await runWith({ "gen_ai.tool.call.result": text });
    expect(run).toMatchObject({
      status: "ok",
      query: "hi",
      answer: "bye",
      tools: [{ name: "t", result: text }],
    });
  });

  it.each(texts)("%s inside a message costs the other words nothing", async (_, text) => {
    const run = await runWith({}, { "gen_ai.output.messages": said(text) });
    expect(run).toMatchObject({ status: "ok", query: "hi", answer: text });
  });

  it.each(texts.slice(0, 4))("%s is reported as missing", async (_, text) => {
    const run = await runWith({ "gen_ai.tool.call.result": text });
    expect(run?.missing.filter(({ what }) => what === "values")).toEqual([
      {
        what: "values",
        why: "1 span contains JSON with more than 100 levels or 100000 values, so it is not parsed and stays a text",
      },
    ]);
  });
});

describe("a large trace", () => {
  const traceId = hex("t", 32);
  const spans = [
    span("a", undefined, "invoke_agent warden", 0, 5_000, { "gen_ai.operation.name": "invoke_agent" }),
    ...Array.from({ length: 1_500 }, (_, at) =>
      span(`b${at}`, "a", "chat gpt-x", at + 1, at + 2, { ...call, ...unknown(5) }),
    ),
  ];
  const body = new TextEncoder().encode(JSON.stringify(document(spans)));

  function engineWith(runs: AgentRun[], isLive: boolean, bodies: readonly Uint8Array[] = [body]) {
    const { pipeline } = createEngine({
      timeouts: isLive ? defaultTraceTimeouts : unlimitedTraceTimeouts,
      quietMs: Infinity,
      attributes: [],
      prices: {},
      seed: 0,
      onRun: (run) => runs.push(run),
    });
    for (const one of bodies) {
      const decoded = decodeRequest(one, "traces", "json");
      if (!decoded.ok || decoded.batch === null) throw new Error("the body was not decoded");
      pipeline.accept(decoded.batch, 0);
    }
    return pipeline;
  }

  it("a large trace is read in several slices, and stays open until the last one", () => {
    const runs: AgentRun[] = [];
    const pipeline = engineWith(runs, true);
    const due = 1_000_000;

    expect(pipeline.tick(due)).toBe(true);
    expect(runs).toEqual([]);
    expect(pipeline.isAwaited(traceId)).toBe(true);
    expect(pipeline.isOpen(traceId)).toBe(true);

    let turns = 1;
    while (pipeline.tick(due)) turns++;
    expect(turns).toBeGreaterThan(1);
    expect(runs.map((run) => run.traceId)).toEqual([traceId]);
    expect(pipeline.isAwaited(traceId)).toBe(false);
  });

  it("is published in a turn of its own, and those of its time before and after it", () => {
    const small = (trace: string, start: number): Uint8Array => {
      const agent = agentAttributes(trace);
      const spans = [
        span("a", undefined, "run", start, start + 3, agent, { trace }),
        span(
          "b",
          "a",
          "chat gpt-x",
          start + 1,
          start + 2,
          { ...call, "gen_ai.usage.output_tokens": 1 },
          { trace },
        ),
      ];
      return new TextEncoder().encode(JSON.stringify(document(spans)));
    };
    const runs: AgentRun[] = [];
    const pipeline = engineWith(runs, true, [small("x", 9_000), body, small("y", 1)]);
    const turns: string[][] = [];
    let isMore = true;
    while (isMore) {
      const before = runs.length;
      isMore = pipeline.tick(1_000_000);
      const published = runs.slice(before).map((run) => run.traceId);
      if (published.length > 0) turns.push(published);
    }
    expect(turns.flat().sort()).toEqual([traceId, hex("x", 32), hex("y", 32)].sort());
    expect(turns).toContainEqual([traceId]);
    for (const id of turns.flat()) expect(pipeline.isAwaited(id)).toBe(false);
  });
});

it("a tool's name of nothing but opening braces is read in linear time", () => {
  const read = (size: number): void => {
    const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "{".repeat(size) };
    runsIn([document([span("a", undefined, "invoke_agent a", 0, 9), span("b", "a", "run", 1, 2, tool)])]);
  };
  expect(growthOf(read, { size: 20_000, times: 8, limit: 24 })).toBeLessThan(24);
});

it("agents, tools and calls below one span are read in time linear in their number", () => {
  const kinds = [
    { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "a" },
    { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "t" },
    call,
  ];
  const read = (size: number): void => {
    const spans = Array.from({ length: size }, (_, at) =>
      span(String(at), at === 0 ? undefined : "0", `s${at}`, at, 2 * size - at, kinds[at % 3]),
    );
    runsIn([document(spans)]);
  };
  expect(growthOf(read, { size: 1000, times: 6, limit: 12 })).toBeLessThan(12);
});

const long = "n".repeat(5_000);
const used = { ...call, ...tokenCounts(7, 3) };
const ofAgent = { "gen_ai.operation.name": "invoke_agent" };
const inner = [span("b", "a", "chat gpt-x", 1, 5, used), span("c", "a", "chat gpt-x", 6, 8, used)];
const resource = { "service.name": long };
const cases = {
  "the service": [document([span("a", undefined, "work", 0, 10), ...inner], { resource })],
  "the agent's attribute": [
    document([
      span("a", undefined, "invoke_agent", 0, 10, { ...ofAgent, "gen_ai.agent.name": long }),
      ...inner,
    ]),
  ],
  "the agent's span": [document([span("a", undefined, `invoke_agent ${long}`, 0, 10, ofAgent), ...inner])],
};
it.each(Object.entries(cases))("a long name is not stored again for each call: %s", async (_, sent) => {
  const [run] = await replayed(...sent);
  expect(run?.llm.length).toBe(2);
  for (const name of [run?.agent, run?.service, ...(run?.llm.map(({ agent }) => agent) ?? [])])
    expect(name?.length).toBeLessThan(1_010);
});

it("a run has more tool calls than a function can have arguments", () => {
  const calls = TOO_MANY_ARGUMENTS;
  const spans = [
    span("a", undefined, "invoke_agent a", 0, calls + 9, { "gen_ai.operation.name": "invoke_agent" }),
    span("b", "a", "chat gpt-x", 1, 2, { ...call, "gen_ai.response.finish_reasons": "tool_calls" }),
    ...Array.from({ length: calls }, (_, at) =>
      span(`c${at}`, "a", "execute_tool", at + 3, at + 4, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": at === calls - 1 ? "drop" : "look",
      }),
    ),
  ];
  const [run] = onSmallStack(() => runsIn([document(spans)]));
  expect(run?.tools).toHaveLength(calls);
  expect(run?.tools.at(-1)?.name).toBe("drop");
});
