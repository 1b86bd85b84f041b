import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** One model call as client, gateway and model server show it: each layer knows something that the others do not. */

type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

const json = JSON.stringify;
const question = "How high is the river?";
const answer = "Two metres.";
const messages: Attributes = {
  "gen_ai.input.messages": json([{ role: "user", parts: [{ type: "text", content: question }] }]),
  "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: answer }] }]),
};

const agent = span("r", undefined, "invoke_agent gauger", 0, 90, {
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": "gauger",
});
const client = (more: Attributes): Span =>
  span("c", "r", "chat fast", 1, 80, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-4o-mini",
    ...more,
  });
const http = span("h", "c", "POST", 2, 79, {
  "http.request.method": "POST",
  "url.full": "http://localhost/v1",
});
const usage = (input: number, output: number, cached?: number): Attributes => ({
  "gen_ai.usage.input_tokens": input,
  "gen_ai.usage.output_tokens": output,
  ...(cached === undefined ? {} : { "gen_ai.usage.cache_read.input_tokens": cached }),
});

const envoy = (more: Attributes = {}, parent = "h"): Span =>
  span("g", parent, "ChatCompletion", 3, 78, {
    "openinference.span.kind": "LLM",
    "llm.system": "openai",
    "llm.model_name": "gpt-4o-mini",
    "llm.token_count.prompt": 1000,
    "llm.token_count.completion": 20,
    "llm.token_count.total": 1020,
    ...more,
  });
const agentgateway = (more: Attributes = {}): Span =>
  span("g", "h", "chat gpt-4o-mini", 3, 78, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-4o-mini",
    "http.status": 200,
    ...usage(1000, 20),
    ...more,
  });
const litellm = (more: Attributes = {}): readonly Span[] => [
  span("p", "h", "Received Proxy Server Request", 3, 78, {}, { kind: 2 }),
  span("g", "p", "litellm_request", 4, 77, {
    "gen_ai.operation.name": "chat",
    "gen_ai.system": "openai",
    "gen_ai.request.model": "gpt-4o-mini",
    "llm.is_streaming": "False",
    ...usage(1000, 20),
    ...more,
  }),
];
const vllm = (more: Attributes = {}): Span =>
  span(
    "g",
    "h",
    "llm_request",
    3,
    78,
    {
      "gen_ai.request.id": "cmpl-1",
      "gen_ai.request.max_tokens": 512,
      "gen_ai.request.n": 1,
      "gen_ai.response.model": "Qwen/Qwen3-8B",
      "gen_ai.usage.prompt_tokens": 1000,
      "gen_ai.usage.completion_tokens": 20,
      "gen_ai.latency.e2e": 0.07,
      ...more,
    },
    { kind: 2 },
  );

