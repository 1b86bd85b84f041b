import OpenAI from "openai";
import type { ChatCompletion } from "openai/resources/chat/completions";
import { describe, expect, test } from "vitest";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import { answerOf, ScriptedResponder, serverOf } from "../scripted.ts";
import { answers, scripted, weatherSchema } from "./cases.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";

const tools = [
  {
    type: "function" as const,
    function: { name: "weather", description: "Weather of a city.", parameters: weatherSchema },
  },
];

const clientOf = (...script: readonly ModelAnswer[]) =>
  scripted((base) => new OpenAI({ apiKey: "any", baseURL: `${base}/v1` }), script);

describe("the OpenAI SDK parses chat completions", () => {
  test.each(Object.entries(answers))("%s", async (_, answer) => {
    const { client } = await clientOf(answer);

    const completion = await client.chat.completions.create({
      model: "gpt-5",
      messages: [{ role: "user", content: "Weather?" }],
      tools,
    });

    expect(seenIn(completion)).toEqual(expected(answer));
  });

  test.each(Object.entries(answers))("%s, streamed", async (_, answer) => {
    const { client } = await clientOf(answer);

    const stream = client.chat.completions.stream({
      model: "gpt-5",
      messages: [{ role: "user", content: "Weather?" }],
      tools,
      stream_options: { include_usage: true },
    });
    let snapshot: ChatCompletion | undefined;
    stream.on("chatCompletion", (completion) => (snapshot = completion));
    // The helper makes an error of an answer that the model did not end itself; what it has parsed by then is the answer.
    await stream.done().catch(() => undefined);

    const parsed = snapshot ?? (stream.currentChatCompletionSnapshot as ChatCompletion | undefined);

    expect(seenIn(parsed)).toEqual(expected(answer));
  });
});

test("a request of the OpenAI SDK is read whole", async () => {
  const { client, responder } = await clientOf(answerOf({ text: "ok" }));
  await client.chat.completions.create({
    model: "gpt-5",
    temperature: 0.2,
    max_completion_tokens: 90,
    stop: "END",
    tool_choice: "required",
    tools: [...tools, { type: "custom", custom: { name: "patch", description: "Patches." } }],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "developer", content: [{ type: "text", text: "Be kind." }] },
      {
        role: "user",
        name: "ann",
        content: [
          { type: "text", text: "Look:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          { type: "file", file: { filename: "a.pdf", file_data: "AAAA" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
          { id: "c2", type: "custom", custom: { name: "patch", input: "*** Begin" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "sunny" },
      { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "done" }] },
    ],
  });

  expect(responder.contexts[0]?.callId).toBe("call-1");
  expect(responder.received[0]?.request).toEqual({
    model: "gpt-5",
    system: "Be brief.\n\nBe kind.",
    messages: [
      messageOf("user", { name: "ann", text: "Look:\n[image]\n[audio]\n[file: a.pdf]" }),
      messageOf("assistant", {
        calls: [
          { id: "c1", name: "weather", arguments: { city: "Paris" } },
          { id: "c2", name: "patch", arguments: "*** Begin" },
        ],
      }),
      messageOf("tool", { results: [{ callId: "c1", name: "weather", content: "sunny", isError: false }] }),
      messageOf("tool", { results: [{ callId: "c2", name: "patch", content: "done", isError: false }] }),
    ],
    tools: [
      { name: "weather", description: "Weather of a city.", parameters: weatherSchema },
      { name: "patch", description: "Patches.", parameters: undefined },
    ],
    parameters: { temperature: 0.2, max_tokens: 90, stop_sequences: ["END"], tool_choice: "required" },
  });
});

test("Azure's client is served below its own paths", async () => {
  const { AzureOpenAI } = await import("openai");
  const responder = new ScriptedResponder([answerOf({ text: "one" })]);
  const server = await serverOf(responder);
  const client = new AzureOpenAI({
    apiKey: "any",
    endpoint: server.baseUrl("call-7"),
    apiVersion: "2025-01-01-preview",
    deployment: "my-gpt",
  });

  const { choices } = await client.chat.completions.create({
    model: "my-gpt",
    messages: [{ role: "user", content: "?" }],
  });

  expect(choices[0]?.message.content).toBe("one");
  expect(responder.contexts[0]?.callId).toBe("call-7");
  expect(responder.received[0]?.request.model).toBe("my-gpt");
});

function expected({ text, calls, finish }: ModelAnswer): object {
  return {
    text,
    calls,
    finish: finish === "tool_call" ? "tool_calls" : finish,
    model: "gpt-5",
    usage: {
      prompt_tokens: 11,
      completion_tokens: 7,
      total_tokens: 18,
      prompt_tokens_details: { cached_tokens: 3 },
    },
  };
}

/** What a program gets from the SDK, in the shape of `expected`. */
function seenIn(completion: ChatCompletion | undefined): object {
  const choice = completion?.choices[0];
  return {
    text: choice?.message.content,
    calls: (choice?.message.tool_calls ?? []).map((call) =>
      call.type === "function"
        ? {
            id: call.id,
            name: call.function.name,
            arguments: JSON.parse(call.function.arguments) as unknown,
          }
        : null,
    ),
    finish: choice?.finish_reason,
    model: completion?.model,
    usage: completion?.usage,
  };
}
