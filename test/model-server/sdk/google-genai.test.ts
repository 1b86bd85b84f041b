import { FunctionCallingConfigMode, type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { describe, expect, test } from "vitest";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import { answerOf, ScriptedResponder, serverOf } from "../scripted.ts";
import { answers, scripted, weatherSchema } from "./cases.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";

const tools = [
  {
    functionDeclarations: [
      { name: "weather", description: "Weather of a city.", parametersJsonSchema: weatherSchema },
    ],
  },
];

const clientOf = (...script: readonly ModelAnswer[]) =>
  scripted((base) => new GoogleGenAI({ apiKey: "any", httpOptions: { baseUrl: base } }), script);

const question = { model: "gemini-test", contents: "Weather?", config: { tools } };

describe("the Google SDK parses generated contents", () => {
  test.each(Object.entries(answers))("%s", async (_, answer) => {
    const { client } = await clientOf(answer);

    expect(seenIn([await client.models.generateContent(question)])).toEqual(expected(answer));
  });

  test.each(Object.entries(answers))("%s, streamed", async (_, answer) => {
    const { client } = await clientOf(answer);
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await client.models.generateContentStream(question)) chunks.push(chunk);

    expect(seenIn(chunks)).toEqual(expected(answer));
  });

  test.each(Object.entries(answers))("%s, streamed as a list of JSON", async (_, answer) => {
    const server = await serverOf(new ScriptedResponder([answer]));
    const url = `${server.baseUrl()}/v1beta/models/gemini-test:streamGenerateContent`;
    const response = await fetch(url, { method: "POST", body: '{"contents":[{"parts":[{"text":"?"}]}]}' });
    const chunks = (await response.json()) as GenerateContentResponse[];

    expect(seenIn(chunks)).toEqual(expected(answer));
  });
});

test("a request of the Google SDK is read whole", async () => {
  const { client, responder } = await clientOf(answerOf({ text: "ok" }));
  await client.models.generateContent({
    model: "gemini-test",
    config: {
      systemInstruction: ["Be brief.", "Be kind."],
      temperature: 0.2,
      maxOutputTokens: 90,
      stopSequences: ["END"],
      responseMimeType: "application/json",
      responseJsonSchema: weatherSchema,
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
      tools: [...tools, { googleSearch: {} }],
    },
    contents: [
      {
        role: "user",
        parts: [
          { text: "Look:" },
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
          { fileData: { mimeType: "application/pdf", fileUri: "gs://a.pdf" } },
        ],
      },
      {
        role: "model",
        parts: [
          { text: "hm", thought: true },
          { text: "I ask." },
          { functionCall: { id: "c1", name: "weather", args: { city: "Paris" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "weather", response: { error: "no" } } },
          { text: "And now?" },
        ],
      },
    ],
  });

  expect(responder.contexts[0]?.callId).toBe("call-1");
  expect(responder.received[0]?.request).toEqual({
    model: "gemini-test",
    system: "Be brief.\n\nBe kind.",
    messages: [
      messageOf("user", { text: "Look:\n[image]\n[file]" }),
      messageOf("assistant", {
        text: "I ask.",
        calls: [{ id: "c1", name: "weather", arguments: { city: "Paris" } }],
      }),
      messageOf("tool", {
        results: [{ callId: "c1", name: "weather", content: { error: "no" }, isError: true }],
      }),
      messageOf("user", { text: "And now?" }),
    ],
    tools: [
      { name: "weather", description: "Weather of a city.", parameters: weatherSchema },
      { name: "googleSearch", description: null, parameters: undefined },
    ],
    parameters: {
      temperature: 0.2,
      max_tokens: 90,
      stop_sequences: ["END"],
      response_format: weatherSchema,
      response_mime_type: "application/json",
      tool_choice: { mode: "ANY" },
    },
  });
});

const reasons = {
  stop: "STOP",
  length: "MAX_TOKENS",
  tool_call: "STOP",
  content_filter: "SAFETY",
  error: "OTHER",
};

function expected({ text, reasoning, calls, finish }: ModelAnswer): object {
  return {
    text: text ?? "",
    thoughts: reasoning ?? "",
    calls,
    finish: reasons[finish ?? "stop"],
    model: "gemini-test",
    usage: {
      promptTokenCount: 11,
      candidatesTokenCount: 7,
      totalTokenCount: 18,
      cachedContentTokenCount: 3,
    },
  };
}

/** What a program gets from the chunks of the SDK, in the shape of `expected`. */
function seenIn(chunks: readonly GenerateContentResponse[]): object {
  const last = chunks.at(-1);
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const textsOf = (thoughts: boolean): string =>
    parts
      .filter(({ thought }) => (thought === true) === thoughts)
      .map(({ text }) => text ?? "")
      .join("");
  return {
    text: textsOf(false),
    thoughts: textsOf(true),
    calls: parts
      .map(({ functionCall }) => functionCall)
      .filter((call) => call !== undefined)
      .map(({ id, name, args }) => ({ id, name, arguments: args })),
    finish: last?.candidates?.[0]?.finishReason,
    model: last?.modelVersion,
    usage: last?.usageMetadata,
  };
}
