import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { expect, test } from "vitest";
import type { RequestedCall } from "../../../src/model/message.ts";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import { answerOf, ScriptedResponder, serverOf } from "../scripted.ts";
import { runsIn } from "../../support/runs.ts";
import { recorderOf } from "./recorded.ts";

type Tool = (given: Record<string, unknown>) => { readonly text: string; readonly isError?: boolean };

const tools: Readonly<Record<string, Tool>> = {
  get_weather: ({ city }) =>
    city === "Paris" ? { text: "18 C" } : { text: '{"error":"no such city"}', isError: true },
  lookup: () => ({ text: '{"t":20}' }),
  get_time: () => ({ text: "12:00" }),
};

const schema = { type: "object" as const, properties: { city: { type: "string" } } };
const questions = ["Weather in Paris and Rome?", "What time is it in Oslo?"];

function call(id: string, name: string, given: Record<string, string>): RequestedCall {
  return { id, name, arguments: given };
}

function script(model: string): ModelAnswer[] {
  const asking = (...calls: RequestedCall[]): ModelAnswer => answerOf({ model, calls, finish: "tool_call" });
  return [
    asking(call("c1", "get_weather", { city: "Paris" }), call("c2", "get_weather", { city: "Rome" })),
    asking(call("c3", "lookup", { city: "Rome" })),
    answerOf({ model, text: "18 and 20", finish: "stop" }),
    asking(call("c4", "get_time", { city: "Oslo" })),
    answerOf({ model, text: "Noon", finish: "stop" }),
  ];
}

async function openAiLoop(baseURL: string, isStreamed: boolean): Promise<void> {
  const client = new OpenAI({ apiKey: "sk-any", baseURL: `${baseURL}/v1` });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: "You help." }];
  const offered = Object.keys(tools).map((name) => ({
    type: "function" as const,
    function: { name, description: name, parameters: schema },
  }));
  for (const content of questions) {
    messages.push({ role: "user", content });
    for (;;) {
      const request = { model: "gpt-4o-mini", messages, tools: offered, temperature: 0.5 };
      const { choices } = isStreamed
        ? await client.chat.completions
            .stream({ ...request, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await client.chat.completions.create(request);
      const message = choices[0]?.message;
      if (message === undefined) throw new Error("no message");
      messages.push(message);
      if (message.tool_calls === undefined || message.tool_calls.length === 0) break;
      for (const one of message.tool_calls) {
        if (one.type !== "function") continue;
        const given = JSON.parse(one.function.arguments) as Record<string, unknown>;
        const result = tools[one.function.name]?.(given);
        messages.push({ role: "tool", tool_call_id: one.id, content: result?.text ?? "" });
      }
    }
  }
}

async function anthropicLoop(baseURL: string, isStreamed: boolean): Promise<void> {
  const client = new Anthropic({ apiKey: "sk-any", baseURL });
  const messages: Anthropic.MessageParam[] = [];
  const offered = Object.keys(tools).map((name) => ({ name, description: name, input_schema: schema }));
  for (const content of questions) {
    messages.push({ role: "user", content });
    for (;;) {
      const request = {
        model: "claude-haiku-4-5",
        max_tokens: 100,
        system: "You help.",
        messages,
        tools: offered,
        temperature: 0.5,
      };
      const message = isStreamed
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
      messages.push({ role: "assistant", content: message.content });
      const uses = message.content.filter((block) => block.type === "tool_use");
      if (uses.length === 0) break;
      messages.push({
        role: "user",
        content: uses.map(({ id, name, input }) => {
          const result = tools[name]?.(input as Record<string, unknown>);
          return {
            type: "tool_result" as const,
            tool_use_id: id,
            content: result?.text ?? "",
            is_error: result?.isError ?? false,
          };
        }),
      });
    }
  }
}

test.each([
  ["openai", openAiLoop, "gpt-4o-mini", false],
  ["openai, streamed", openAiLoop, "gpt-4o-mini", true],
  ["anthropic", anthropicLoop, "claude-haiku-4-5", false],
  ["anthropic, streamed", anthropicLoop, "claude-haiku-4-5", true],
] as const)("%s: the spans of a loop give its runs", async (_, loop, model, isStreamed) => {
  const provider = await serverOf(new ScriptedResponder(script(`${model}-2025`)));
  const recorded = await recorderOf(provider.baseUrl());

  await loop(recorded.baseUrl, isStreamed);
  await recorded.settled();

  const usage = { input_tokens: 33, output_tokens: 21, cached_tokens: 9 };
  const seen = runsIn([recorded.spans()]).map((run) => ({
    query: run.query,
    answer: run.answer,
    status: run.status,
    complete: run.complete,
    system: run.systemInstructions,
    offered: run.toolDefinitions?.length,
    tools: run.tools.map(({ name, arguments: given, result, error, executed }) => [
      name,
      given,
      error ?? result,
      executed,
    ]),
    calls: run.llmCalls,
    finish: run.llm.map(({ finishReason }) => finishReason),
    usage: {
      input_tokens: run.usage.input,
      output_tokens: run.usage.output,
      cached_tokens: run.usage.cached,
    },
    models: [run.models, run.responseModels],
  }));
  const common = {
    status: "ok",
    complete: true,
    system: expect.stringContaining("You help."),
    offered: 3,
    models: [[model], [`${model}-2025`]],
  };
  expect(seen).toEqual([
    {
      ...common,
      query: questions[0],
      answer: "18 and 20",
      tools: [
        ["get_weather", { city: "Paris" }, "18 C", true],
        ["get_weather", { city: "Rome" }, expect.stringContaining("no such city"), true],
        ["lookup", { city: "Rome" }, '{"t":20}', true],
      ],
      calls: 3,
      finish: ["tool_call", "tool_call", "stop"],
      usage,
    },
    {
      ...common,
      query: questions[1],
      answer: "Noon",
      tools: [["get_time", { city: "Oslo" }, "12:00", true]],
      calls: 2,
      finish: ["tool_call", "stop"],
      usage: { input_tokens: 22, output_tokens: 14, cached_tokens: 6 },
    },
  ]);
});
