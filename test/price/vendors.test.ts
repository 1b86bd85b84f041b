import { describe, expect, test } from "vitest";
import type { Usage } from "../../src/model/run.ts";
import { createPricer } from "../../src/model/price/price.ts";
import { document, span } from "../support/otlp.ts";
import { runCliWith } from "../support/run-cli.ts";

/*
 * One call at each vendor, counted by hand at the prices of the bundled table: plain input, input from a cache, input written to a
 * cache, output; reasoning is output. Prices are US dollars per million tokens.
 *
 * Where the rules are written down:
 *   OpenAI     openai.com/api/pricing: cached input has a price of its own, reasoning tokens are output tokens
 *   Anthropic  platform.claude.com/docs/en/about-claude/pricing: reads from the cache 0.1 of the input price, five-minute writes 1.25
 *   Gemini     ai.google.dev/gemini-api/docs/pricing: output "including thinking tokens"; prompts beyond 200,000 tokens cost more as a whole
 *   Bedrock    aws.amazon.com/bedrock/pricing: regional profiles of Claude 4.5 and later cost a tenth more than global ones
 *   Azure      azure.microsoft.com/pricing/details/azure-openai: as OpenAI, rounded to cents
 *   Mistral    mistral.ai/pricing: no cached price, reasoning is output
 *   DeepSeek   api-docs.deepseek.com/quick_start/pricing: cache hits and misses, cheaper off-peak (16:30 to 00:30 UTC)
 *   second opinion on Claude Sonnet 4.5, tiers included: LiteLLM's model_prices_and_context_window.json
 *
 * One-hour writes to Anthropic's cache cost twice the input price (same page). Batches cost half at OpenAI, Anthropic and Gemini, OpenAI's
 * flex as much as a batch, priority more: the bundled table has no such prices, so that the configuration has to say them, and a run
 * says which of its calls were counted at the usual ones.
 */

const noon = Date.UTC(2026, 8, 1, 12);
const night = Date.UTC(2026, 8, 1, 20);
const price = createPricer();

type Vector = readonly [
  vendor: string,
  providerAndModel: string,
  usd: number,
  input: number,
  output: number,
  more?: Partial<Usage>,
  at?: number,
];

const claude = "anthropic claude-sonnet-4-5";
const regional = "aws.bedrock eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
const gemini = "gcp.gemini gemini-2.5-pro";
const written = { cached: 6000, cacheWrite: 2000 };
const hourly = { ...written, longCacheWrite: 1500 };
const vectors: readonly Vector[] = [
  // 6,000 × 2.50 + 4,000 × 1.25 + 1,000 × 10
  ["OpenAI, cached", "openai gpt-4o", 0.03, 10_000, 1000, { cached: 4000 }],
  // 8,000 × 1.10 + 2,000 × 0.275 + 1,500 × 4.40, a thousand of which are reasoning
  ["OpenAI, reasoning", "openai o4-mini", 0.01595, 10_000, 1500, { cached: 2000, reasoning: 1000 }],
  // 2,000 × 3 + 6,000 × 0.30 + 2,000 × 3.75 + 500 × 15
  ["Anthropic, read from and written to a cache", claude, 0.0228, 10_000, 500, written],
  // 2,000 × 3 + 6,000 × 0.30 + 500 × 3.75 + 1,500 × 6 + 500 × 15
  ["Anthropic, written to a cache for an hour", claude, 0.026175, 10_000, 500, hourly],
  // beyond 200,000 all of it costs more: 100,000 × 6 + 150,000 × 0.60 + 1,000 × 22.50
  ["Anthropic, a long prompt", claude, 0.7125, 250_000, 1000, { cached: 150_000 }],
  // 1,000 × 5 + 9,000 × 0.50 + 400 × 25, thinking in the output
  ["Anthropic, thinking", "anthropic claude-opus-4-5", 0.0195, 10_000, 400, { cached: 9000, reasoning: 300 }],
  // 6,000 × 1.25 + 4,000 × 0.125 + 2,000 × 10, thoughts in the output
  ["Gemini, cached and thinking", gemini, 0.028, 10_000, 2000, { cached: 4000, reasoning: 1500 }],
  // beyond 200,000: 200,000 × 2.50 + 50,000 × 0.25 + 1,000 × 15
  ["Gemini, a long prompt", "gcp.vertex_ai gemini-2.5-pro", 0.5275, 250_000, 1000, { cached: 50_000 }],
  // a region costs a tenth more: 2,000 × 3.30 + 6,000 × 0.33 + 2,000 × 4.125 + 500 × 16.50
  ["Bedrock, a regional profile", regional, 0.02508, 10_000, 500, written],
  // 5,000 × 0.80 + 5,000 × 0.20 + 1,000 × 3.20
  ["Bedrock, Nova", "aws.bedrock amazon.nova-pro-v1:0", 0.0082, 10_000, 1000, { cached: 5000 }],
  ["Azure", "azure.ai.openai gpt-4o", 0.03, 10_000, 1000, { cached: 4000 }],
  // Azure's cached price is 0.28: 8,000 × 1.10 + 2,000 × 0.28 + 1,500 × 4.40
  ["Azure, reasoning", "azure.ai.openai o4-mini", 0.01596, 10_000, 1500, { cached: 2000, reasoning: 1000 }],
  // 10,000 × 2 + 1,000 × 6
  ["Mistral", "mistral_ai mistral-large-latest", 0.026, 10_000, 1000],
  // 10,000 × 2 + 1,000 × 5
  ["Mistral, reasoning", "mistral_ai magistral-medium-latest", 0.025, 10_000, 1000, { reasoning: 800 }],
  // 4,000 × 0.27 + 6,000 × 0.07 + 1,000 × 1.10
  ["DeepSeek by day", "deepseek deepseek-chat", 0.0026, 10_000, 1000, { cached: 6000 }, noon],
  // 4,000 × 0.135 + 6,000 × 0.035 + 1,000 × 0.55
  ["DeepSeek off-peak", "deepseek deepseek-chat", 0.0013, 10_000, 1000, { cached: 6000 }, night],
];

