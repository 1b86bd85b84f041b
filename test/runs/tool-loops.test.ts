import { describe, expect, test } from "vitest";
import { chatAttributes, tokenCounts, toolAttributes, words } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** A client's span for a whole tool loop: its tools are within it, and its history has the turns that requested them. */

const messages = (...list: readonly object[]): string => JSON.stringify(list);
const user = words("user", "Which tree is it, and where?");
const asks = (...ids: readonly string[]): object => ({
  role: "assistant",
  parts: ids.map((id) => ({ type: "tool_call", id, name: "look", arguments: { id } })),
});
const returned = (id: string): object => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response: `result of ${id}` }],
});
const answer = messages({
  role: "assistant",
  parts: [{ type: "text", content: "T-41." }],
  finish_reason: "stop",
});

async function callsOf(history: readonly object[], tools: readonly string[]): Promise<number | null> {
  const chat = {
    ...chatAttributes("small"),
    ...tokenCounts(90, 9),
    "gen_ai.input.messages": messages(...history),
    "gen_ai.output.messages": answer,
    "gen_ai.response.finish_reasons": ["stop"],
  };
  const spans = tools.map((id, at) =>
    span(id, "loop", "execute_tool look", 10 + 10 * at, 12 + 10 * at, toolAttributes("look", id)),
  );
  const [run] = await replayed(document([span("loop", undefined, "chat small", 0, 100, chat), ...spans]));
  return run?.llmCalls ?? null;
}

test.each([
  ["two turns with a tool each", [user, asks("a"), returned("a"), asks("b"), returned("b")], ["a", "b"], 3],
  ["one turn with two tools", [user, asks("a", "b"), returned("a"), returned("b")], ["a", "b"], 2],
  ["a tool that no turn of the history requested", [user, asks("a"), returned("a")], ["a", "b"], null],
] as const)("%s", async (_, history, tools, calls) => {
  expect(await callsOf(history, tools)).toBe(calls);
});

describe("a loop's span", () => {
  const loop = {
    ...chatAttributes("small"),
    ...tokenCounts(90, 9),
    "gen_ai.input.messages": messages(user, asks("a"), returned("a")),
    "gen_ai.output.messages": answer,
    "gen_ai.response.finish_reasons": ["stop"],
  };
  const ran = (parent: string, at: number): ReturnType<typeof span> =>
    span("a", parent, "execute_tool look", at, at + 2, toolAttributes("look", "a"));
  const root = span("r", undefined, "invoke_agent trees", 0, 100, {
    "gen_ai.operation.name": "invoke_agent",
  });

  test("has the tokens of all its model calls", async () => {
    const [run] = await replayed(document([span("l", undefined, "chat small", 0, 100, loop), ran("l", 10)]));
    expect(run).toMatchObject({ llmCalls: 2, usage: { input: 90, output: 9 }, totalTokens: 99 });
  });

  test("may have its tools beside it", async () => {
    const [run] = await replayed(document([root, span("l", "r", "chat small", 0, 100, loop), ran("r", 10)]));
    expect(run).toMatchObject({ llmCalls: 2, usage: { input: 90, output: 9 } });
  });

  test("that failed after its tool made the calls of its history", async () => {
    const failed = {
      ...loop,
      "gen_ai.output.messages": "[]",
      "gen_ai.response.finish_reasons": ["tool_calls"],
    };
    const [run] = await replayed(
      document([span("l", undefined, "chat small", 0, 100, failed, { status: { code: 2 } }), ran("l", 10)]),
    );
    expect(run).toMatchObject({ status: "error", llmCalls: 1, usage: { input: 90, output: 9 } });
  });
});
