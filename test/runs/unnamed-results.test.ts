import { describe, expect, it } from "vitest";
import { chatSpan, inputMessages, outputMessages, tokenCounts, toolAttributes } from "../support/genai.ts";
import { words, type Message } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Histories of clients that write a tool's result as bare text: no call id, no tool name, no request before it. */

const asks = (...ids: readonly string[]): Message => ({
  role: "assistant",
  parts: ids.map((id) => ({ type: "tool_call", id, name: "gauge", arguments: { at: id } })),
});
const question = words("user", "How high are both?");
const silent = words("assistant", "");
const answer = words("assistant", "3.1 and 2.9 metres.");

function chats(
  turns: readonly (readonly [readonly Message[], Message])[],
  trace: (at: number) => string,
): object {
  const spans = turns.map(([inputs, output], at) =>
    chatSpan(
      `c${at}`,
      undefined,
      10 * at,
      { ...tokenCounts(10, 2), ...inputMessages(...inputs), ...outputMessages(output) },
      { trace: trace(at) },
    ),
  );
  return document(spans);
}

describe.each([
  ["in one trace", () => "t"],
  ["in a trace for each call", (at: number) => `t${at}`],
] as const)("results that name no call, %s", (_, trace) => {
  it("belong to no request if they are fewer than the requests", async () => {
    const turns = [
      [[question], asks("north", "south")],
      [[question, silent, words("tool", "2.9")], answer],
    ] as const;
    const runs = await replayed(chats(turns, trace));
    expect(runs).toMatchObject([{ tools: [{ result: undefined }, { result: undefined }] }]);
  });
});

describe("results that name no call, of tools that no message requests", () => {
  const chat = (
    id: string,
    at: number,
    inputs: readonly Message[],
    output: readonly Message[],
  ): ReturnType<typeof span> =>
    chatSpan(id, "r", at, { ...inputMessages(...inputs), ...outputMessages(...output) });
  const tool = (id: string, start: number, end: number): ReturnType<typeof span> =>
    span(id, "r", "execute_tool gauge", start, end, {
      ...toolAttributes("gauge"),
      "gen_ai.tool.call.arguments": JSON.stringify({ at: id }),
    });
  const root = span("r", undefined, "invoke_agent gauger", 0, 100, {
    "gen_ai.operation.name": "invoke_agent",
  });
  const results = [words("tool", "2.9"), words("tool", "3.1")];

  it.each([
    ["belong to the tools in order", [tool("north", 10, 12), tool("south", 20, 22)], ["2.9", "3.1"]],
    [
      "belong to parallel tools that ended in order",
      [tool("north", 10, 22), tool("south", 11, 23)],
      ["2.9", "3.1"],
    ],
    [
      "belong to no tool if a later tool ended first",
      [tool("north", 10, 22), tool("south", 11, 15)],
      [undefined, undefined],
    ],
    [
      "belong to no tool if another tool ran",
      [tool("north", 10, 12), tool("south", 20, 22), tool("east", 25, 26)],
      [undefined, undefined, undefined],
    ],
  ])("%s", async (_, tools, expected) => {
    const calls = [chat("a", 1, [question], []), chat("b", 50, [question, silent, ...results], [answer])];
    const [run] = await replayed(document([root, ...calls, ...tools]));
    expect(run?.tools.map(({ result }) => result)).toEqual(expected);
  });
});

const asksFor = (id: string, at: string): Message => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name: "gauge", arguments: { at } }],
});
const found = { role: "tool", parts: [{ type: "tool_call_response", id: "b", response: "2.9" }] };
it.each([
  ["did not run if a later history has its request", [asks("a")], false],
  ["may have run if a later history has another request of the tool", [asksFor("b", "south"), found], null],
])("a requested tool without a result: %s", async (_, shown, executed) => {
  const turns = [
    [[question], asksFor("a", "a")],
    [[question, ...shown], answer],
  ] as const;
  const [run] = await replayed(chats(turns, () => "t"));
  expect(run?.tools[0]?.executed).toBe(executed);
});
