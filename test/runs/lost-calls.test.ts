import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import {
  agentSpan,
  asks,
  chatAttributes,
  chatSpan,
  inputMessages,
  outputMessages,
  returns,
  tokenCounts,
  toolAttributes,
  toolSpan,
  words,
} from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** Model calls that are not in the data: how many there were is unknown, and so are tokens. */

const says = (text: string) => words("assistant", text);
const request = (id: string, name = "gauge") => asks(id, name, { station: id });

const owner = (more: Attributes = {}): Span => agentSpan("r", undefined, "gauger", 0, 99, more);
const agent = (answer = "3.1 metres."): Span => owner(outputMessages(says(answer)));
const call = (id: string, at: number, inputs: readonly unknown[], output: unknown, parent = "r"): Span =>
  chatSpan(id, parent, at, {
    ...tokenCounts(10, 2),
    ...inputMessages(...inputs),
    ...outputMessages(output),
  });
const tool = (id: string, at: number, result = "3.1", name = "gauge"): Span =>
  toolSpan(`t${id}`, "r", name, at, toolAttributes(name, id, result));
const within = (one: Span, parent: string): Span => ({
  ...one,
  parentSpanId: span("x", parent, "", 0, 0)["parentSpanId"],
});

const asked = words("user", "How high?");
const afterNorth = [asked, request("n"), returns("n", "3.1")];
const afterSouth = [...afterNorth, request("s"), returns("s", "2.9")];
const [north, south] = [tool("n", 10), tool("s", 30, "2.9")];
const first = call("a", 1, [asked], request("n"));
const second = call("b", 20, afterNorth, request("s"));
const third = call("c", 40, afterSouth, says("3.1 metres."));
/** A last call that shows nothing of those before. */
const plain = call("c", 40, [asked], says("3.1 metres."));

const run = (...spans: readonly Span[]): Promise<AgentRun> => replayedOne(document(spans));
const missingIn = ({ missing }: AgentRun, what: string) => missing.find((one) => one.what === what)?.why;

type Row = readonly [title: string, spans: readonly Span[], calls: number | null];

/** Each call that is in the data has 12 tokens. */
function countsAre(rows: readonly Row[]): void {
  it.each(rows)("%s", async (_, spans, calls) => {
    const { llmCalls, totalTokens } = await run(...spans);
    expect({ llmCalls, totalTokens }).toEqual({
      llmCalls: calls,
      totalTokens: calls === null ? null : 12 * calls,
    });
  });
}

describe("the cost of a run", () => {
  const withMore = (one: Span, more: Attributes): Span => ({
    ...one,
    attributes: [one["attributes"], span("x", "x", "", 0, 0, more)["attributes"]].flat(),
  });
  const priced = (one: Span, usd: number): Span => withMore(one, { "gen_ai.usage.cost": usd });
  const calls = [priced(first, 0.25), priced(second, 0.5), priced(third, 0.125)];
  const lost = "not all usage is in the data";
  const covering = { "gen_ai.operation.name": "chat", "gen_ai.usage.cost": 0.25 };

  it.each<[string, readonly Span[], string]>([
    ["a call is missing", [agent(), ...calls.slice(1), north, south], lost],
    [
      "the agent counts tokens of a missing call",
      [withMore(agent(), tokenCounts(99, 12)), ...calls.slice(1), north, south],
      lost,
    ],
    [
      "a tool ran within the span of a call that shows no end",
      [agent(), span("a", "r", "chat small", 1, 50, covering), north],
      "one span covers several model calls",
    ],
  ])("is unknown where %s", async (_, spans, why) => {
    const one = await run(...spans);
    expect([one.costUsd, missingIn(one, "cost")]).toEqual([null, expect.stringContaining(why)]);
  });

  it("is the sum of the calls where all are there", async () => {
    const one = await run(agent(), ...calls, north, south);
    expect([one.costUsd, missingIn(one, "cost")]).toEqual([0.875, undefined]);
  });
});

