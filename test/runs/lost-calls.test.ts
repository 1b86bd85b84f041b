import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import {
  agentAttributes,
  chatAttributes,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolAttributes,
} from "../support/genai.ts";
import { words } from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayed, replayedOne } from "../support/replayed.ts";

const asks = (id: string, name: string) => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name, arguments: { station: id } }],
});
const returned = (id: string, result: string) => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, result }],
});

const agent = (answer = "3.1 metres."): Span =>
  span("r", undefined, "invoke_agent gauger", 0, 99, {
    ...agentAttributes("gauger"),
    ...outputMessages(words("assistant", answer)),
  });
const call = (id: string, at: number, inputs: unknown[], output: unknown, parent = "r"): Span =>
  span(id, parent, "chat small", at, at + 5, {
    ...chatAttributes("small"),
    ...tokenCounts(10, 2),
    ...inputMessages(...inputs),
    ...outputMessages(output),
  });
const tool = (id: string, at: number, name = "gauge", result = "3.1"): Span =>
  span(`t${id}`, "r", `execute_tool ${name}`, at, at + 5, toolAttributes(name, id, result));

const asked = words("user", "How high?");
const first = call("a", 1, [asked], asks("n", "gauge"));
const second = call("b", 20, [asked, asks("n", "gauge"), returned("n", "3.1")], asks("s", "gauge"));
const third = call(
  "c",
  40,
  [asked, asks("n", "gauge"), returned("n", "3.1"), asks("s", "gauge"), returned("s", "2.9")],
  words("assistant", "3.1 metres."),
);
const [north, south] = [tool("n", 10), tool("s", 30, "gauge", "2.9")];

const run = (...spans: readonly Span[]): Promise<AgentRun> => replayedOne(document(spans));

const counts = ({ llmCalls, totalTokens }: AgentRun) => ({ llmCalls, totalTokens });
const unknown = { llmCalls: null, totalTokens: null };

describe("the cost of a run", () => {
  const priced = (one: Span, usd: number): Span => ({
    ...one,
    attributes: [one["attributes"], { key: "gen_ai.usage.cost", value: { doubleValue: usd } }].flat(),
  });
  const calls = [priced(first, 0.25), priced(second, 0.5), priced(third, 0.125)];
  const counted = (input: number, output: number): Span => ({
    ...agent(),
    attributes: [
      agent()["attributes"],
      { key: "gen_ai.usage.input_tokens", value: { intValue: String(input) } },
      { key: "gen_ai.usage.output_tokens", value: { intValue: String(output) } },
    ].flat(),
  });
  const lost = "not all usage is in the data";
  const unpriced = (why: string) => ({ costUsd: null, why: expect.stringContaining(why) as string });

  it.each([
    ["all calls are there", [agent(), ...calls, north, south], { costUsd: 0.875, why: undefined }],
    ["a call is missing", [agent(), ...calls.slice(1), north, south], unpriced(lost)],
    [
      "the agent counts tokens of a missing call",
      [counted(99, 12), ...calls.slice(1), north, south],
      unpriced(lost),
    ],
    [
      "a tool ran within the span of a call that shows no end",
      [
        agent(),
        span("a", "r", "chat small", 1, 50, { "gen_ai.operation.name": "chat", "gen_ai.usage.cost": 0.25 }),
        north,
      ],
      unpriced("one span covers several model calls"),
    ],
  ])("%s", async (_, spans, expected) => {
    const { costUsd, missing } = await run(...spans);
    expect({ costUsd, why: missing.find(({ what }) => what === "cost")?.why }).toEqual(expected);
  });
});

