import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test, vi } from "vitest";
import type { FaultKind } from "../../../src/model/fault-kinds.ts";
import { parseFault } from "../../../src/model-server/faults/fault.ts";
import { FaultyResponder } from "../../../src/model-server/faults/faulty-responder.ts";
import { until } from "../../support/eventually.ts";
import { answerOf, contextOf, ScriptedResponder, serverOf } from "../scripted.ts";
import { weatherSchema } from "../sdk/cases.ts";

const right = answerOf({
  text: "It is sunny in Paris, and it will stay so for the whole of the week.",
  calls: [{ id: null, name: "weather", arguments: { city: "Paris" } }],
});

/** Kinds that end in an exception, with its class in each SDK; a stream that is cut fails later, while it is read. */
const exceptions: readonly (readonly [FaultKind, openai: string, anthropic: string])[] = [
  ["rate-limit", "RateLimitError", "RateLimitError"],
  ["rate-limit-retry-after", "RateLimitError", "RateLimitError"],
  ["server-error", "InternalServerError", "InternalServerError"],
  ["overloaded", "InternalServerError", "OverloadedError"],
  ["reset", "APIConnectionError", "APIConnectionError"],
  ["context-length", "BadRequestError", "BadRequestError"],
];

async function serverWith(kind: FaultKind): Promise<string> {
  const inner = new ScriptedResponder([right, right]);
  const server = await serverOf(new FaultyResponder(inner, { kind, at: 1, isLasting: false }));
  return server.baseUrl("x");
}

/** Both SDKs wait ten minutes for an answer. */
const LONGEST_TIMEOUT_MS = 11 * 60_000;

interface Asking {
  readonly maxRetries?: number;
  readonly stream?: boolean;
  readonly kind: FaultKind;
}

async function askOpenAi({ kind, maxRetries = 0, stream = false }: Asking) {
  const baseURL = `${await serverWith(kind)}/v1`;
  const client = new OpenAI({ apiKey: "any", baseURL, maxRetries });
  const tools = [{ type: "function" as const, function: { name: "weather", parameters: weatherSchema } }];
  const body = { model: "m", messages: [{ role: "user" as const, content: "?" }], tools };
  if (!stream) return client.chat.completions.create(body);
  return client.chat.completions.stream(body).finalChatCompletion();
}

async function askAnthropic({ kind, maxRetries = 0, stream = false }: Asking) {
  const baseURL = await serverWith(kind);
  const client = new Anthropic({ apiKey: "any", baseURL, maxRetries });
  const tools = [{ name: "weather", input_schema: weatherSchema }];
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user" as const, content: "?" }], tools };
  return stream ? client.messages.stream(body).finalMessage() : client.messages.create(body);
}

async function thrownBy(asked: Promise<unknown>): Promise<{ name: string; error: unknown }> {
  const error: unknown = await asked.then(
    () => null,
    (one: unknown) => one,
  );
  return { name: error instanceof Error ? error.constructor.name : "nothing", error };
}

