import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import { messagesWithin, readMessages } from "../../../src/runs/notations/message.ts";

/** A message in short: role, text, calls as `name#id(arguments)`, results as `=id content`, with `!` for an error. */
function short(value: JsonValue, fallback: "user" | "assistant" = "user"): string[] {
  return readMessages(value, fallback).map(({ role, text, calls, results, isCut }) =>
    [
      role,
      ...(text === null ? [] : [text]),
      ...calls.map(({ name, id, arguments: given }) => `${name}#${id}(${JSON.stringify(given) ?? ""})`),
      ...results.map(
        ({ callId, content, isError }) => `${isError ? "!" : "="}${callId} ${JSON.stringify(content)}`,
      ),
      ...(isCut ? ["cut"] : []),
    ].join(" | "),
  );
}

const call = 'assistant | f#c1({"a":1})';
const result = 'tool | =c1 "ok"';

describe("a notation of messages", () => {
  const rows: readonly (readonly [notation: string, value: JsonValue, read: readonly string[]])[] = [
    ["text", "hi", ["user | hi"]],
    ["role and content", [{ role: "user", content: "hi" }], ["user | hi"]],
    ["role and parts", [{ role: "user", parts: [{ type: "text", content: "hi" }] }], ["user | hi"]],
    [
      "OpenAI chat",
      [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "ok" },
      ],
      [String.raw`assistant | f#c1("{\"a\":1}")`, result],
    ],
    [
      "OpenAI responses",
      [
        { type: "reasoning", summary: [] },
        { type: "function_call", id: "fc", call_id: "c1", name: "f", arguments: { a: 1 } },
        { type: "function_call_output", call_id: "c1", output: "ok" },
      ],
      [`${call} | =c1 "ok"`],
    ],
    [
      "OpenAI provider-run tools",
      [
        { type: "web_search_call", id: "w1", action: { query: "q" }, status: "completed" },
        { type: "mcp_call", id: "m1", name: "g", arguments: "{}", output: null, error: "refused" },
      ],
      ['assistant | web_search#w1({"query":"q"}) | g#m1("{}") | !m1 "refused"'],
    ],
    [
      "Anthropic blocks",
      [
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm" },
            { type: "text", text: "Wait." },
            { type: "tool_use", id: "c1", name: "f", input: { a: 1 } },
          ],
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c1", content: "boom", is_error: true }],
        },
      ],
      ['assistant | Wait. | f#c1({"a":1})', 'user | !c1 "boom"'],
    ],
    [
      "Anthropic server tools",
      [
        {
          role: "assistant",
          content: [
            { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } },
            {
              type: "web_search_tool_result",
              tool_use_id: "s1",
              content: { type: "web_search_tool_result_error", error_code: "x" },
            },
          ],
        },
      ],
      [
        'assistant | web_search#s1({"query":"q"}) | !s1 {"type":"web_search_tool_result_error","error_code":"x"}',
      ],
    ],
    [
      "Gemini",
      {
        contents: [
          { role: "user", parts: [{ text: "hi" }] },
          {
            role: "model",
            parts: [{ text: "hm", thought: true }, { functionCall: { id: "c1", name: "f", args: { a: 1 } } }],
          },
          { role: "user", parts: [{ functionResponse: { id: "c1", name: "f", response: "ok" } }] },
        ],
      },
      ["user | hi", call, 'user | =c1 "ok"'],
    ],
    [
      "Bedrock",
      [
        { role: "assistant", content: [{ toolUse: { toolUseId: "c1", name: "f", input: { a: 1 } } }] },
        {
          role: "user",
          content: [{ toolResult: { toolUseId: "c1", content: [{ text: "no" }], status: "error" } }],
        },
      ],
      [call, 'user | !c1 [{"text":"no"}]'],
    ],
    [
      "semantic conventions",
      [
        {
          role: "assistant",
          parts: [
            { type: "reasoning", content: "hm" },
            { type: "tool_call", id: "c1", name: "f", arguments: { a: 1 } },
          ],
        },
        { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "ok" }] },
        {
          role: "user",
          parts: [
            { type: "blob", content: "AAAA" },
            { type: "uri", uri: "x" },
            { type: "file", file_id: "y" },
            { type: "text", content: "hi" },
          ],
        },
      ],
      [call, result, "user | hi"],
    ],
    [
      "server tools of the semantic conventions",
      [
        {
          role: "assistant",
          parts: [
            { type: "server_tool_call", id: "s1", name: "code", server_tool_call: { code: "1+1" } },
            { type: "server_tool_call_response", id: "s1", server_tool_call_response: { output: "2" } },
          ],
        },
      ],
      ['assistant | code#s1({"code":"1+1"}) | =s1 "2"'],
    ],
    [
      "message events",
      [
        { "event.name": "gen_ai.user.message", content: "hi" },
        { "event.name": "gen_ai.choice", message: { content: "yes" }, finish_reason: "stop" },
        { "event.name": "gen_ai.tool.message", id: "c1", content: "ok" },
      ],
      ["user | hi", "assistant | yes", result],
    ],
    [
      "LangChain constructors",
      [
        {
          lc: 1,
          type: "constructor",
          id: ["langchain_core", "messages", "HumanMessage"],
          kwargs: { content: "hi" },
        },
        {
          lc: 1,
          type: "constructor",
          id: ["langchain_core", "messages", "AIMessage"],
          kwargs: { content: "", tool_calls: [{ id: "c1", name: "f", args: { a: 1 }, type: "tool_call" }] },
        },
        {
          lc: 1,
          type: "constructor",
          id: ["langchain_core", "messages", "ToolMessage"],
          kwargs: { content: "ok", tool_call_id: "c1", status: "error" },
        },
      ],
      ["user | hi", 'assistant |  | f#c1({"a":1})', 'tool | !c1 "ok"'],
    ],
    [
      "LangChain state without types",
      [
        { content: "hi", id: "1" },
        { content: "", id: "2", usage_metadata: {}, tool_calls: [{ id: "c1", name: "f", args: { a: 1 } }] },
        { content: "ok", id: "3", tool_call_id: "c1" },
      ],
      ["user | hi", 'assistant |  | f#c1({"a":1})', result],
    ],
    [
      "AI SDK parts",
      [
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "c1", toolName: "f", input: { a: 1 } }],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "c1",
              toolName: "f",
              output: { type: "error-text", value: "no" },
            },
            { type: "tool-error", toolCallId: "c2", error: "bad" },
          ],
        },
      ],
      [call, 'tool | !c1 "no" | !c2 "bad"'],
    ],
    [
      "AI SDK interface messages",
      [
        {
          role: "assistant",
          parts: [
            { type: "step-start" },
            { type: "tool-f", toolCallId: "c1", state: "output-available", input: { a: 1 }, output: "ok" },
          ],
        },
      ],
      [`${call} | =c1 "ok"`],
    ],
    [
      "Pydantic AI",
      [
        {
          kind: "request",
          parts: [
            { part_kind: "system-prompt", content: "be" },
            { part_kind: "user-prompt", content: "hi" },
          ],
        },
        {
          kind: "response",
          parts: [{ part_kind: "tool-call", tool_name: "f", args: { a: 1 }, tool_call_id: "c1" }],
        },
        {
          kind: "request",
          parts: [{ part_kind: "retry-prompt", content: "again", tool_name: "f", tool_call_id: "c1" }],
        },
      ],
      ["system | be", "user | hi", call, 'tool | !c1 "again"'],
    ],
    [
      "LlamaIndex",
      "[ChatMessage(role=<MessageRole.USER: 'user'>, blocks=[TextBlock(block_type='text', text='hi')]), ChatMessage(role=<MessageRole.ASSISTANT: 'assistant'>, blocks=[ToolCallBlock(block_type='tool_call', tool_call_id='c1', tool_name='f', tool_kwargs={'a': 1})])]",
      ["user | hi", call],
    ],
    [
      "Haystack",
      "[ChatMessage(_role=<ChatRole.ASSISTANT: 'assistant'>, _content=[ToolCall(tool_name='f', arguments={'a': 1}, id='c1')], _meta={'model': 'm'}), ChatMessage(_role=<ChatRole.TOOL: 'tool'>, _content=[ToolCallResult(result='ok', origin=ToolCall(tool_name='f', arguments={}, id='c1'), error=False)])]",
      [call, result],
    ],
    [
      "Genkit",
      [
        { role: "model", content: [{ toolRequest: { ref: "c1", name: "f", input: { a: 1 } } }] },
        { role: "tool", content: [{ toolResponse: { ref: "c1", name: "f", output: "ok" } }] },
      ],
      [call, result],
    ],
    [
      "steps that are printed",
      [
        {
          role: "assistant",
          content:
            "Calling tools:\n[{'id': 'c1', 'type': 'function', 'function': {'name': 'f', 'arguments': {'a': 1}}}]",
        },
        { role: "user", content: "Observation:\nok\nNew task:\nnext" },
      ],
      [call, result, "user | New task:\nnext"],
    ],
    [
      "requests after the model's text",
      [
        {
          role: "assistant",
          content:
            "I look.\n\nTool calls: [{'name': 'f', 'args': {'a': 1}, 'id': 'c1', 'type': 'tool_call'}]",
        },
        {
          role: "assistant",
          content:
            "\n\nTool calls: [{'id': 'c1', 'type': 'function', 'function': {'name': 'f', 'arguments': {'a': 1}}}]",
        },
        { role: "assistant", content: "Three sections.\n\nTool calls: [see below]" },
      ],
      ['assistant | I look. | f#c1({"a":1})', call, "assistant | Three sections.\n\nTool calls: [see below]"],
    ],
    [
      "a tool's name as role",
      [
        { role: "assistant", content: "", tool_calls: [{ id: "c1", name: "f", args: { a: 1 } }] },
        { role: "f", content: "ok" },
      ],
      ['assistant |  | f#c1({"a":1})', 'tool | =null "ok"'],
    ],
    [
      "LangChain messages printed without their types",
      [
        "content='hi' id='1'",
        "content='' id='2' tool_calls=[{'id': 'c1', 'name': 'f', 'args': {'a': 1}}]",
        "content='ok' tool_call_id='c1' id='3'",
      ],
      ["user | hi", 'assistant |  | f#c1({"a":1})', result],
    ],
    [
      "a response of Gemini with its usage",
      {
        content: { parts: [{ text: "yes" }], role: "model" },
        id: "r",
        usage_metadata: { prompt_token_count: 3 },
      },
      ["assistant | yes"],
    ],
    [
      "the chunks of one streamed response of Gemini",
      [
        { responseId: "r", candidates: [{ content: { parts: [{ text: "It is o" }], role: "model" } }] },
        { responseId: "r", candidates: [{ content: { parts: [{ text: "pen." }], role: "model" } }] },
        { responseId: "r", candidates: [{ content: { parts: [], role: "model" } }] },
      ],
      ["assistant | It is open."],
    ],
    [
      "two responses of Gemini in one list",
      [
        { responseId: "r", candidates: [{ content: { parts: [{ text: "yes" }], role: "model" } }] },
        { responseId: "s", candidates: [{ content: { parts: [{ text: "no" }], role: "model" } }] },
      ],
      ["assistant | yes", "assistant | no"],
    ],
    ["a pair", [["user", "hi"]], ["user | hi"]],
    [
      "a response with what was asked",
      { system: "be", messages: [{ role: "user", content: "hi" }] },
      ["system | be", "user | hi"],
    ],
    ["hidden text", [{ role: "user", content: "[redacted]" }], ["user"]],
    ["thoughts in tags", { role: "assistant", content: "<think>hm</think>\nyes" }, ["assistant | yes"]],
    [
      "thoughts whose tag was in the prompt",
      { role: "assistant", content: "hm</think>\nyes" },
      ["assistant | yes"],
    ],
    ["absent ids", [{ role: "tool", tool_call_id: "None", content: "ok" }], ['tool | =null "ok"']],
    [
      "a text cut off",
      '[{"role":"user","content":"hi"},{"role":"assistant","content":"lon',
      ["user | hi", "assistant | cut"],
    ],
    ["a list cut off", '[{"role":"user","content":"hi"},', ["user | hi | cut"]],
    [
      "what follows whole parts cut off",
      '[{"role":"assistant","parts":[{"type":"text","content":"yes"}],"finish',
      ["assistant | yes"],
    ],
    [
      "parts cut off",
      '[{"role":"assistant","parts":[{"type":"text","content":"yes"},{"type":"to',
      ["assistant | yes | cut"],
    ],
  ];

  test.each(rows)("%s", (_, value, read) => {
    expect(short(value)).toEqual(read);
    expect(short(typeof value === "string" ? value : JSON.stringify(value))).toEqual(read);
  });
});

test("ten thousand messages are read, and that there are more shows", () => {
  const list = Array.from({ length: 10_001 }, () => ({ role: "user", content: "hi" }));
  const read = readMessages(list, "user");
  expect(read.length).toBe(10_000);
  expect(read[9_999]?.isCut).toBe(true);
});

test("a value that is too deep has no messages", () => {
  let value: JsonValue = [{ role: "user", content: "hi" }];
  for (let depth = 0; depth < 200; depth++) value = { messages: value };
  expect(messagesWithin(value, "user")).toEqual([]);
});

test.each([
  [{ clerk: { messages: [{ role: "user", content: "How high?" }] } }, ["How high?"]],
  [{ clerk: { documents: [{ role: "user", content: "How high?" }] } }, []],
  [{ clerk: { messages: [{ role: "user", content: "How high?" }] }, builder: {} }, []],
])("messages below the name of a component: %j", (value, texts) => {
  expect(readMessages(value, "user").map(({ text }) => text)).toEqual(texts);
});