describe("a model call that is not in the data", () => {
  const step = span("x", "r", "gauge", 30, 35, { "span.kind": "step" });
  const silent = call("a", 1, [asked], says(""));
  const emptied = call("c", 40, [asked, { role: "user", parts: [] }], says("3.1 metres."));
  const rewritten = call("a", 1, [asked], says("level of the river"));
  const dispatch = (id: string, at: number): Span => span(`d${id}`, "r", "dispatch", at - 1, at + 9);
  const helper = call("h", 11, [words("user", "Read north")], says("3.1"), "tn");
  const dispatched = [dispatch("n", 10), within(north, "dn"), helper, dispatch("s", 30), within(south, "ds")];
  const unread = { role: "tool", parts: [{ type: "tool_call_response", id: "back", result: "ok" }] };
  const back = [request("back", "transfer_back_to_desk"), unread];

  countsAre([
    ["the first: a later history shows what it asked for", [agent(), north, second, south, third], null],
    ["one between others", [agent(), first, north, south, third], null],
    [
      "the last: its tool ran, and the agent has another answer",
      [agent(), first, north, second, south],
      null,
    ],
    [
      "the last, without spans of tools: a step named like the tool came after it",
      [agent(), first, second, step],
      null,
    ],
    ["the last, without spans of tools: nothing came after it", [agent(), first, second], null],
    ["the last, of calls that show no requests: a tool ran after it", [agent(), silent, north], null],
    ["one whose result a history may hold as an empty message", [agent(), north, emptied], null],
    [
      "a tool ran that nobody asked for, after all that was asked for",
      [agent(), first, north, south, plain],
      null,
    ],
  ]);

  describe("is not missed where", () => {
    countsAre([
      ["a tool's result is the answer after calls without requests", [agent("3.1"), silent, north], 1],
      ["the tool's result is the answer", [agent("2.9"), first, north, second, south], 2],
      ["the program ran a tool before words", [agent(), north, plain], 1],
      ["the program ran a tool after words", [agent(), rewritten, north, plain], 2],
      [
        "a step is around a tool, of which another tool asked a model",
        [agent(), first, second, third, ...dispatched],
        4,
      ],
      [
        "a framework put a return to the earlier agent into the history",
        [agent(), first, north, call("c", 40, [...afterNorth, ...back], says("3.1 metres."))],
        2,
      ],
    ]);
  });

  it("is named with the reason, and the tools are those of the history", async () => {
    const one = await run(agent(), north, second, south, third);
    expect(missingIn(one, "llm_calls")).toContain("the message history of a later call");
    expect(one.tools.map(({ result }) => result)).toEqual(["3.1", "2.9"]);
  });

  describe("after a tool that was requested last and whose arguments", () => {
    const replying = (given: object) => call("b", 20, [asked], asks("f", "reply", given));
    const quoting = 'It is "high":\n3.1 metres.';
    countsAre([
      ["hold the answer as a text", [agent(), replying({ text: "3.1 metres." })], 1],
      ["hold it among other words", [agent(), replying({ text: "It is at 3.1 metres. Rising." })], 1],
      ["hold its quotes and lines", [agent(quoting), replying({ text: quoting })], 1],
      ["are it as an object", [agent('{"metres":3.1}'), replying({ metres: 3.1 })], 1],
      ["are another", [agent(), replying({ text: "north" })], null],
    ]);
  });

  it("after a sub-agent that worked as a tool; the outer agent is the last", async () => {
    const delegate = call("a", 1, [asked], request("n", "transfer_to_reader"));
    const reader = span(
      "tn",
      "r",
      "execute_tool transfer_to_reader",
      10,
      60,
      toolAttributes("transfer_to_reader", "n", "It reads 3.1."),
    );
    const inner = agentSpan("i", "tn", "reader", 11, 59);
    const reads = call("b", 20, [words("user", "read")], says("It reads 3.1."), "i");
    expect(await run(agent("So: 3.1 metres."), delegate, reader, inner, reads)).toMatchObject({
      llmCalls: null,
      totalTokens: null,
      finalAgent: "gauger",
      answer: "So: 3.1 metres.",
    });
  });

  it("where a router saw none of the earlier turns, no tool of an earlier turn counts", async () => {
    const router = call("a", 1, [asked], says("gauges"));
    const earlier = [words("user", "And the sea?"), request("e", "tide"), returns("e", "low"), says("Low.")];
    const one = await run(agent(), router, call("c", 40, [...earlier, asked], says("3.1 metres.")));
    expect(one).toMatchObject({ llmCalls: 2, totalTokens: 24, tools: [] });
  });

  it("its tool does not take the arguments of a call with the same name", async () => {
    const ran = (station: string, at: number): Span =>
      toolSpan(`t${station}`, "r", "gauge", at, {
        "gen_ai.tool.call.arguments": JSON.stringify({ station }),
        "gen_ai.tool.call.result": `${station} is high`,
      });
    const requesting = (id: string, at: number, station: string) =>
      call(id, at, [asked], asks(undefined, "gauge", { station }));
    const { tools, llmCalls } = await run(
      agent(),
      requesting("a", 1, "north"),
      ran("north", 10),
      ran("west", 20),
      requesting("b", 30, "south"),
      ran("south", 40),
      call("c", 50, [asked], says("3.1 metres.")),
    );
    expect(tools.map((one) => [one.arguments, one.result])).toEqual(
      ["north", "west", "south"].map((station) => [{ station }, `${station} is high`]),
    );
    expect(llmCalls).toBeNull();
  });
});

