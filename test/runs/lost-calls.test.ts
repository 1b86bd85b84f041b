import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Model calls that are not in the data: how many there were is unknown, and so are tokens. */

type Span = ReturnType<typeof span>;
const json = JSON.stringify;

const words = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
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
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "gauger",
    "gen_ai.output.messages": json([words("assistant", answer)]),
  });
const call = (id: string, at: number, inputs: unknown[], output: unknown, parent = "r"): Span =>
  span(id, parent, "chat small", at, at + 5, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.input.messages": json(inputs),
    "gen_ai.output.messages": json([output]),
  });
const tool = (id: string, at: number, name = "gauge", result = "3.1"): Span =>
  span(`t${id}`, "r", `execute_tool ${name}`, at, at + 5, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": id,
    "gen_ai.tool.call.result": result,
  });

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

async function run(...spans: readonly Span[]): Promise<AgentRun> {
  const [one, ...others] = await replayed(document(spans));
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

const counts = ({ llmCalls, totalTokens }: AgentRun) => ({ llmCalls, totalTokens });
const unknown = { llmCalls: null, totalTokens: null };

describe("a model call that is not in the data", () => {
  it("is not missed where all are there", async () => {
    expect(counts(await run(agent(), first, north, second, south, third))).toEqual({
      llmCalls: 3,
      totalTokens: 36,
    });
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
        why: expect.stringContaining("a later call's history") as string,
      }),
    );
    expect(one.tools.map(({ result }) => result)).toEqual(["3.1", "2.9"]);
  });

  it("the last: its tool ran and the agent has another answer", async () => {
    expect(counts(await run(agent(), first, north, second, south))).toEqual(unknown);
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
    const reader = span("tn", "r", "execute_tool transfer_to_reader", 10, 60, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "transfer_to_reader",
      "gen_ai.tool.call.id": "n",
      "gen_ai.tool.call.result": "It reads 3.1.",
    });
    const inner = span("i", "tn", "invoke_agent reader", 11, 59, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "reader",
    });
    const reads = call("b", 20, [words("user", "read")], words("assistant", "It reads 3.1."), "i");
    const one = await run(agent("So: 3.1 metres."), delegate, reader, inner, reads);
    expect({ ...counts(one), finalAgent: one.finalAgent, answer: one.answer }).toEqual({
      ...unknown,
      finalAgent: "gauger",
      answer: "So: 3.1 metres.",
    });
  });

  it("one without contents: a tool ran that nobody asked for, after all that was asked for had run", async () => {
    const silent = call("c", 40, [asked], words("assistant", "3.1 metres."));
    expect(counts(await run(agent(), first, north, south, silent))).toEqual(unknown);
  });

  it("is not missed, and no tool of an earlier turn counts, where a router saw none of the earlier turns", async () => {
    const router = call("a", 1, [asked], words("assistant", "gauges"));
    const earlier = [words("user", "And the sea?"), asks("e", "tide"), returned("e", "low")];
    const closing = call(
      "c",
      40,
      [...earlier, words("assistant", "Low."), asked],
      words("assistant", "3.1 metres."),
    );
    const one = await run(agent(), router, closing);
    expect({ ...counts(one), tools: one.tools }).toEqual({ llmCalls: 2, totalTokens: 24, tools: [] });
  });

  it("is not missed where the program ran a tool before or after words", async () => {
    const plain = call("c", 40, [asked], words("assistant", "3.1 metres."));
    const rewritten = call("a", 1, [asked], words("assistant", "level of the river"));
    expect(counts(await run(agent(), north, plain))).toEqual({ llmCalls: 1, totalTokens: 12 });
    expect(counts(await run(agent(), rewritten, north, plain))).toEqual({ llmCalls: 2, totalTokens: 24 });
  });

  it("its tool does not take the arguments of a call with the same name", async () => {
    const asksFor = (station: string) => ({
      role: "assistant",
      parts: [{ type: "tool_call", name: "gauge", arguments: { station } }],
    });
    const ran = (station: string, at: number): Span =>
      span(`t${station}`, "r", "execute_tool gauge", at, at + 5, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "gauge",
        "gen_ai.tool.call.arguments": json({ station }),
        "gen_ai.tool.call.result": `${station} is high`,
      });
    const one = await run(
      agent(),
      call("a", 1, [asked], asksFor("north")),
      ran("north", 10),
      ran("west", 20),
      call("b", 30, [asked], asksFor("south")),
      ran("south", 40),
      call("c", 50, [asked], words("assistant", "3.1 metres.")),
    );
    expect(one.tools.map((tool) => [tool.arguments, tool.result])).toEqual([
      [{ station: "north" }, "north is high"],
      [{ station: "west" }, "west is high"],
      [{ station: "south" }, "south is high"],
    ]);
    expect(counts(one)).toEqual(unknown);
  });
});