describe("a model call that is not in the data", () => {
  it("is not missed below a step around a tool, of which another tool asked a model", async () => {
    const dispatch = (id: string, at: number): Span => span(`d${id}`, "r", "dispatch", at - 1, at + 9);
    const within = ({ ...one }: Span, id: string): Span => ({
      ...one,
      parentSpanId: span("x", `d${id}`, "", 0, 0).parentSpanId,
    });
    const helper = call("h", 11, [words("user", "Read north")], words("assistant", "3.1"), "tn");
    const steps = [dispatch("n", 10), within(north, "n"), helper, dispatch("s", 30), within(south, "s")];
    expect((await run(agent(), first, second, third, ...steps)).llmCalls).toBe(4);
  });

  it.each([
    ["the first", [north, second, south, third]],
    ["one between others", [first, north, south, third]],
  ])("%s: a later history shows what it asked for", async (_, spans) => {
    const one = await run(agent(), ...spans);
    expect(counts(one)).toEqual(unknown);
    expect(one.missing).toContainEqual(
      expect.objectContaining({
        what: "llm_calls",
        why: expect.stringContaining("the message history of a later call") as string,
      }),
    );
    expect(one.tools.map(({ result }) => result)).toEqual(["3.1", "2.9"]);
  });

  it("the last: its tool ran and the agent has another answer", async () => {
    expect(counts(await run(agent(), first, north, second, south))).toEqual(unknown);
  });

  it.each([
    ["a step of the requested tool's name", [span("x", "r", "gauge", 30, 35, { "span.kind": "step" })]],
    ["nothing that it asked for", []],
  ])("the last, of a producer without spans of tools: %s came after it", async (_, after) => {
    expect(counts(await run(agent(), first, second, ...after))).toEqual(unknown);
  });

  it.each([
    ["hold the answer as a text", "3.1 metres.", { text: "3.1 metres." }, 1],
    ["are it as an object", '{"metres":3.1}', { metres: 3.1 }, 1],
    ["are another", "3.1 metres.", { text: "north" }, null],
  ])("a tool that was requested last and whose arguments %s", async (_, answer, given, calls) => {
    const answering = call("b", 20, [asked], {
      role: "assistant",
      parts: [{ type: "tool_call", id: "f", name: "reply", arguments: given }],
    });
    expect((await run(agent(answer), answering)).llmCalls).toBe(calls);
  });

  it("the last, of a producer whose calls show no requests: a tool ran after it, and another answer was given", async () => {
    const silent = call("a", 1, [asked], { role: "assistant", parts: [{ type: "text", content: "" }] });
    expect(counts(await run(agent(), silent, north))).toEqual(unknown);
    expect(counts(await run(agent("3.1"), silent, north))).toEqual({ llmCalls: 1, totalTokens: 12 });
  });

  it("one whose result a history may hold as an empty message", async () => {
    const seen = { role: "user", parts: [] };
    const shown = call("c", 40, [asked, seen], words("assistant", "3.1 metres."));
    expect(counts(await run(agent(), north, shown))).toEqual(unknown);
    const alone = call("c", 40, [asked], words("assistant", "3.1 metres."));
    expect(counts(await run(agent(), north, alone))).toEqual({ llmCalls: 1, totalTokens: 12 });
  });

  it("is not missed where the tool's result is the answer", async () => {
    expect(counts(await run(agent("2.9"), first, north, second, south))).toEqual({
      llmCalls: 2,
      totalTokens: 24,
    });
  });

  it("is not missed where a framework put a return to the earlier agent into the history", async () => {
    const back = [asks("back", "transfer_back_to_desk"), returned("back", "ok")];
    const closing = call(
      "c",
      40,
      [asked, asks("n", "gauge"), returned("n", "3.1"), ...back],
      words("assistant", "3.1 metres."),
    );
    expect(counts(await run(agent(), first, north, closing))).toEqual({ llmCalls: 2, totalTokens: 24 });
  });

  it("one after a sub-agent that worked as a tool; the outer agent is the last", async () => {
    const delegate = call("a", 1, [asked], asks("n", "transfer_to_reader"));
    const reader = span(
      "tn",
      "r",
      "execute_tool transfer_to_reader",
      10,
      60,
      toolAttributes("transfer_to_reader", "n", "It reads 3.1."),
    );
    const inner = span("i", "tn", "invoke_agent reader", 11, 59, agentAttributes("reader"));
    const reads = call("b", 20, [words("user", "read")], words("assistant", "It reads 3.1."), "i");
    const one = await run(agent("So: 3.1 metres."), delegate, reader, inner, reads);
    expect({ ...counts(one), finalAgent: one.finalAgent, answer: one.answer }).toEqual({
      ...unknown,
      finalAgent: "gauger",
      answer: "So: 3.1 metres.",
    });
  });

  it("is not missed where the program ran a tool before or after words", async () => {
    const plain = call("c", 40, [asked], words("assistant", "3.1 metres."));
    const rewritten = call("a", 1, [asked], words("assistant", "level of the river"));
    expect(counts(await run(agent(), north, plain))).toEqual({ llmCalls: 1, totalTokens: 12 });
    expect(counts(await run(agent(), rewritten, north, plain))).toEqual({ llmCalls: 2, totalTokens: 24 });
  });

  describe("without contents", () => {
    const owner = span("r", undefined, "invoke_agent gauger", 0, 99, agentAttributes("gauger"));
    const bare = (id: string, at: number, parent = "r", more: Attributes = {}): Span =>
      span(id, parent, "chat small", at, at + 5, {
        ...chatAttributes("small"),
        ...tokenCounts(10, 2),
        ...more,
      });
    const tool = (more: Attributes = {}): Span =>
      span("t", "r", "execute_tool gauge", 10, 15, {
        ...toolAttributes("gauge"),
        ...more,
      });
    const ran = tool({ "gen_ai.tool.call.id": "c1" });
    const asking = { "gen_ai.response.finish_reasons": ["tool_calls"] };

    const requesting = bare("a", 1, "r", asking);
    const early = "a tool ran before the first model call";
    const went = "the agent continued after its last tool";
    const noSpan = "the model call that gave the answer has no span";

    it.each([
      ["the first: a tool ran before any call", [ran, bare("b", 20)], early],
      ["the last: the agent ended after the tool that it had asked for", [requesting, ran], went],
      [
        "the first: a tool without an id ran in the agent's own span before any call",
        [tool(), bare("b", 20)],
        early,
      ],
      [
        "the last: after a call that shows no reason for its end, a tool ran in the agent's own span",
        [bare("a", 1), ran],
        went,
      ],
      ["the last: it asked for a tool, of which nothing is in the data", [requesting], noSpan],
    ])("%s", async (_, spans, why) => {
      const one = await run(owner, ...spans);
      expect(counts(one)).toEqual(unknown);
      expect(one.missing).toContainEqual({
        what: "llm_calls",
        why: expect.stringContaining(why) as string,
      });
    });

    it.each([
      ["ran before the call", [tool(), bare("b", 20)]],
      ["ran after the call", [bare("a", 1), tool()]],
    ])(
      "is not missed where no agent's span shows that a model asked for the tool that %s",
      async (_, spans) => {
        const program = span("r", undefined, "POST /gauges", 0, 99, {});
        expect(counts(await run(program, ...spans))).toEqual({ llmCalls: 1, totalTokens: 12 });
      },
    );

    const turn = (id: string, at: number): Span => span(id, "r", "turn", at, at + 10, {});

    it("one of a step that is like those that hold a call", async () => {
      const spans = [turn("s", 1), bare("a", 2, "s"), turn("u", 20)];
      expect(counts(await run(owner, ...spans))).toEqual(unknown);
      expect(counts(await run(owner, ...spans, bare("b", 21, "u")))).toEqual({
        llmCalls: 2,
        totalTokens: 24,
      });
    });

    it("one whose own child is left", async () => {
      const post = (id: string, parent: string): Span => span(id, parent, "POST", 2, 3, {});
      expect(counts(await run(owner, bare("a", 1), post("p", "a"), post("q", "lost")))).toEqual(unknown);
      expect(counts(await run(owner, bare("a", 1), post("p", "a")))).toEqual({
        llmCalls: 1,
        totalTokens: 12,
      });
    });

    it("the last, outside of an agent's span: a tool with a call's id ran after it", async () => {
      const program = span("r", undefined, "question", 0, 99, {});
      const spans = [program, bare("a", 1), tool({ "gen_ai.tool.call.id": "c1" })];
      expect(counts(await run(...spans))).toEqual(unknown);
      const failed = span("z", "r", "chat small", 20, 25, { "gen_ai.operation.name": "chat" });
      expect(counts(await run(...spans, failed))).toEqual({ llmCalls: 1, totalTokens: 12 });
    });

    it("is not missed in a step that failed: its call was not answered", async () => {
      const failed = { ...turn("u", 20), status: { code: 2, message: "CancelledError" } };
      expect(counts(await run(owner, turn("s", 1), bare("a", 2, "s"), failed))).toEqual({
        llmCalls: 1,
        totalTokens: 12,
      });
    });

    it("leaves cached tokens unknown where one call says zero and another nothing", async () => {
      const cached = (tokens: number) => ({ "gen_ai.usage.cache_read.input_tokens": tokens });
      const cachedOf = async (...calls: Span[]) => (await run(owner, ...calls)).usage.cached;
      expect(await cachedOf(bare("a", 1, "r", cached(0)), ran, bare("b", 20))).toBeNull();
      expect(await cachedOf(bare("a", 1, "r", cached(4)), ran, bare("b", 20))).toBe(4);
    });
  });

  const counting = (tokens: number, answer = "3.1 metres.") =>
    span("r", undefined, "invoke_agent gauger", 0, 99, {
      ...agentAttributes("gauger"),
      ...tokenCounts(tokens, 7),
      ...outputMessages(words("assistant", answer)),
    });

  it("one that only the agent's own count of tokens holds: that is the run's", async () => {
    const plain = call("c", 40, [asked], words("assistant", "3.1 metres."));
    expect(counts(await run(counting(30), plain))).toEqual({ llmCalls: null, totalTokens: 37 });
    expect(counts(await run(counting(10), plain))).toEqual({ llmCalls: 1, totalTokens: 12 });
  });

  it("is not missed where the agent counts the turns before as well", async () => {
    const earlier = [words("user", "And the sea?"), words("assistant", "Low.")];
    const closing = call("c", 40, [...earlier, asked], words("assistant", "3.1 metres."));
    expect(counts(await run(counting(30), closing))).toEqual({ llmCalls: 1, totalTokens: 12 });
  });
});