describe("a fault is to the SDK what it claims to be", () => {
  test.each(exceptions)("%s", async (kind, openai, anthropic) => {
    expect((await thrownBy(askOpenAi({ kind }))).name).toBe(openai);
    expect((await thrownBy(askAnthropic({ kind }))).name).toBe(anthropic);
  });

  test.each(exceptions.filter(([kind]) => kind !== "context-length"))(
    "%s is got over by a client that tries again",
    async (kind) => {
      const completion = await askOpenAi({ kind, maxRetries: 2 });
      const message = await askAnthropic({ kind, maxRetries: 2 });

      expect(completion.choices[0]?.message.content).toBe(right.text);
      expect(message.content.length).toBe(2);
    },
  );

  test("a limit of the rate says when to try again only where it is to", async () => {
    const headersOf = async (kind: FaultKind): Promise<string | null | undefined> => {
      const { error } = await thrownBy(askOpenAi({ kind }));
      return error instanceof OpenAI.APIError ? error.headers?.get("retry-after") : undefined;
    };

    expect(await headersOf("rate-limit")).toBeNull();
    expect(await headersOf("rate-limit-retry-after")).toBe("1");
  });

  test("no answer is a time-out of the client", async () => {
    const fault = { kind: "timeout", at: 1, isLasting: false } as const;
    const responder = new FaultyResponder(new ScriptedResponder([right, right]), fault);
    const base = (await serverOf(responder)).baseUrl();
    const openai = new OpenAI({ apiKey: "any", baseURL: `${base}/r/o/v1`, maxRetries: 0 });
    const anthropic = new Anthropic({ apiKey: "any", baseURL: `${base}/r/a`, maxRetries: 0 });
    const messages = [{ role: "user" as const, content: "?" }];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = [
      thrownBy(openai.chat.completions.create({ model: "m", messages })),
      thrownBy(anthropic.messages.create({ model: "m", max_tokens: 9, messages })),
    ];
    await until(() => responder.account("o").requests + responder.account("a").requests === 2);
    vi.advanceTimersByTime(LONGEST_TIMEOUT_MS);
    vi.useRealTimers();

    expect((await Promise.all(asked)).map(({ name }) => name)).toEqual([
      "APIConnectionTimeoutError",
      "APIConnectionTimeoutError",
    ]);
  });

  test("a context that is too long has the provider's code or words", async () => {
    const openai = await thrownBy(askOpenAi({ kind: "context-length" }));
    const anthropic = await thrownBy(askAnthropic({ kind: "context-length" }));

    expect(openai.error).toMatchObject({ code: "context_length_exceeded", status: 400 });
    expect(String(anthropic.error)).toContain("prompt is too long");
  });

  test.each([true, false])("an answer that is cut off is an error (streamed: %s)", async (stream) => {
    const openai = await thrownBy(askOpenAi({ kind: "stream-cut", stream }));
    const anthropic = await thrownBy(askAnthropic({ kind: "stream-cut", stream }));

    expect(openai.error).toBeInstanceOf(Error);
    expect(anthropic.error).toBeInstanceOf(Error);
  });

  test.each([true, false])("answers that are not as they should be (streamed: %s)", async (stream) => {
    const choiceOf = async (kind: FaultKind) => (await askOpenAi({ kind })).choices[0];
    const messageFor = (kind: FaultKind) => askAnthropic({ kind, stream });

    expect(await choiceOf("empty")).toMatchObject({ message: { content: "" }, finish_reason: "stop" });
    expect((await messageFor("empty")).content).toEqual([]);
    expect(await choiceOf("length")).toMatchObject({ finish_reason: "length" });
    expect((await messageFor("length")).stop_reason).toBe("max_tokens");
    expect((await choiceOf("refusal"))?.message.refusal).toMatch(/can't assist/);
    expect((await messageFor("refusal")).stop_reason).toBe("refusal");
    expect(await choiceOf("content-filter")).toMatchObject({ finish_reason: "content_filter" });
    expect((await messageFor("content-filter")).stop_reason).toBe("refusal");
    expect((await messageFor("unknown-tool")).content).toMatchObject([{ name: "lookup_record" }]);
    expect((await messageFor("schema-violation")).content).toMatchObject([
      { name: "weather", input: { city: { unexpected: true } } },
    ]);
  });

  test("arguments that are no JSON", async () => {
    const { choices } = await askOpenAi({ kind: "bad-json" });
    const [call] = choices[0]?.message.tool_calls ?? [];
    const text = call?.type === "function" ? call.function.arguments : "";

    expect(text).toContain("Paris");
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect((await thrownBy(askAnthropic({ kind: "bad-json", stream: true }))).error).toBeInstanceOf(Error);
  });
});

test("the last call is asked for again", async () => {
  const responder = new FaultyResponder(new ScriptedResponder([right, right]), {
    kind: "same-tool-again",
    at: 1,
    isLasting: true,
  });
  const server = await serverOf(responder);
  const client = new OpenAI({ apiKey: "any", baseURL: `${server.baseUrl("x")}/v1` });
  const call = {
    id: "c1",
    type: "function" as const,
    function: { name: "search", arguments: '{"q":"cats"}' },
  };
  const completion = await client.chat.completions.create({
    model: "m",
    messages: [
      { role: "user", content: "?" },
      { role: "assistant", tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "none" },
    ],
  });

  expect(completion.choices[0]?.message.tool_calls).toMatchObject([{ function: call.function }]);
  expect(completion.choices[0]?.message.tool_calls?.[0]?.id).not.toBe("c1");
  expect(responder.account("x")).toMatchObject({ requests: 1, faults: 1, requestedTools: [true] });
});

test("a slow answer is the right one, with a pause before each piece", async () => {
  const fault = { kind: "slow", at: 1, isLasting: false } as const;
  const responder = new FaultyResponder(new ScriptedResponder([right]), fault);
  const request = { model: "m", system: null, messages: [], tools: [], parameters: {} };
  const received = {
    protocol: "openai-chat" as const,
    request,
    isStreamed: true,
    previousResponseId: null,
    body: {},
  };
  const responded = await responder.respond(received, contextOf("x"));

  expect(responded).toEqual({ answer: right, disturbance: { delayMs: 1_000 } });
});

test.each([
  ["rate-limit", { kind: "rate-limit", at: 1, isLasting: false }],
  ["stream-cut@3", { kind: "stream-cut", at: 3, isLasting: false }],
  ["same-tool-again@2+", { kind: "same-tool-again", at: 2, isLasting: true }],
  ["stream-cut@0", null],
  ["stream-cut@", null],
  ["flood@1", null],
])("the fault %s", (text, fault) => {
  expect(parseFault(text)).toEqual(fault);
});
