import { expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { agentSpan, chatAttributes, tokenCounts } from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayed, replayedOne } from "../support/replayed.ts";

/** One model call as client, gateway and model server show it: each layer knows something that the others do not. */

const agent = agentSpan("r", undefined, "gauger", 0, 90);
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
  ...tokenCounts(input, output),
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
function run(...spans: readonly Span[]): Promise<AgentRun> {
  const documents = spans.map((one, at) =>
    document([one], { scope: `layer-${at}`, resource: { "service.name": at < 3 ? "shop" : "gateway" } }),
  );
  return replayedOne(...documents);
}

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

const viewOf = (id: string, name: string, at: number, end: number, responseId: string): Span =>
  span(id, "r", name, at, end, {
    ...chatAttributes("fast"),
    "gen_ai.response.id": responseId,
    ...usage(1000, 20),
  });

it.each([
  ["with one response id and time are one call", 12, 28, "m1", 1],
  ["with one response id at other times are two", 40, 50, "m1", 2],
  ["with two response ids are two", 12, 28, "m2", 2],
])("two call spans of one scope beside each other: %s", async (_, at, end, id, calls) => {
  const [one] = await replayed(
    document([agent, viewOf("a", "chat", 10, 30, "m1"), viewOf("b", "create", at, end, id)]),
  );
  expect(one?.llmCalls).toBe(calls);
});
