import { describe, expect, it } from "vitest";
import {
  agentAttributes,
  agentSpan,
  asks,
  chatSpan,
  inputMessages,
  outputMessages,
  returns,
  tokenCounts,
  toolSpan,
  words,
} from "../support/genai.ts";
import { document, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** Situations in which known producers write telemetry that was read wrongly when it was first recorded. */

const only = (...spans: readonly Span[]) => replayedOne(document(spans));
const agent = agentSpan("r", undefined, "keeper", 0, 90);
const question = inputMessages(words("user", "How deep is it?"));
const answer = outputMessages(words("assistant", "2 m"));

describe("a model call to which another layer added its own kind", () => {
  const kind = { "openinference.span.kind": "TOOL", "tool.name": "gauge" };
  const asked = outputMessages(asks("c", "gauge"));

  it("is a model call if it has the id of a response and counts; its tools are requests", async () => {
    const response = { "gen_ai.response.id": "r1", ...tokenCounts(10, 2) };
    const run = await only(agent, chatSpan("a", "r", 1, { ...kind, ...response, ...asked }));
    expect(run).toMatchObject({ llmCalls: 1, tools: [{ name: "gauge", executed: null }] });
  });

  it.each([
    ["tool", { ...kind, "gen_ai.operation.name": "chat" }],
    ["tool", { "traceloop.span.kind": "tool", "traceloop.entity.name": "gauge", "llm.request.type": "chat" }],
    ["agent", { "openinference.span.kind": "AGENT", "gen_ai.operation.name": "chat" }],
  ])("is a %s if the span's name is not that of a call: %j", async (role, own) => {
    const response = { "gen_ai.response.id": "r1", ...tokenCounts(10, 2) };
    const run = await only(agent, span("a", "r", "gauge", 1, 9, { ...response, ...own }));
    const expected = { name: "gauge", executed: true };
    expect(run.tools).toMatchObject(role === "tool" ? [expected] : []);
    expect(run.llm).toEqual([]);
  });

  it("is a tool without them", async () => {
    const run = await only(agent, chatSpan("a", "r", 1, kind));
    expect(run).toMatchObject({ llm: [], tools: [{ name: "gauge", executed: true }] });
  });
});

it("the span of a request to a server names no agent, whatever kind it has", async () => {
  const request = { "http.request.method": "POST", "openinference.span.kind": "CHAIN" };
  const run = await only(
    span("s", undefined, "POST /Ask", 0, 90, request),
    chatSpan("a", "s", 1, { ...question, ...answer }),
  );
  expect(run.agent).toBe(run.service);
});

it("a hand-off tool that failed after the other agent made a call is a hand-off; one that failed before is a tool", async () => {
  const asked = chatSpan("a", "r", 1, { ...question, ...outputMessages(asks("c", "transfer_to_pilot")) });
  const ids = { "gen_ai.tool.call.id": "c" };
  const handing = toolSpan("t", "r", "transfer_to_pilot", 20, ids, {
    status: { code: 2, message: "no wind" },
  });
  const within = chatSpan("b", "t", 21, inputMessages(words("user", "Go.")));
  const runs = [await only(agent, asked, handing, within), await only(agent, asked, handing)];
  expect(runs.map(({ handoffs, tools }) => [handoffs.length, tools.length])).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

describe("a tool's result", () => {
  const asking = chatSpan("a", "r", 1, { ...question, ...outputMessages(asks("c", "gauge")) });
  const after = (given: unknown) =>
    chatSpan("b", "r", 40, {
      ...inputMessages(words("user", "How deep is it?"), asks("c", "gauge"), given),
      ...answer,
    });
  const id = { "gen_ai.tool.call.id": "c" };
  const resultOf = async (own: string, given: unknown) => {
    const tool = toolSpan("t", "r", "gauge", 20, { ...id, "gen_ai.tool.call.result": own });
    const run = await only(agent, asking, tool, after(given));
    return run.tools.map(({ result }) => result);
  };

  it.each([
    { role: "user", parts: [] },
    returns("c", "(gauge completed with no output)"),
    returns("c", "Observation:\n"),
  ])("is empty if the tool's span has an empty text, and the messages no other: %j", async (given) => {
    expect(await resultOf("", given)).toEqual([""]);
  });

  it("comes from the messages if the span has an empty text; so does an error", async () => {
    expect(await resultOf("", returns("c", "2 m"))).toEqual(["2 m"]);
    const tool = toolSpan("t", "r", "gauge", 20, { ...id, "gen_ai.tool.call.result": "" });
    const run = await only(agent, asking, tool, after(returns("c", "Error: no gauge")));
    expect(run.tools).toMatchObject([{ result: undefined, error: "Error: no gauge" }]);
  });

  it("is that of the span around it if a span with only the name has an empty text", async () => {
    const outer = { ...id, "gen_ai.tool.call.result": "2 m" };
    const run = await only(
      agent,
      asking,
      toolSpan("t", "r", "harbour__gauge", 20, outer),
      span("u", "r", "tools/call gauge", 21, 24, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.call.result": "",
      }),
    );
    expect(run.tools.map(({ result }) => result)).toEqual(["2 m"]);
  });

  it.each([
    [{ stdout: "2 m", stderr: "", interrupted: false, isImage: false }, "2 m"],
    [
      { stdout: "2 m", stderr: "", interrupted: true },
      { stdout: "2 m", stderr: "", interrupted: true },
    ],
    [
      { stdout: "2 m", stderr: "", success: false },
      { stdout: "2 m", stderr: "", success: false },
    ],
  ])("is a command's text only if the envelope says nothing else: %j", async (given, expected) => {
    expect(await resultOf(JSON.stringify(given), { role: "user", parts: [] })).toEqual([expected]);
  });

  it("comes from the messages if the span has only the address of an object", async () => {
    expect(await resultOf("[<kit.types.Content object at 0x7f3e828f3f50>]", returns("c", "2 m"))).toEqual([
      "2 m",
    ]);
  });

  it.each([
    [{ json: [2, "m"] }, [2, "m"]],
    [{ text: "" }, ""],
  ])("is the only part of a result of Bedrock: %j", async (part, expected) => {
    const given = { role: "user", content: [{ toolResult: { toolUseId: "c", content: [part] } }] };
    const run = await only(agent, asking, after(given));
    expect(run.tools.map(({ result }) => result)).toEqual([expected]);
  });

  it("comes from an inner span if the outer span has an empty text", async () => {
    const layer = (name: string, parent: string, result: string) =>
      toolSpan(name, parent, "gauge", 20, { ...id, "gen_ai.tool.call.result": result });
    const run = await only(
      agent,
      asking,
      layer("t", "r", ""),
      layer("u", "t", "2 m"),
      after(returns("c", "2 m")),
    );
    expect(run.tools.map(({ result }) => result)).toEqual(["2 m"]);
  });
});

describe("arguments that are incomplete JSON", () => {
  const argumentsIn = async (messages: string) => {
    const run = await only(agent, chatSpan("a", "r", 1, { ...question, "gen_ai.output.messages": messages }));
    return run.tools.map((tool) => tool.arguments);
  };
  const requestOf = (args: string) =>
    JSON.stringify([
      { role: "assistant", parts: [{ type: "tool_call", id: "c", name: "gauge", arguments: args }] },
    ]);

  it("are what the model wrote if the message is complete", async () => {
    expect(await argumentsIn(requestOf('{"place": "La'))).toEqual(['{"place": "La']);
  });

  it.each([
    ["the message is truncated", requestOf('{"place": "La').slice(0, -4)],
    ["they may have reached a limit", requestOf(`{"place": "${"La".repeat(40)}`)],
  ])("are unknown if %s", async (_, messages) => {
    expect(await argumentsIn(messages)).toEqual([undefined]);
  });
});

it("a call whose answer the client could not read may have tokens", async () => {
  const failed = { status: { code: 2, message: "unable to parse tool input JSON" } };
  const run = await only(
    agentSpan("r", undefined, "keeper", 0, 90, tokenCounts(0, 0), failed),
    chatSpan("a", "r", 1, question, failed),
  );
  expect(run).toMatchObject({ status: "error", llmCalls: null, totalTokens: null });
});

describe("agents without model calls", () => {
  const crew = (more: Readonly<Record<string, string | number>>) =>
    only(
      span("r", undefined, "Harbour.kickoff", 0, 90, { "gen_ai.operation.name": "invoke_workflow", ...more }),
      span("a", "r", "invoke_agent keeper", 1, 80, { ...agentAttributes("keeper"), "output.value": "2 m" }),
    );

  it("have the tokens of the span around them", async () => {
    expect(await crew(tokenCounts(10, 2))).toMatchObject({ llmCalls: null, totalTokens: 12 });
  });

  it.each([[tokenCounts(10, 2)], [{ "gen_ai.tool.definitions": '[{"name":"gauge"}]' }]])(
    "may have called tools: %j",
    async (more) => {
      expect((await crew(more)).missing.map(({ what }) => what)).toContain("tools");
    },
  );

  it("are not known to have called a model without tokens and tools", async () => {
    expect((await crew({})).missing.map(({ what }) => what)).not.toContain("tools");
  });
});