/** The whole trace, each span from a scope of its own. */
async function run(...spans: readonly Span[]): Promise<AgentRun> {
  const documents = spans.map((one, at) =>
    document([one], { scope: `layer-${at}`, resource: { "service.name": at < 3 ? "shop" : "gateway" } }),
  );
  const [one, ...others] = await replayed(...documents);
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

describe.each([
  ["Envoy AI Gateway", [envoy()]],
  ["agentgateway", [agentgateway()]],
  ["LiteLLM's proxy", litellm()],
  ["vLLM", [vllm()]],
] as const)("a client over %s", (_, layers) => {
  it("is one call with the client's messages", async () => {
    const {
      llmCalls,
      query,
      answer: said,
      usage: counts,
    } = await run(agent, client({ ...messages, ...usage(1000, 20) }), http, ...layers);
    expect({ llmCalls, query, said }).toEqual({ llmCalls: 1, query: question, said: answer });
    expect(counts).toMatchObject({ input: 1000, output: 20 });
  });

  it("keeps the cached and reasoning tokens that only the client reports", async () => {
    const reasoning = { "gen_ai.usage.reasoning.output_tokens": 12 };
    const { usage: counts } = await run(
      agent,
      client({ ...usage(1000, 20, 800), ...reasoning }),
      http,
      ...layers,
    );
    expect(counts).toMatchObject({ input: 1000, output: 20, cached: 800, reasoning: 12 });
  });

  it("counts what the layer that knows the usage says where the others report nothing", async () => {
    const { usage: counts } = await run(agent, client(messages), http, ...layers);
    expect(counts).toMatchObject({ input: 1000, output: 20 });
  });
});

it("cached tokens that the client leaves out of its input are in the gateway's", async () => {
  const anthropic = client({ "llm.request.type": "chat", ...usage(200, 20, 800) });
  const { usage: counts } = await run(agent, anthropic, http, envoy());
  expect(counts).toMatchObject({ input: 1000, output: 20, cached: 800 });
});

it("zeros of a streaming gateway are no counts", async () => {
  const silent = envoy({
    "llm.token_count.prompt": 0,
    "llm.token_count.completion": 0,
    "llm.token_count.total": 0,
  });
  const { usage: counts } = await run(agent, client(usage(1000, 20, 800)), http, silent);
  expect(counts).toMatchObject({ input: 1000, output: 20, cached: 800 });
});

it.each([
  ["the gateway says it", envoy({ "llm.model_name": "gpt-4o-mini-2024-07-18" }), "gpt-4o-mini-2024-07-18"],
  ["the model server says it", vllm(), "Qwen/Qwen3-8B"],
  [
    "a response of the gateway's own has it",
    agentgateway({ "gen_ai.response.model": "gpt-4o-mini-2024-07-18" }),
    "gpt-4o-mini-2024-07-18",
  ],
])(
  "the model that answered is the provider's, not the alias that the client was served: %s",
  async (_, layer, model) => {
    const alias = { "gen_ai.request.model": "fast", "gen_ai.response.model": "fast" };
    const { responseModels, llmCalls } = await run(
      agent,
      client({ ...alias, ...usage(1000, 20) }),
      http,
      layer,
    );
    expect({ responseModels, llmCalls }).toEqual({ responseModels: [model], llmCalls: 1 });
  },
);

it("attempts of a gateway that failed before one was served are no calls of their own", async () => {
  const failed = span(
    "f",
    "h",
    "chat gpt-4o",
    3,
    9,
    { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o" },
    { status: { code: 2, message: "overloaded, try again" } },
  );
  const {
    llmCalls,
    query,
    answer: said,
    status,
    usage: counts,
  } = await run(agent, client({ ...messages, ...usage(1000, 20, 800) }), http, failed, agentgateway());
  expect({ llmCalls, query, said, status }).toEqual({
    llmCalls: 1,
    query: question,
    said: answer,
    status: "ok",
  });
  expect(counts).toMatchObject({ input: 1000, cached: 800 });
});

it("the price is that of the whole call", async () => {
  const spans = [agent, client({ ...messages, ...usage(1000, 20, 800) }), http, envoy()];
  const one = await run(...spans);
  const alone = await run(agent, client({ ...messages, ...usage(1000, 20, 800) }));
  expect(one.costUsd).not.toBeNull();
  expect(one.costUsd).toBe(alone.costUsd);
});

it("two instrumentations side by side lend each other what one lacks", async () => {
  const id = { "gen_ai.response.id": "resp-1" };
  const framework = span("c", "r", "chat fast", 1, 80, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o-mini",
    ...messages,
    ...usage(1000, 20),
    ...id,
  });
  const library = span("l", "r", "openai.chat", 2, 79, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o-mini",
    "gen_ai.response.model": "gpt-4o-mini-2024-07-18",
    ...usage(1000, 20, 800),
    ...id,
  });
  const { llmCalls, usage: counts, responseModels, answer: said } = await run(agent, framework, library);
  expect({ llmCalls, responseModels, said }).toEqual({
    llmCalls: 1,
    responseModels: ["gpt-4o-mini-2024-07-18"],
    said: answer,
  });
  expect(counts).toMatchObject({ input: 1000, output: 20, cached: 800 });
});

describe("a call span within one of its own name and scope", () => {
  const callAt = (id: string, parent: string, at: number, end: number): Span =>
    span(id, parent, "chat fast", at, end, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "fast",
      ...usage(1000, 20),
    });
  const tool = span("t", "o", "execute_tool gauge", 20, 30, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "gauge",
  });
  const request = span("q", "o", "POST", 12, 19, { "http.request.method": "POST" }, { kind: 3 });
  const laterRequest = span("q", "i", "POST", 42, 49, { "http.request.method": "POST" }, { kind: 3 });

  it.each([
    ["after the outer one's tool is a second call", [tool], 2],
    ["after the outer one's request is a second call", [request], 2],
    ["with the only request in it is the same call", [laterRequest], 1],
    ["without other work is the same call", [], 1],
  ])("%s", async (_, work, calls) => {
    const spans = [agent, callAt("o", "r", 10, 80), ...work, callAt("i", "o", 40, 70)];
    const [one] = await replayed(document(spans));
    expect(one?.llmCalls).toBe(calls);
  });
});

describe("two call spans of one scope beside each other", () => {
  const viewOf = (id: string, name: string, at: number, end: number, responseId: string): Span =>
    span(id, "r", name, at, end, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "fast",
      "gen_ai.response.id": responseId,
      ...usage(1000, 20),
    });

  it.each([
    ["with one response id and time are one call", 12, 28, "m1", 1],
    ["with one response id at other times are two", 40, 50, "m1", 2],
    ["with two response ids are two", 12, 28, "m2", 2],
  ])("%s", async (_, at, end, id, calls) => {
    const [one] = await replayed(
      document([agent, viewOf("a", "chat", 10, 30, "m1"), viewOf("b", "create", at, end, id)]),
    );
    expect(one?.llmCalls).toBe(calls);
  });
});