describe("an answer after a tool, without a call that gave it", () => {
  it.each([
    ["quotes the result among other words: the call is lost", "The river is at 3.1 metres, rising.", null],
    ["repeats the result: no call was needed", "3.1", 1],
    ["repeats the result with a word around it", "3.1 m", 1],
  ])("%s", async (_, answer, calls) => {
    const all = await replayed(document([agent(answer), first, north]));
    expect(all.map(({ llmCalls }) => llmCalls)).toEqual([calls]);
  });
});

describe("tools of a run without a model call and a tool span", () => {
  const alone = (attributes: Parameters<typeof span>[5]) =>
    run(
      span("r", undefined, "invoke_agent gauger", 0, 99, {
        ...agentAttributes("gauger"),
        ...outputMessages(words("assistant", "3.1 metres.")),
        ...attributes,
      }),
    );

  it("are unknown if it reports tokens, because a model was called", async () => {
    const tools = expect.objectContaining({ what: "tools" }) as unknown;
    expect((await alone({ "gen_ai.usage.input_tokens": 40 })).missing).toContainEqual(tools);
    expect((await alone({})).missing).not.toContainEqual(tools);
  });
});

describe("an agent that a tool of another agent started", () => {
  const caller = (attributes: Attributes = {}): Span =>
    span("r", undefined, "invoke_agent gauger", 0, 99, {
      ...agentAttributes("gauger"),
      ...attributes,
    });
  const reader = span("h", "tn", "invoke_agent reader", 11, 14, agentAttributes("reader"));
  const reading = call("i", 12, [words("user", "Read north")], words("assistant", "North is at 3.1."), "h");

  it("gives no answer to the user: the caller's last call is missing", async () => {
    const one = await run(caller(), first, north, reader, reading);
    expect([one.answer, one.agent]).toEqual([null, "gauger"]);
    expect(counts(one)).toEqual(unknown);
  });

  it("is not the run's agent where the caller's first call is missing", async () => {
    const one = await run(caller(), north, reader, reading, second, south, third);
    expect(one.agent).toBe("gauger");
  });
});

