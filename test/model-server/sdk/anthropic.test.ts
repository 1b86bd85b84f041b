import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import { answerOf, ScriptedResponder, serverOf } from "../scripted.ts";
import { answers, scripted, weatherSchema } from "./cases.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";

const tools = [{ name: "weather", description: "Weather of a city.", input_schema: weatherSchema }];

const clientOf = (...script: readonly ModelAnswer[]) =>
  scripted((base) => new Anthropic({ apiKey: "any", baseURL: base }), script);

const question = {
  model: "claude-test",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "Weather?" }],
  tools,
};

describe("the Anthropic SDK parses messages", () => {
  test.each(Object.entries(answers))("%s", async (_, answer) => {
    const { client } = await clientOf(answer);

    expect(seenIn(await client.messages.create(question))).toEqual(expected(answer));
  });

  test.each(Object.entries(answers))("%s, streamed", async (_, answer) => {
    const { client } = await clientOf(answer);

    const message = await client.messages.stream(question).finalMessage();

    expect(seenIn(message)).toEqual(expected(answer));
  });
});

/** Older versions of the SDK have sampling settings, which the newest has not. */
const older = { temperature: 0.5 };

test("a request of the Anthropic SDK is read whole", async () => {
  const { client, responder } = await clientOf(answerOf({ text: "ok" }));
  await client.messages.create({
    ...question,
    ...older,
    stop_sequences: ["END"],
    system: [
      { type: "text", text: "Be brief." },
      { type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } },
    ],
    tool_choice: { type: "any" },
    tools: [...tools, { type: "web_search_20250305", name: "web_search" }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          { type: "document", title: "a.txt", source: { type: "text", media_type: "text/plain", data: "x" } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "text", text: "I ask." },
          { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } },
          { type: "web_search_tool_result", tool_use_id: "s1", content: [] },
          { type: "tool_use", id: "t1", name: "weather", input: { city: "Paris" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", is_error: true, content: [{ type: "text", text: "no" }] },
          { type: "text", text: "And now?" },
        ],
      },
    ],
  });

  expect(responder.received[0]?.request).toEqual({
    model: "claude-test",
    system: "Be brief.\n\nBe kind.",
    messages: [
      messageOf("user", { text: "Look:\n[image]\n[file: a.txt]" }),
      messageOf("assistant", {
        text: "I ask.\n[server tool: web_search]\n[server tool: web_search]",
        calls: [{ id: "t1", name: "weather", arguments: { city: "Paris" } }],
      }),
      messageOf("tool", { results: [{ callId: "t1", name: "weather", content: "no", isError: true }] }),
      messageOf("user", { text: "And now?" }),
    ],
    tools: [
      { name: "weather", description: "Weather of a city.", parameters: weatherSchema },
      { name: "web_search", description: null, parameters: undefined },
    ],
    parameters: {
      temperature: 0.5,
      max_tokens: 100,
      stop_sequences: ["END"],
      tool_choice: { type: "any" },
    },
  });
});

const reasons = {
  stop: "end_turn",
  length: "max_tokens",
  tool_call: "tool_use",
  content_filter: "refusal",
  error: "end_turn",
};

function expected({ text, reasoning, calls, finish }: ModelAnswer): object {
  return {
    texts: text === null ? [] : [text],
    thoughts: reasoning === null ? [] : [reasoning],
    calls,
    stop_reason: reasons[finish ?? "stop"],
    model: "claude-test",
    usage: { input_tokens: 8, cache_read_input_tokens: 3, output_tokens: 7 },
  };
}

/** What a program gets from the SDK, in the shape of `expected`. */
function seenIn({ content, stop_reason, model, usage }: Anthropic.Message): object {
  const { input_tokens, cache_read_input_tokens, output_tokens } = usage;
  return {
    texts: content.filter((block) => block.type === "text").map(({ text }) => text),
    thoughts: content.filter((block) => block.type === "thinking").map(({ thinking }) => thinking),
    calls: content
      .filter((block) => block.type === "tool_use")
      .map(({ id, name, input }) => ({ id, name, arguments: input })),
    stop_reason,
    model,
    usage: { input_tokens, cache_read_input_tokens, output_tokens },
  };
}

test("a text has no field that the provider leaves out: strict clients refuse one that is null", async () => {
  const server = await serverOf(new ScriptedResponder([answerOf({ text: "ok" }), answerOf({ text: "ok" })]));
  const ask = async (stream: boolean): Promise<string> => {
    const body = JSON.stringify({
      model: "m",
      max_tokens: 9,
      stream,
      messages: [{ role: "user", content: "?" }],
    });
    return (await fetch(`${server.baseUrl()}/v1/messages`, { method: "POST", body })).text();
  };

  expect(await ask(false)).toContain('"content":[{"type":"text","text":"ok"}]');
  expect(await ask(true)).toContain('"content_block":{"type":"text","text":""}');
});