describe("without contents, a model call that is not in the data", () => {
  const bare = (id: string, at: number, parent = "r", more: Attributes = {}): Span =>
    chatSpan(id, parent, at, { ...tokenCounts(10, 2), ...more });
  const gauge = toolSpan("t", "r", "gauge", 10);
  const ran = toolSpan("t", "r", "gauge", 10, { "gen_ai.tool.call.id": "c1" });
  const requesting = bare("a", 1, "r", { "gen_ai.response.finish_reasons": ["tool_calls"] });
  const turn = (id: string, at: number): Span => span(id, "r", "turn", at, at + 10, {});
  const critic = (id: string, at: number): Span => agentSpan(id, "r", "critic", at, at + 10);
  const post = (id: string, parent: string): Span => span(id, parent, "POST", 2, 3, {});
  const program = span("r", undefined, "POST /gauges", 0, 99, {});
  const cancelled = { ...turn("u", 20), status: { code: 2, message: "CancelledError" } };
  const failed = span("z", "r", "chat small", 20, 25, { "gen_ai.operation.name": "chat" });
  const [turns, critics] = [
    [owner(), turn("s", 1), bare("a", 2, "s"), turn("u", 20)],
    [owner(), critic("s", 1), bare("a", 2, "s"), critic("u", 20)],
  ];

  countsAre([
    ["a step is like those that hold a call", turns, null],
    ["each step holds its call", [...turns, bare("b", 21, "u")], 2],
    ["an agent's span is like those of its name that hold a call", critics, null],
    ["each agent's span holds its call", [...critics, bare("b", 21, "u")], 2],
    ["its own child is left", [owner(), bare("a", 1), post("p", "a"), post("q", "lost")], null],
    ["no child is left", [owner(), bare("a", 1), post("p", "a")], 1],
    ["outside of an agent's span, a tool with a call's id ran last", [program, bare("a", 1), ran], null],
    ["after that tool, a call failed", [program, bare("a", 1), ran, failed], 1],
    [
      "no agent's span shows that a model asked for the tool before the call",
      [program, gauge, bare("b", 20)],
      1,
    ],
    [
      "no agent's span shows that a model asked for the tool after the call",
      [program, bare("a", 1), gauge],
      1,
    ],
    ["a step failed: its call was not answered", [owner(), turn("s", 1), bare("a", 2, "s"), cancelled], 1],
  ]);

  const early = "a tool ran before the first model call";
  const went = "the agent continued after its last tool";
  it.each([
    ["the first: a tool ran before any call", [ran, bare("b", 20)], early],
    ["the first: a tool without an id ran before any call", [gauge, bare("b", 20)], early],
    ["the last: the agent ended after the tool that it had asked for", [requesting, ran], went],
    ["the last: a tool ran after a call that shows no reason for its end", [bare("a", 1), ran], went],
    [
      "the last: it asked for a tool, of which nothing is in the data",
      [requesting],
      "the model call that gave the answer has no span",
    ],
  ])("%s", async (_, spans, why) => {
    const one = await run(owner(), ...spans);
    expect([one.llmCalls, one.totalTokens]).toEqual([null, null]);
    expect(missingIn(one, "llm_calls")).toContain(why);
  });

  it("leaves cached tokens unknown where one call says zero and another nothing", async () => {
    const cached = (tokens: number) => bare("a", 1, "r", { "gen_ai.usage.cache_read.input_tokens": tokens });
    expect((await run(owner(), cached(0), ran, bare("b", 20))).usage.cached).toBeNull();
    expect((await run(owner(), cached(4), ran, bare("b", 20))).usage.cached).toBe(4);
  });
});