describe("token counts beside those of the calls", () => {
  const [before, after] = [
    first,
    call("c", 40, [asked, asks("n", "gauge"), returned("n", "3.1")], words("assistant", "3.1 metres.")),
  ];
  const flow = (input: number): Span =>
    span("r", undefined, "invoke_workflow tides", 0, 99, {
      "gen_ai.operation.name": "invoke_workflow",
      ...tokenCounts(input, 9),
    });

  it("of a span around the calls: more than theirs are those of a call without a span", async () => {
    expect((await run(flow(20), before, north, after)).totalTokens).toBe(24);
    expect(counts(await run(flow(21), before, north, after))).toEqual(unknown);
  });

  it("of an agent: fewer output tokens than those of its calls are those of its last call", async () => {
    const summed = (output: number): Span =>
      span("r", undefined, "invoke_agent gauger", 0, 99, {
        ...agentAttributes("gauger"),
        ...tokenCounts(30, output),
        ...outputMessages(words("assistant", "3.1 metres.")),
      });
    expect((await run(summed(6), before, north)).totalTokens).toBe(36);
    expect((await run(summed(1), before, north)).totalTokens).toBeNull();
  });
});

describe("tools of a run whose answering call has no span", () => {
  const missing = ({ missing }: AgentRun) => missing.map(({ what }) => what);
  const answered = call(
    "c",
    40,
    [asked, asks("n", "gauge"), returned("n", "3.1")],
    words("assistant", "3.1"),
  );

  it.each([
    ["may be missing after a request without a span or result", [first], true],
    ["are known from tool spans", [first, north], false],
    ["are known from the history of the last call", [first, answered], false],
  ])("%s", async (_, spans, isMissing) => {
    expect(missing(await run(agent(), ...spans)).includes("tools")).toBe(isMissing);
  });
});

it.each(["chat small", "chat large"])(
  "a call within a call that ran tools is a second one, named %s",
  async (name) => {
    const chat = (id: string, parent: string | undefined, title: string, start: number, end: number): Span =>
      span(id, parent, title, start, end, {
        ...chatAttributes("small"),
        ...tokenCounts(10, 2),
      });
    const ran = { ...tool("n", 10), parentSpanId: span("x", "a", "", 0, 0).parentSpanId };
    expect(
      (await run(chat("a", undefined, "chat small", 0, 60), ran, chat("b", "a", name, 20, 50))).llmCalls,
    ).toBe(2);
  },
);
