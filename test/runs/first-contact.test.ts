import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Kinds of telemetry that producers were found to write when they were first recorded. */

type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

const json = JSON.stringify;

async function runsOf(...spans: readonly Span[]): Promise<AgentRun[]> {
  return replayed(document(spans));
}

async function only(...spans: readonly Span[]): Promise<AgentRun> {
  const [run, ...others] = await runsOf(...spans);
  if (run === undefined || others.length > 0) throw new Error(`${others.length + (run ? 1 : 0)} runs`);
  return run;
}

const agent = (id: string, parent: string | undefined, start: number, end: number): Span =>
  span(id, parent, "invoke_agent keeper", start, end, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "keeper",
  });

const chat = (id: string, parent: string | undefined, start: number, attributes: Attributes): Span =>
  span(id, parent, "chat small", start, start + 8, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    ...attributes,
  });

const ended = {
  "gen_ai.usage.input_tokens": 10,
  "gen_ai.usage.output_tokens": 2,
  "gen_ai.response.id": "r1",
};
const tool = (id: string, parent: string, start: number, result = "2 m"): Span =>
  span(id, parent, "execute_tool gauge", start, start + 2, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "gauge",
    "gen_ai.tool.call.result": result,
  });

describe("a last call of which no end is recorded", () => {
  const rows: readonly (readonly [string, Attributes, number | undefined, string | null])[] = [
    ["and nothing calls successful, may have failed", {}, undefined, null],
    [
      "but zeros may have failed",
      { "gen_ai.usage.input_tokens": 0, "gen_ai.usage.output_tokens": 0 },
      undefined,
      null,
    ],
    ["is successful where its span says so", {}, 1, "ok"],
    [
      "is successful where it has words",
      { "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: "2 m" }] }]) },
      undefined,
      "ok",
    ],
  ];
  it.each(rows)("%s", async (_, attributes, status, expected) => {
    const last = chat("b", "r", 40, attributes);
    const run = await only(
      span("r", undefined, "question", 0, 90, {}),
      chat("a", "r", 1, ended),
      tool("t", "r", 20),
      status === undefined ? last : { ...last, status: { code: status } },
    );
    expect(run.status).toBe(expected);
    expect(run.complete).toBe(expected !== null);
  });
});

it("a message under a call's id is the result of that call, also where the user's role was kept", async () => {
  const attributes = (messages: readonly Attributes[]): Attributes =>
    Object.assign({}, ...messages) as Attributes;
  const at = (place: number, more: Attributes): Attributes =>
    Object.fromEntries(
      Object.entries(more).map(([name, value]) => [`llm.input_messages.${place}.message.${name}`, value]),
    );
  const asked = at(0, { role: "user", content: "How high?" });
  const call = {
    "tool_calls.0.tool_call.id": "c1",
    "tool_calls.0.tool_call.function.name": "gauge",
    "tool_calls.0.tool_call.function.arguments": "{}",
  };
  const kind = { "openinference.span.kind": "LLM", "llm.model_name": "small" };
  const out = Object.fromEntries(
    Object.entries({ role: "assistant", ...call }).map(([name, value]) => [
      `llm.output_messages.0.message.${name}`,
      value,
    ]),
  );
  const run = await only(span("a", undefined, "Messages", 0, 9, { ...kind, ...asked, ...out }), {
    ...span("b", undefined, "Messages", 20, 29, {
      ...kind,
      ...attributes([
        asked,
        at(1, { role: "assistant", ...call }),
        at(2, { role: "user", tool_call_id: "c1", content: "2 m" }),
      ]),
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.content": "It is 2 m high.",
    }),
  });
  expect(run.tools.map(({ name, result }) => [name, result])).toEqual([["gauge", "2 m"]]);
});

it.each([
  ["Agent: 'keeper' generate", "keeper"],
  ['agent "night keeper"', "night keeper"],
  ["Agent: keeper", "keeper"],
  ["Agent: agent", "shop"],
  ["agency keeper", "shop"],
])("an application's own span %s around model calls names the agent %s", async (name, named) => {
  const run = await only(span("r", undefined, name, 0, 90, {}), chat("a", "r", 1, ended));
  expect(run.agent).toBe(named);
});

describe("an application's span around the run that failed", () => {
  const failed = { status: { code: 2, message: "Error code: 400" } };
  const asksTool = {
    ...ended,
    "gen_ai.output.messages": json([
      { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "gauge", arguments: {} }] },
    ]),
  };
  const says = {
    ...ended,
    "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: "2 m" }] }]),
  };

  it.each([
    ["after a request that nothing follows, is the run's failure", "OrderDesk", asksTool, "error"],
    ["is the run's failure, whatever its name", "POST /ask", asksTool, "error"],
    ["after an answer, is not", "OrderDesk", says, "ok"],
  ] as const)("%s", async (_, name, attributes, status) => {
    const run = await only(span("r", undefined, name, 0, 90, {}, failed), chat("a", "r", 1, attributes));
    expect(run.status).toBe(status);
  });
});