describe("a call costs what the vendor's rule says", () => {
  for (const [vendor, providerAndModel, usd, input, output, more, at = noon] of vectors) {
    test(`at ${vendor}`, () => {
      const [provider = "", model = ""] = providerAndModel.split(" ");
      const usage = { input, output, cached: null, cacheWrite: null, reasoning: null, ...more };
      expect(price(provider, model, usage, at)?.usd).toBeCloseTo(usd, 9);
    });
  }

  test("a model on one's own machine has no price, unless the configuration gives one", () => {
    const usage = { input: 1000, output: 1000, cached: null, cacheWrite: null, reasoning: null };
    const own = createPricer({ "qwen3:8b": { input: 0.1, output: 0.2 } });

    expect(price("ollama", "qwen3:8b", usage, noon)).toBeNull();
    expect(own("ollama", "qwen3:8b", usage, noon)?.usd).toBeCloseTo(0.0003, 9);
  });
});

describe("a service tier", () => {
  const tokens = { input: 10_000, cached: null, cacheWrite: null, output: 1000, reasoning: null };
  const half = createPricer({
    "gpt-5": { service_tiers: { batch: 0.5, flex: 0.5, priority: 2 } },
    "claude-sonnet-4-5": { input: 3, output: 15, service_tiers: { batch: 0.5 } },
  });

  test.each([
    // 10,000 × 1.25 + 1,000 × 10, and half of it, and twice
    ["the usual one", "openai", "gpt-5", null, 0.0225],
    ["OpenAI's flex", "openai", "gpt-5", "flex", 0.01125],
    ["OpenAI's priority", "openai", "gpt-5", "priority", 0.045],
    // 10,000 × 3 + 1,000 × 15, half of it
    ["Anthropic's batch", "anthropic", "claude-sonnet-4-5", "batch", 0.0225],
  ])("costs what the configuration says: %s", (_, provider, model, tier, usd) => {
    expect(half(provider, model, tokens, noon, tier)).toMatchObject({ unpriced: [] });
    expect(half(provider, model, tokens, noon, tier)?.usd).toBeCloseTo(usd, 9);
  });

  test("that nobody priced costs as usual, and says so", () => {
    expect(price("openai", "gpt-5", tokens, noon, "flex")).toMatchObject({
      usd: 0.0225,
      unpriced: ["service tier flex"],
    });
    expect(half("openai", "gpt-5", tokens, noon, "scale")).toMatchObject({
      usd: 0.0225,
      unpriced: ["service tier scale"],
    });
  });

  test("so do writes for an hour where only shorter ones have a price", () => {
    const own = createPricer({ "my-model": { input: 1, output: 1, cache_write: 2 } });
    const written = { ...tokens, cacheWrite: 1000, longCacheWrite: 1000 };

    expect(own(null, "my-model", written, noon)?.unpriced).toEqual(["cache writes for an hour"]);
    const regional = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
    expect(price("aws.bedrock", regional, written, noon)?.unpriced).toEqual(["cache writes for an hour"]);
  });
});

const semconv = (input: number, output: number, more: Record<string, number> = {}) => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.usage.input_tokens": input,
  "gen_ai.usage.output_tokens": output,
  ...more,
});
const READ = "gen_ai.usage.cache_read.input_tokens";
const WRITTEN = "gen_ai.usage.cache_creation.input_tokens";

