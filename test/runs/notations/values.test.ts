import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import { argumentsOf } from "../../../src/runs/notations/arguments.ts";
import { plainName } from "../../../src/runs/notations/names.ts";
import { outcomeOf } from "../../../src/runs/notations/result.ts";
import { readCounts } from "../../../src/runs/notations/usage.ts";

describe("arguments", () => {
  const paris = { city: "Paris" };
  const rows: readonly (readonly [raw: JsonValue | undefined, value: unknown, isCut: boolean])[] = [
    [undefined, undefined, false],
    ["", undefined, false],
    ["[redacted]", undefined, false],
    [paris, paris, false],
    [{ args: {}, city: "Paris", sanitize_inputs_outputs: true }, paris, false],
    ['{"city":"Paris"}', paris, false],
    ["{'city': 'Paris'}", paris, false],
    ['"{\\"city\\":\\"Paris\\"}"', paris, false],
    ["Paris", "Paris", false],
    [{ args: [], kwargs: paris }, paris, false],
    [{ args: [paris], kwargs: {} }, paris, false],
    [{ args: [], kwargs: {} }, {}, false],
    [{ kwargs: paris, sanitize_inputs_outputs: true }, paris, false],
    [{ city: "Paris", kwargs: { units: "C" } }, { city: "Paris", kwargs: { units: "C" } }, false],
    [{ input: '{"city":"Paris"}' }, paris, false],
    [{ input: "Paris" }, { input: "Paris" }, false],
    [{ input_str: "{'city': 'Paris'}", inputs: null }, paris, false],
    [{ input_str: "{'city': 'P'}", inputs: paris }, paris, false],
    [{ __type: "tool_call_with_context", tool_call: { name: "f", args: paris } }, paris, false],
    [{ type: "json", value: paris }, paris, false],
    [[paris], paris, false],
    ['{"city":"Par', {}, true],
    ['{"city":"Paris","n":1... [truncated]', paris, true],
    [`${"x".repeat(128)}...`, `${"x".repeat(128)}...`, true],
    [{ command: "ls -l …[954 chars]" }, { command: "ls -l …[954 chars]" }, true],
    [{ text: "and so on... [+12 more characters]" }, { text: "and so on... [+12 more characters]" }, true],
    [{ text: "as in [12 chars]" }, { text: "as in [12 chars]" }, false],
  ];
  test.each(rows)("%j are %j", (raw, value, isCut) => {
    expect(argumentsOf(raw)).toEqual({ value, isCut });
  });

  test.each([
    ["the tool's own name is its wrapper", "weather", paris],
    ["another name is an argument", "call_tool", { name: "weather", arguments: paris }],
  ])("beside %s", (_, tool, value) => {
    expect(argumentsOf({ name: "weather", arguments: paris }, tool)).toEqual({ value, isCut: false });
  });

  test("are empty where their wrapper is", () => {
    expect(argumentsOf('{"arguments":{},"name":"stock"}', "stock").value).toEqual({});
  });
});