it("words of a first call that asked for tools are no answer if the last call's text is empty", async () => {
  const words = (text: string): string =>
    json([{ role: "assistant", parts: [{ type: "text", content: text }] }]);
  const run = await replayed(
    document([
      chat("a", undefined, 1, {
        ...ended,
        "gen_ai.conversation.id": "c",
        "gen_ai.output.messages": words("I look."),
        "gen_ai.response.finish_reasons": ["tool_calls"],
      }),
      chat("b", undefined, 20, {
        ...ended,
        "gen_ai.conversation.id": "c",
        "gen_ai.response.id": "r2",
        "gen_ai.output.messages": words(""),
        "gen_ai.response.finish_reasons": ["stop"],
      }),
    ]),
  );
  expect(run.map(({ answer }) => answer)).not.toContain("I look.");
});

describe("an answer in an attribute without a declared meaning", () => {
  const output = "vendor.response.text";

  it.each<[string, Attributes, string | null]>([
    ["a text", { [output]: "2 m" }, "2 m"],
    ["a list of one text", { [output]: ["2 m"] }, "2 m"],
    ["the JSON of a list of one text", { [output]: json(["2 m"]) }, "2 m"],
    ["a list of one empty text", { [output]: json([""]) }, ""],
    ["an empty text", { [output]: "" }, ""],
    ["a list of several texts", { [output]: json(["2 m", "3 m"]) }, null],
    ["no attribute", {}, null],
  ])("%s", async (_, attributes, answer) => {
    const stop = { ...ended, "gen_ai.response.finish_reasons": ["stop"] };
    const asked = json([{ role: "user", parts: [{ type: "text", content: "How high?" }] }]);
    const call = chat("a", "r", 1, { ...stop, "gen_ai.input.messages": asked, ...attributes });
    expect((await only(agent("r", undefined, 0, 90), call)).answer).toBe(answer);
  });
});

it("a last call without the success that the other calls state is not counted", async () => {
  const stated = (one: Span): Span => ({ ...one, status: { code: 1 } });
  const counts = { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2 };
  const run = await only(
    span("r", undefined, "question", 0, 90, {}),
    stated(chat("a", "r", 1, counts)),
    tool("t", "r", 20),
    chat("b", "r", 40, {}),
  );
  expect(run).toMatchObject({ status: null, llmCalls: 1, usage: { input: 10 } });
});

it.each(["handoff.from", "handoff.source"])("hand-offs there and back are two: %s", async (from) => {
  const named = (id: string, name: string, start: number): Span =>
    span(id, "r", `agent: ${name}`, start, start + 8, { "agent.name": name });
  const handsOver = (id: string, parent: string, name: string, start: number): Span =>
    span(id, parent, `handoff: ${name} -> unknown`, start, start + 1, {
      [`agent.${from}`]: name,
      "agent.handoff.to": "unknown",
    });
  const run = await only(
    span("r", undefined, "workflow", 0, 90, { "workflow.name": "tides" }),
    named("a", "Keeper", 1),
    handsOver("x", "a", "Keeper", 5),
    named("b", "Scout", 20),
    handsOver("y", "b", "Scout", 25),
    named("c", "Keeper", 40),
  );
  expect(run.handoffs.map(({ from: one, to }) => `${one} > ${to}`)).toEqual([
    "Keeper > Scout",
    "Scout > Keeper",
  ]);
});

it.each(["one scope", "two scopes"])(
  "spans of no length at one time, of %s, with ids of two responses are two calls",
  async (scopes) => {
    const moment = (spanId: string, responseId: string) =>
      span(spanId, "r", "chat small", 5, 5, {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "small",
        "gen_ai.response.id": responseId,
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 2,
        "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: spanId }] }]),
      });
    const [run] = await replayed(
      document([agent("r", undefined, 0, 90), moment("a", "r1")], { scope: "one" }),
      document([moment("b", "r2")], { scope: scopes === "one scope" ? "one" : "two" }),
    );
    expect(run).toMatchObject({ llmCalls: 2, usage: { input: 20 } });
  },
);