/** Producers count differently; a run's input has the cached tokens in it and its output the reasoning, always. */
const counted: readonly (readonly [string, string, Record<string, string | number>, object])[] = [
  [
    "Anthropic as its API counts: cached tokens beside the input",
    "@traceloop/instrumentation-anthropic",
    semconv(200, 50, { [READ]: 800 }),
    { input_tokens: 1000, cached_tokens: 800, output_tokens: 50 },
  ],
  [
    "more cached than read: they must stand beside it, whoever counted",
    "my-agent",
    semconv(20, 5, { [READ]: 80 }),
    { input_tokens: 100, cached_tokens: 80, output_tokens: 5 },
  ],
  [
    "Gemini as its API counts: thoughts beside the output",
    "gcp.vertex.agent",
    semconv(100, 40, { "gen_ai.usage.experimental.reasoning_tokens": 512 }),
    { input_tokens: 100, output_tokens: 552, reasoning_tokens: 512 },
  ],
  [
    "a total that only adds up with the cached tokens beside the input",
    "openinference.instrumentation.anthropic",
    {
      "openinference.span.kind": "LLM",
      "llm.token_count.prompt": 900,
      "llm.token_count.prompt_details.cache_read": 800,
      "llm.token_count.completion": 50,
      "llm.token_count.total": 1750,
    },
    { input_tokens: 1700, cached_tokens: 800, output_tokens: 50 },
  ],
  [
    "zero in and zero out of a streamed call is not known",
    "my-agent",
    semconv(0, 0),
    { input_tokens: null, output_tokens: null, total_tokens: null },
  ],
];

test.each([...counted])(
  "a call has the tokens that were used, whatever the producer's habit: %s",
  async (...[, scope, attributes, expected]) => {
    expect(await inspected(scope, attributes)).toMatchObject(expected);
  },
);

/** Cache writes for an hour and service tiers, in the attributes that these producers write. */
const sonnet = { "gen_ai.request.model": "claude-sonnet-4-5", "gen_ai.provider.name": "anthropic" };
const gpt5 = { "gen_ai.request.model": "gpt-5", "gen_ai.provider.name": "openai" };
// 8,000 × 3 + 500 × 3.75 + 1,500 × 6 + 500 × 15
const hour = 0.042375;
// 10,000 × 1.25 + 1,000 × 10
const usual = 0.0225;

const told: readonly (readonly [string, string, Record<string, string | number>, number, string | null])[] = [
  [
    "Anthropic's own spans",
    "com.anthropic.sdk.python",
    {
      ...sonnet,
      ...semconv(10_000, 500, { "gen_ai.usage.cache_write.input_tokens": 2000 }),
      "anthropic.usage.cache_creation.ephemeral_1h_input_tokens": 1500,
      "anthropic.response.service_tier": "standard",
    },
    hour,
    null,
  ],
  [
    "Pydantic AI",
    "pydantic-ai",
    {
      ...sonnet,
      ...semconv(10_000, 500, { [WRITTEN]: 2000, "gen_ai.usage.details.ephemeral_1h_input_tokens": 1500 }),
    },
    hour,
    null,
  ],
  [
    "OpenInference, in the response it keeps",
    "openinference.instrumentation.anthropic",
    {
      "openinference.span.kind": "LLM",
      "llm.model_name": "claude-sonnet-4-5",
      "llm.provider": "anthropic",
      "llm.token_count.prompt": 10_000,
      "llm.token_count.prompt_details.cache_write": 2000,
      "llm.token_count.completion": 500,
      "output.value": JSON.stringify({
        usage: {
          input_tokens: 10_000,
          output_tokens: 500,
          cache_creation_input_tokens: 2000,
          cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 1500 },
          service_tier: "batch",
        },
      }),
    },
    hour,
    "the price table has no price for service tier batch, so the default price was used in 1 of 1 model calls",
  ],
  [
    "MLflow",
    "mlflow",
    {
      "mlflow.spanType": '"CHAT_MODEL"',
      "mlflow.llm.model": '"claude-sonnet-4-5"',
      "mlflow.chat.tokenUsage": JSON.stringify({
        input_tokens: 10_000,
        output_tokens: 500,
        cache_creation_input_tokens: 2000,
        cache_creation_input_tokens_above_1hr: 1500,
      }),
    },
    hour,
    null,
  ],
  [
    "OpenAI's flex by the conventions",
    "opentelemetry.instrumentation.genai.openai",
    { ...gpt5, ...semconv(10_000, 1000), "openai.response.service_tier": "flex" },
    usual,
    "the price table has no price for service tier flex, so the default price was used in 1 of 1 model calls",
  ],
];

test.each([...told])(
  "the cost of a call that is served in another way than usual: %s",
  async (...[, scope, attributes, usd, why]) => {
    const run = (await inspected(scope, attributes)) as { cost_usd: number; missing: { what: string }[] };

    expect(run.cost_usd).toBeCloseTo(usd, 9);
    expect(run.missing.filter(({ what }) => what === "prices")).toEqual(
      why === null ? [] : [{ what: "prices", why }],
    );
  },
);

async function inspected(scope: string, attributes: Record<string, string | number>): Promise<unknown> {
  const stdin = JSON.stringify(document([span("c", undefined, "chat", 0, 1000, attributes)], { scope }));
  return JSON.parse((await runCliWith({ stdin }, "inspect", "-", "--format", "json")).stdout);
}
