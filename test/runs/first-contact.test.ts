import { describe, expect, it } from "vitest";
import {
  agentSpan,
  chatAttributes,
  chatSpan,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolSpan,
  words,
} from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayed, replayedOne } from "../support/replayed.ts";

/** Kinds of telemetry that producers were found to write when they were first recorded. */

const json = JSON.stringify;

const runsOf = (...spans: readonly Span[]) => replayed(document(spans));
const only = (...spans: readonly Span[]) => replayedOne(document(spans));

const agent = (id: string, parent: string | undefined, start: number, end: number): Span =>
  agentSpan(id, parent, "keeper", start, end);

const chat = chatSpan;

const ended = {
  ...tokenCounts(10, 2),
  "gen_ai.response.id": "r1",
};
const tool = (id: string, parent: string, start: number): Span =>
  toolSpan(id, parent, "gauge", start, { "gen_ai.tool.call.result": "2 m" });

describe("a last call of which no end is recorded", () => {
  const rows: readonly (readonly [string, Attributes, number | undefined, string | null])[] = [
    ["and nothing calls successful, may have failed", {}, undefined, null],
    ["but zeros may have failed", tokenCounts(0, 0), undefined, null],
    ["is successful where its span says so", {}, 1, "ok"],
    ["is successful where it has words", { ...outputMessages(words("assistant", "2 m")) }, undefined, "ok"],
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

it.each([
  ["openai", null, null],
  ["anthropic", null, null],
  ["gcp.gemini", 100, 620],
] as const)(
  "a reported total above input and output, of %s, whose parts are not reported, gives input %s and output %s",
  async (provider, input, output) => {
    const { usage } = await only(
      agent("r", undefined, 0, 90),
      chat("a", "r", 1, {
        "gen_ai.provider.name": provider,
        ...tokenCounts(100, 20),
        "gen_ai.usage.total_tokens": 720,
      }),
    );
    expect(usage).toMatchObject({ input, output });
  },
);

it.each([
  ["vendor.agent.name", "keeper"],
  ["agent.workflow.name", null],
  ["agent.pipeline.name", null],
])("%s, undeclared, of a call names the agent %s", async (attribute, name) => {
  const run = await only(chat("a", undefined, 1, { ...ended, [attribute]: "keeper" }));
  expect(run.agent === "keeper" ? run.agent : null).toBe(name);
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
    const asked = json([words("user", "How high?")]);
    const call = chat("a", "r", 1, { ...stop, "gen_ai.input.messages": asked, ...attributes });
    expect((await only(agent("r", undefined, 0, 90), call)).answer).toBe(answer);
  });
});

it("an agent that was asked something and shows no call, no tool and no failure made an unknown number of calls", async () => {
  const { llmCalls, usage } = await only(
    agentSpan("r", undefined, "keeper", 0, 9, inputMessages(words("user", "How high?"))),
  );
  expect(llmCalls).toBeNull();
  expect(usage.input).toBeNull();
});

describe("an agent without calls, tools and answer", () => {
  const only1 = (...within: readonly Span[]) =>
    only({ ...agent("r", undefined, 0, 90), status: { code: 1 } }, ...within);

  it("is successful if it took steps and its producer says so; how often it asked its model is unknown", async () => {
    expect(await only1(span("s", "r", "turn", 1, 80))).toMatchObject({ status: "ok", llmCalls: null });
  });

  it("tells nothing if it took none", async () => {
    expect(await only1()).toMatchObject({ status: null, llmCalls: 0 });
  });
});

describe("a second turn whose messages have no words", () => {
  const asked = (id: string, name: string) => ({ type: "tool_call", id, name });
  const returned = (id: string) => ({ type: "tool_call_response", id });
  const said = (role: string, ...parts: readonly object[]) => ({ role, parts });
  const before = [
    said("user"),
    said("assistant", asked("c1", "gauge")),
    said("tool", returned("c1")),
    said("assistant"),
    said("user"),
  ];
  const after = [...before, said("assistant", asked("c2", "toll")), said("tool", returned("c2"))];

  it("has only its own tools", async () => {
    const run = await only(
      agent("r", undefined, 0, 90),
      chat("a", "r", 1, {
        ...ended,
        ...inputMessages(...before),
        ...outputMessages(said("assistant", asked("c2", "toll"))),
      }),
      chat("b", "r", 20, {
        ...ended,
        "gen_ai.response.id": "r2",
        "gen_ai.response.finish_reasons": ["stop"],
        ...inputMessages(...after),
      }),
    );
    expect([run.tools.map(({ name }) => name), run.llmCalls]).toEqual([["toll"], 2]);
  });
});

describe("agent spans whose calls ask for tools, without contents", () => {
  const part = (id: string, start: number, finish: string, more: Attributes = {}): readonly Span[] => [
    agent(id, "r", start, start + 20),
    chat(`${id}1`, id, start + 1, { ...ended, "gen_ai.response.finish_reasons": [finish], ...more }),
  ];
  const asks = (question: string): Attributes => inputMessages(words("user", question));
  const rows: readonly (readonly [string, readonly (readonly Span[])[], readonly (number | null)[]])[] = [
    ["go on in the next one", [part("a", 1, "tool_calls"), part("b", 30, "stop")], [2]],
    [
      "go on as long as calls ask",
      [part("a", 1, "tool_calls"), part("b", 30, "tool_calls"), part("c", 60, "stop")],
      [3],
    ],
    ["end where a call stops", [part("a", 1, "stop"), part("b", 30, "stop")], [1, 1]],
    [
      "end where a call stops, and others go on",
      [part("a", 1, "stop"), part("b", 30, "tool_calls"), part("c", 60, "stop")],
      [1, 2],
    ],
    [
      "are runs of their own if they overlap",
      [part("a", 1, "tool_calls"), part("b", 15, "tool_calls"), part("c", 60, "stop")],
      [null, null, 1],
    ],
    [
      "are runs of their own if the next one has a question",
      [part("a", 1, "tool_calls"), part("b", 30, "stop", asks("How deep?"))],
      [null, 1],
    ],
  ];
  it.each(rows)("%s", async (_, parts, expected) => {
    const runs = await runsOf(span("r", undefined, "POST /ask", 0, 90, {}), ...parts.flat());
    expect(runs.map(({ llmCalls }) => llmCalls)).toEqual(expected);
  });
});

it.each([
  ["with nothing of the agent around it", false],
  ["in the agent's span", true],
])("a tool as the last step, %s, does not show whether the model answered", async (_, isAround) => {
  const parent = isAround ? "agent" : "r";
  const run = await only(
    span("r", undefined, "POST /ask", 0, 90, { "http.request.method": "POST" }),
    ...(isAround ? [agent("agent", "r", 0, 80)] : []),
    chat("a", parent, 1, ended),
    tool("t", parent, 20),
  );
  expect(run).toMatchObject({ status: null, complete: false, answer: null, tools: [{ name: "gauge" }] });
});

it("spans of no length at one time, of two scopes, with ids of two responses are two calls", async () => {
  const moment = (spanId: string, responseId: string) =>
    span(spanId, "r", "chat small", 5, 5, {
      ...chatAttributes("small"),
      "gen_ai.response.id": responseId,
      ...tokenCounts(10, 2),
      ...outputMessages(words("assistant", spanId)),
    });
  const [run] = await replayed(
    document([agent("r", undefined, 0, 90), moment("a", "r1")], { scope: "one" }),
    document([moment("b", "r2")], { scope: "two" }),
  );
  expect(run).toMatchObject({ llmCalls: 2, usage: { input: 20 } });
});

it("a picture in place of the user's text is no question", async () => {
  const png = `iVBORw0KGgo${"A".repeat(80)}=`;
  const messages = json([
    { role: "user", content: "How high?" },
    { role: "user", content: png },
  ]);
  const run = await only(
    agent("r", undefined, 0, 90),
    chat("a", "r", 1, { ...ended, "gen_ai.input.messages": messages }),
  );
  expect(run.query).toBe("How high?");
});
