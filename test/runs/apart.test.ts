import { describe, expect, it } from "vitest";
import { chatAttributes, tokenCounts } from "../support/genai.ts";
import { type Attributes, document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

const question = { role: "user", content: "How high is the river?" };
const json = JSON.stringify;

const request = (id: string, trace: string, at: number, messages: readonly object[], more: Attributes = {}) =>
  span(
    id,
    undefined,
    "Chat Completion with {request_data[model]!r}",
    at,
    at + 2,
    {
      "logfire.span_type": "span",
      "logfire.msg_template": "Chat Completion with {request_data[model]!r}",
      ...chatAttributes("small"),
      request_data: json({ messages, model: "small", stream: true }),
      ...more,
    },
    { trace },
  );
const response = (id: string, trace: string, at: number, messages: readonly object[], text: string) =>
  span(
    id,
    undefined,
    "streaming response from {request_data[model]!r} took {duration:.2f}s",
    at,
    at,
    {
      "logfire.span_type": "log",
      "logfire.msg_template": "streaming response from {request_data[model]!r} took {duration:.2f}s",
      ...chatAttributes("small"),
      request_data: json({ messages, model: "small", stream: true }),
      response_data: json({ combined_chunk_content: text, chunk_count: 4 }),
      duration: 0.8,
    },
    { trace },
  );

it("a streamed call that Logfire reports twice, in traces of their own, is one run of one call", async () => {
  const spans = [
    request("a", "t1", 0, [question]),
    response("b", "t2", 800, [question], "It is at 3.1 metres."),
  ];
  const runs = await replayed(document(spans, { scope: "logfire.openai" }));
  expect(runs).toMatchObject([
    { query: "How high is the river?", answer: "It is at 3.1 metres.", llmCalls: 1 },
  ]);
});

describe("tools that are roots of traces of their own, beside their agent (Spring AI, streaming)", () => {
  const client = (id: string, trace: string, at: number, end: number) =>
    span(id, undefined, "spring_ai chat_client", at, end, { "spring.ai.kind": "chat_client" }, { trace });
  const chat = (
    id: string,
    parent: string,
    trace: string,
    at: number,
    finish: string,
    more: Attributes = {},
  ) =>
    span(
      id,
      parent,
      "chat small",
      at,
      at + 5,
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.system": "openai",
        "gen_ai.request.model": "small",
        "gen_ai.response.model": "small",
        "gen_ai.response.finish_reasons": [finish],
        ...tokenCounts(10, 2),
        ...more,
      },
      { trace },
    );
  const tool = (id: string, trace: string, at: number, name = "gauge") =>
    span(
      id,
      undefined,
      `tool_call ${name}`,
      at,
      at + 3,
      {
        "spring.ai.kind": "tool_call",
        "spring.ai.tool.definition.name": name,
        "spring.ai.tool.call.arguments": json({ station: "north" }),
        "spring.ai.tool.call.result": "3.1",
      },
      { trace },
    );

  it("belong to the agent that asked for them by name, though another ran at that time", async () => {
    const asks = (name: string): Attributes => ({
      "gen_ai.output.messages": json([
        {
          role: "assistant",
          parts: [{ type: "tool_call", id: null, name, arguments: { station: "north" } }],
        },
      ]),
    });
    const asking = (trace: string, at: number, name: string) => [
      client(`r${trace}`, trace, at, at + 60),
      chat(`a${trace}`, `r${trace}`, trace, at + 1, "TOOL_CALLS", asks(name)),
      chat(`b${trace}`, `r${trace}`, trace, at + 30, "STOP"),
    ];
    const spans = [...asking("t1", 0, "gauge"), ...asking("t4", 2, "forecast")];
    const runs = await replayed(document([...spans, tool("x", "t2", 12, "forecast")]));
    expect(runs.map(({ tools }) => tools.map(({ name, executed }) => [name, executed]))).toEqual([
      [["gauge", null]],
      [["forecast", true]],
    ]);
  });
});
