import OpenAI from "openai";
import type { Response } from "openai/resources/responses/responses";
import { describe, expect, test } from "vitest";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import { answerOf, type ScriptedResponder } from "../scripted.ts";
import { answers, scripted, weatherSchema } from "./cases.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";

const tools = [
  {
    type: "function" as const,
    name: "weather",
    description: "Weather of a city.",
    parameters: weatherSchema,
    strict: false,
  },
];

const clientOf = (...script: readonly ModelAnswer[]) =>
  scripted((base) => new OpenAI({ apiKey: "any", baseURL: `${base}/v1` }), script);

const question = { model: "gpt-5", input: "Weather?", tools };

describe("the OpenAI SDK parses responses", () => {
  test.each(Object.entries(answers))("%s", async (_, answer) => {
    const { client } = await clientOf(answer);

    expect(seenIn(await client.responses.create(question))).toEqual(expected(answer));
  });

  test.each(Object.entries(answers))("%s, streamed", async (_, answer) => {
    const { client } = await clientOf(answer);
    const stream = client.responses.stream(question);
    const numbers: number[] = [];
    stream.on("event", ({ sequence_number }) => numbers.push(sequence_number));
    const response = await stream.finalResponse();

    expect(seenIn(response)).toEqual(expected(answer));
    expect(numbers).toEqual(numbers.map((_number, at) => at));
  });
});

test("a request of the OpenAI SDK is read whole", async () => {
  const { client, responder } = await clientOf(answerOf({ text: "ok" }));
  await client.responses.create({
    model: "gpt-5",
    instructions: "Be brief.",
    temperature: 0.2,
    max_output_tokens: 90,
    text: { format: { type: "json_object" } },
    tools: [
      ...tools,
      { type: "web_search" },
      { type: "custom", name: "patch", description: "Patches." },
      { type: "mcp", server_label: "docs", server_url: "https://docs.example" },
    ],
    input: [
      { role: "developer", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "input_text", text: "Look:" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
          { type: "input_file", filename: "a.pdf", file_data: "AAAA" },
        ],
      },
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }] },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "I ask.", annotations: [] }],
      },
      { type: "function_call", call_id: "c1", name: "weather", arguments: '{"city":"Paris"}' },
      { type: "custom_tool_call", call_id: "c2", name: "patch", input: "*** Begin" },
      { type: "function_call_output", call_id: "c1", output: "sunny" },
      { type: "custom_tool_call_output", call_id: "c2", output: [{ type: "input_text", text: "done" }] },
      { type: "message", role: "user", content: "And now?" },
    ],
  });

  expect(responder.received[0]?.request).toEqual({
    model: "gpt-5",
    system: "Be brief.\n\nBe kind.",
    messages: [
      messageOf("user", { text: "Look:\n[image]\n[file: a.pdf]" }),
      messageOf("assistant", {
        text: "I ask.",
        calls: [
          { id: "c1", name: "weather", arguments: { city: "Paris" } },
          { id: "c2", name: "patch", arguments: "*** Begin" },
        ],
      }),
      messageOf("tool", { results: [{ callId: "c1", name: "weather", content: "sunny", isError: false }] }),
      messageOf("tool", { results: [{ callId: "c2", name: "patch", content: "done", isError: false }] }),
      messageOf("user", { text: "And now?" }),
    ],
    tools: [
      { name: "weather", description: "Weather of a city.", parameters: weatherSchema },
      { name: "web_search", description: null, parameters: undefined },
      { name: "patch", description: "Patches.", parameters: undefined },
      { name: "docs", description: null, parameters: undefined },
    ],
    parameters: { temperature: 0.2, max_tokens: 90, response_format: { type: "json_object" } },
  });
});

describe("the history of a request that goes on from an earlier one is whole", () => {
  const call = { id: "call_1", name: "weather", arguments: { city: "Paris" } };
  const script = [
    answerOf({ text: "I ask.", calls: [call] }),
    answerOf({ text: "Sunny." }),
    answerOf({ text: "Rainy." }),
  ];
  const history = [
    { role: "user", text: "Weather?" },
    { role: "assistant", text: "I ask.", calls: [call] },
    { role: "tool", results: [{ callId: "call_1", name: "weather", content: "sunny", isError: false }] },
    { role: "assistant", text: "Sunny." },
    { role: "user", text: "And tomorrow?" },
  ];
  const output = { type: "function_call_output" as const, call_id: "call_1", output: "sunny" };
  const last = (responder: ScriptedResponder) => responder.received.at(-1)?.request.messages;

  test("by the response's id", async () => {
    const { client, responder } = await clientOf(...script);
    const first = await client.responses.create(question);
    const second = await client.responses
      .stream({ ...question, input: [output], previous_response_id: first.id })
      .finalResponse();
    await client.responses.create({
      ...question,
      input: "And tomorrow?",
      previous_response_id: second.id,
    });

    expect(last(responder)).toMatchObject(history);
  });

  test("by a conversation", async () => {
    const { client, responder } = await clientOf(...script);
    const { id } = await client.conversations.create();
    await client.responses.create({ ...question, conversation: id });
    await client.responses.create({ ...question, input: [output], conversation: { id } });
    await client.responses.create({ ...question, input: "And tomorrow?", conversation: id });
    const items = await client.conversations.items.list(id);

    expect(last(responder)).toMatchObject(history);
    expect(items.data.length).toBe(7);
  });

  test("by references to items", async () => {
    const { client, responder } = await clientOf(...script);
    const first = await client.responses.create(question);
    const referred = first.output.map(({ id }) => ({ type: "item_reference" as const, id: id ?? "" }));
    const asked = { role: "user" as const, content: "Weather?" };
    const second = await client.responses.create({ ...question, input: [asked, ...referred, output] });
    await client.responses.create({
      ...question,
      input: [
        asked,
        ...referred,
        output,
        ...second.output.map(({ id }) => ({ type: "item_reference" as const, id: id ?? "" })),
        { role: "user", content: "And tomorrow?" },
      ],
    });

    expect(last(responder)).toMatchObject(history);
  });

  test("a response can be fetched again", async () => {
    const { client } = await clientOf(...script);
    const first = await client.responses.create(question);

    expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id, output: first.output });
  });
});

function expected({ text, reasoning, calls, finish }: ModelAnswer): object {
  const incomplete = finish === "length" || finish === "content_filter";
  return {
    text: text ?? "",
    thoughts: reasoning === null ? [] : [reasoning],
    calls,
    status: incomplete ? "incomplete" : "completed",
    reason: finish === "length" ? "max_output_tokens" : incomplete ? "content_filter" : undefined,
    model: "gpt-5",
    usage: {
      input_tokens: 11,
      output_tokens: 7,
      total_tokens: 18,
      input_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}

/** What a program gets from the SDK, in the shape of `expected`. */
function seenIn(response: Response): object {
  return {
    text: response.output_text,
    thoughts: response.output
      .filter((item) => item.type === "reasoning")
      .flatMap(({ summary }) => summary.map(({ text }) => text)),
    calls: response.output
      .filter((item) => item.type === "function_call")
      .map(({ call_id, name, arguments: args }) => ({
        id: call_id,
        name,
        arguments: JSON.parse(args) as unknown,
      })),
    status: response.status,
    reason: response.incomplete_details?.reason,
    model: response.model,
    usage: response.usage,
  };
}