describe("the outcome of a tool", () => {
  const rows: readonly (readonly [raw: JsonValue | undefined, outcome: object])[] = [
    [undefined, { value: undefined, isError: false, error: null, isCut: false }],
    ["null", { value: undefined }],
    ["4 °C", { value: "4 °C" }],
    ['{"celsius":4}', { value: '{"celsius":4}' }],
    [{ celsius: 4 }, { value: { celsius: 4 } }],
    [{ output: "4 °C" }, { value: "4 °C" }],
    [
      { title: "", metadata: {}, output: "4 °C", attachments: [], content: [{ type: "text", text: "4 °C" }] },
      { value: "4 °C" },
    ],
    [{ output: "4 °C", content: "at noon" }, { value: { output: "4 °C", content: "at noon" } }],
    [{ kind: "tool-return", return_value: "4 °C", content: ["at noon"], tools: null }, { value: "4 °C" }],
    ['{"result":"4 °C"}', { value: "4 °C" }],
    [[{ type: "text", text: "4 °C" }], { value: "4 °C" }],
    [
      { content: [{ type: "text", text: "4 °C" }], isError: false },
      { value: "4 °C", isError: false },
    ],
    [
      { content: [{ type: "text", text: "no" }], isError: true },
      { value: "no", isError: true, error: "no" },
    ],
    ['{"content":[{"type":"text","text":"no"}],"isError":true}', { isError: true, error: "no" }],
    ['{"content":[{"type":"text","text":"no"}],"is_error":true}', { isError: true }],
    [{ is_error: true, count: 3 }, { isError: false }],
    [
      { content: [{ type: "text", text: "no" }], is_error: true, command: "view", path: null },
      { value: "no", isError: true, error: "no" },
    ],
    [
      {
        type: "json",
        value: {
          type: "text",
          value: {
            lc: 1,
            type: "constructor",
            id: ["langchain_core", "messages", "ToolMessage"],
            kwargs: { status: "success", content: "4 °C", tool_call_id: "c1", name: "weather" },
          },
        },
      },
      { value: "4 °C", isError: false, callId: "c1", name: "weather" },
    ],
    [
      { output: { role: "tool", tool_call_id: "c1", status: "error", content: "no" } },
      { value: "no", isError: true, error: "no", callId: "c1" },
    ],
    ["<tool_error>no file</tool_error>", { isError: true, error: "no file" }],
    ["<tool_use_error>no file</tool_use_error>\n", { isError: true, error: "no file" }],
    ["a <tool_error>no file</tool_error>", { isError: false }],
    [
      { content: [{ type: "text", text: "4" }], structuredContent: { result: 4 }, isError: false },
      { value: "4" },
    ],
    [{ result: { content: [{ type: "text", text: "no" }], isError: true } }, { isError: true, error: "no" }],
    [{ error: "no" }, { isError: true, error: "no" }],
    ['{"error":{"code":5}}', { isError: true, error: '{"code":5}' }],
    [
      { error: "no", rows: 3 },
      { isError: false, error: null },
    ],
    [{ error: null, status: "ok" }, { isError: false }],
    [{ status: "error", reason: "closed" }, { isError: false }],
    [{ role: "tool", content: "4 °C" }, { value: "4 °C" }],
    [[true, { name: "f", role: "function", content: "4 °C" }], { value: "4 °C", isError: false }],
    ['[false, {"name": "f", "role": "function", "content": "no"}]', { isError: true, error: "no" }],
    ["no\n\nFix the errors and try again.", { isError: true, error: "no" }],
    [[true, { name: "f", content: "4 °C" }], { value: [true, { name: "f", content: "4 °C" }] }],
    [
      {
        lc: 1,
        type: "constructor",
        id: ["ToolMessage"],
        kwargs: { content: "no", tool_call_id: "c1", name: "f", status: "error" },
      },
      { value: "no", isError: true, error: "no", callId: "c1", name: "f" },
    ],
    ["content='4 °C' name='f' tool_call_id='c1'", { value: "4 °C", callId: "c1", name: "f", isError: false }],
    [
      { update: { messages: [{ type: "tool", content: "moved", tool_call_id: "c1", name: "f" }] } },
      { value: "moved", callId: "c1" },
    ],
    [
      { name: "f", tool_call_id: "c1", content: { celsius: 4 } },
      { value: { celsius: 4 }, callId: "c1", name: "f" },
    ],
    ["status='error' result=None error='no'", { isError: true }],
    [
      "ToolResponse(content=[TextBlock(type='text', text='no')], state=<State.ERROR: 'error'>)",
      { value: "no", isError: true },
    ],
    [{ id: "c1", name: "f", response: { result: "4 °C" } }, { value: "4 °C" }],
    [{ tool_name: "f", blocks: [{ block_type: "text", text: "4 °C" }], raw_output: null }, { value: "4 °C" }],
    ["4 °C\n<system-reminder>\nbe brief\n</system-reminder>", { value: "4 °C" }],
    ["[redacted]", { value: undefined }],
    ['{"rows":[1,2,', { isCut: true }],
    [`${"x".repeat(1000)}...`, { isCut: true }],
  ];
  test.each(rows)("%j", (raw, outcome) => {
    expect(outcomeOf(raw)).toMatchObject(outcome);
  });
});

describe("usage", () => {
  const rows: readonly (readonly [usage: JsonValue, counts: object])[] = [
    [
      { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
      { input: 3, output: 1, total: 4 },
    ],
    [
      { inputTokens: 3, outputTokens: 1, cachedInputTokens: 2, reasoningTokens: 1 },
      { input: 3, output: 1, cached: 2, reasoning: 1 },
    ],
    [
      { promptTokenCount: 3, candidatesTokenCount: 1, thoughtsTokenCount: 2 },
      { input: 3, output: 1, reasoning: 2 },
    ],
    [
      {
        input_tokens: 3,
        output_tokens: 1,
        cache_read_input_tokens: 2,
        cache_creation: { ephemeral_1h_input_tokens: 5, ephemeral_5m_input_tokens: 6 },
      },
      { input: 3, output: 1, cached: 2, longCacheWrite: 5, shortCacheWrite: 6 },
    ],
    [
      { input_tokens: 3, input_token_details: { cache_read: 2, cache_creation: 1 } },
      { input: 3, cached: 2, cacheWrite: 1 },
    ],
    [
      { prompt_tokens: "12", completion_tokens: -1, total_tokens: null },
      { input: 12, output: undefined, total: undefined },
    ],
    ["Usage(input_tokens=3, output_tokens=0)", { input: 3, output: 0 }],
  ];
  test.each(rows)("%j", (usage, counts) => {
    expect(readCounts(usage)).toMatchObject(counts);
  });
});

test.each([
  ["tool-result", "toolresult"],
  ["MessageRole.USER", "messageroleuser"],
])("the plain name of %s is %s", (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