describe("an answer after a tool, without a call that gave it", () => {
  countsAre([
    [
      "quotes the result among other words: the call is lost",
      [agent("The river is at 3.1 metres, rising."), first, north],
      null,
    ],
    ["repeats the result: no call was needed", [agent("3.1"), first, north], 1],
    ["repeats the result with a word around it", [agent("3.1 m"), first, north], 1],
  ]);
});

describe("tools", () => {
  it("are unknown if a run without calls and tools reports tokens, because a model was called", async () => {
    const alone = (more: Attributes) => run(owner({ ...outputMessages(says("3.1 metres.")), ...more }));
    expect(missingIn(await alone({ "gen_ai.usage.input_tokens": 40 }), "tools")).toBeDefined();
    expect(missingIn(await alone({}), "tools")).toBeUndefined();
  });

  it.each([
    ["may be missing after a request without a span or result", [first], true],
    ["are known from tool spans", [first, north], false],
    ["are known from the history of the last call", [first, call("c", 40, afterNorth, says("3.1"))], false],
  ])("%s, if the answering call has no span", async (_, spans, isMissing) => {
    expect(missingIn(await run(agent(), ...spans), "tools") !== undefined).toBe(isMissing);
  });
});

describe("an agent that a tool of another agent started", () => {
  const reader = agentSpan("h", "tn", "reader", 11, 14);
  const reading = call("i", 12, [words("user", "Read north")], says("North is at 3.1."), "h");

  it("is not the run's agent where the caller's first call is missing", async () => {
    expect((await run(owner(), north, reader, reading, second, south, third)).agent).toBe("gauger");
  });
});

describe("token counts beside those of the calls", () => {
  const after = call("c", 40, afterNorth, says("3.1 metres."));
  const flow = (input: number): Span =>
    span("r", undefined, "invoke_workflow tides", 0, 99, {
      "gen_ai.operation.name": "invoke_workflow",
      ...tokenCounts(input, 9),
    });
  const counting = (input: number, output = 7): Span =>
    owner({ ...tokenCounts(input, output), ...outputMessages(says("3.1 metres.")) });
  const earlier = [words("user", "And the sea?"), says("Low.")];

  it.each<[string, readonly Span[], number | null, number | null]>([
    ["of a span around the calls: theirs", [flow(20), first, north, after], 2, 24],
    [
      "of a span around the calls: more than theirs, of a call without a span",
      [flow(21), first, north, after],
      null,
      null,
    ],
    ["of an agent: of a call that only they count", [counting(30), plain], null, 37],
    ["of an agent: theirs", [counting(10), plain], 1, 12],
    [
      "of an agent that counts the turns before as well",
      [counting(30), call("c", 40, [...earlier, asked], says("3.1 metres."))],
      1,
      12,
    ],
    [
      "of an agent: no fewer output tokens than those of its calls",
      [counting(30, 6), first, north],
      null,
      36,
    ],
    [
      "of an agent: fewer output tokens are those of its last call",
      [counting(30, 1), first, north],
      null,
      null,
    ],
  ])("%s", async (_, spans, llmCalls, totalTokens) => {
    expect(await run(...spans)).toMatchObject({ llmCalls, totalTokens });
  });
});

it.each(["chat small", "chat large"])(
  "a call within a call that ran tools is a second one, named %s",
  async (name) => {
    const chat = (id: string, parent: string | undefined, title: string, start: number, end: number): Span =>
      span(id, parent, title, start, end, { ...chatAttributes("small"), ...tokenCounts(10, 2) });
    const spans = [
      chat("a", undefined, "chat small", 0, 60),
      within(north, "a"),
      chat("b", "a", name, 20, 50),
    ];
    expect((await run(...spans)).llmCalls).toBe(2);
  },
);
