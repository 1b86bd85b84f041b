import { readFileSync } from "node:fs";
import { calcPrice, findProvider } from "@pydantic/genai-prices";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Usage } from "../../src/model/run.ts";
import { modelNames } from "../../src/model/price/model-names.ts";
import { createPricer, vendorTable, vendorTableVersion } from "../../src/model/price/price.ts";

const at = Date.UTC(2026, 8, 1);
const price = createPricer();

function usage(input: number | null, output: number | null, more: Partial<Usage> = {}): Usage {
  return { input, output, cached: null, cacheWrite: null, reasoning: null, ...more };
}

describe("a million tokens in and out cost what the vendor lists", () => {
  test.each([
    ["openai", "gpt-4o-mini", 0.15 + 0.6],
    ["openai", "gpt-4o-mini-2024-07-18", 0.15 + 0.6],
    ["openai", "gpt-5", 1.25 + 10],
    [null, "gpt-5", 1.25 + 10],
    [null, "openai/gpt-4o", 2.5 + 10],
    ["openai", "openai/gpt-4o", 2.5 + 10],
    [null, "openai:gpt-4o", 2.5 + 10],
    ["openrouter", "openai/gpt-4o", 2.5 + 10],
    ["azure.ai.openai", "gpt-4o", 2.5 + 10],
    ["az.ai.openai", "gpt-4o", 2.5 + 10],
    ["azure.ai.inference", "gpt-4o", 2.5 + 10],
    [null, "azure/gpt-4o", 2.5 + 10],
    ["anthropic", "claude-opus-4-5-20251101", 5 + 25],
    ["anthropic", "claude-3-5-haiku-latest", 0.8 + 4],
    ["aws.bedrock", "anthropic.claude-3-haiku-20240307-v1:0", 0.25 + 1.25],
    [null, "anthropic.claude-3-haiku-20240307-v1:0", 0.25 + 1.25],
    ["aws.bedrock", "amazon.nova-pro-v1:0", 0.8 + 3.2],
    ["aws.bedrock", "arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-pro-v1:0", 0.8 + 3.2],
    ["mistral_ai", "mistral-large-latest", 2 + 6],
    ["gcp.gemini", "gemini-2.5-flash", 0.3 + 2.5],
    ["gcp.gen_ai", "models/gemini-2.5-flash", 0.3 + 2.5],
    ["gcp.vertex_ai", "publishers/google/models/gemini-2.5-flash", 0.3 + 2.5],
    ["xai", "grok-4", 3 + 15],
    ["groq", "llama-3.3-70b-versatile", 0.59 + 0.79],
    [null, "groq/llama-3.3-70b-versatile", 0.59 + 0.79],
    ["litellm", "anthropic/claude-3-5-haiku-latest", 0.8 + 4],
    ["my-gateway", "gpt-5", 1.25 + 10],
  ] as const)("%s %s", (provider, model, usd) => {
    expect(price(provider, model, usage(1e6, 1e6), at)?.usd).toBeCloseTo(usd, 9);
  });

  test("an embedding has no output to know of", () => {
    expect(price("openai", "text-embedding-3-small", usage(1e6, null), at)?.usd).toBeCloseTo(0.02, 9);
  });
});

test.each([
  ["a model in no table", "openai", "no-such-model-1", usage(10, 10)],
  ["a model on one's own hardware", "ollama", "llama3.3", usage(10, 10)],
  ["the same, by its name", null, "ollama/gpt-oss-20b", usage(10, 10)],
  ["no name", "openai", " ", usage(10, 10)],
  ["unknown input", "openai", "gpt-5", usage(null, 10)],
  ["unknown output", "openai", "gpt-5", usage(10, null)],
  ["more cached than read", "openai", "gpt-5", usage(10, 10, { cached: 11 })],
  ["a negative count", "openai", "gpt-5", usage(-1, 10)],
  ["not a number", "openai", "gpt-5", usage(Number.NaN, 10)],
])("what cannot be told has no price: %s", (_, provider, model, tokens) => {
  expect(price(provider, model, tokens, at)).toBeNull();
});

describe("prices of the config", () => {
  const own = createPricer({
    "my-model": { input: 1, output: 2 },
    "azure/gpt-4o": { input: 7, output: 7 },
    "gpt-5": { input: 10, output: 100, cached: 1, cache_write: 20, reasoning: 50 },
  });

  test.each([
    ["a model only the config knows", null, "my-model", usage(1e6, 1e6), 3],
    ["case of the name plays no part", null, "My-Model", usage(1e6, 0), 1],
    ["a model behind a gateway's prefix", null, "openai/my-model", usage(1e6, 0), 1],
    ["a provider's own price", "azure.ai.openai", "gpt-4o", usage(1e6, 0), 7],
    ["not that of another provider", "openai", "gpt-4o", usage(1e6, 0), 2.5],
    ["instead of the table's", "openai", "gpt-5", usage(1e6, 1e6), 110],
    [
      "each kind of token",
      "openai",
      "gpt-5",
      usage(100, 10, { cached: 50, cacheWrite: 20, reasoning: 4 }),
      0.00155,
    ],
  ] as const)("%s", (_, provider, model, tokens, usd) => {
    expect(own(provider, model, tokens, at)?.usd).toBeCloseTo(usd, 9);
  });

  test("the source tells config from table", () => {
    expect(own(null, "my-model", usage(1, 1), at)?.source).toBe("config");
    expect(own("openai", "gpt-4o", usage(1, 1), at)?.source).toBe(vendorTable.source);
  });
});

test("the source names the version of the package that is installed", () => {
  const url = new URL("../../node_modules/@pydantic/genai-prices/package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(url, "utf8")) as { version: string };
  expect(vendorTableVersion).toBe(version);
  expect(vendorTable.source).toContain(version);
});

test("our sum is the library's, for every model of the big vendors and any usage", () => {
  const vendors = ["openai", "anthropic", "google", "aws", "azure", "mistral", "groq", "x-ai", "deepseek"];
  const models = vendors.flatMap((provider) =>
    (findProvider({ providerId: provider })?.models ?? []).map(({ id }) => ({ provider, id })),
  );
  const part = fc.integer({ min: 0, max: 300_000 });
  fc.assert(
    fc.property(
      fc.constantFrom(...models),
      part,
      part,
      part,
      part,
      ({ provider, id }, plain, cached, written, output) => {
        const ours = vendorTable.find({ provider, model: id }, at);
        if (ours === undefined) return;
        const input = plain + cached + written;
        const theirs = calcPrice(
          {
            input_tokens: input,
            cache_read_tokens: cached,
            cache_write_tokens: written,
            output_tokens: output,
          },
          id,
          { providerId: provider, timestamp: new Date(at) },
        );
        const usd = price(provider, id, usage(input, output, { cached, cacheWrite: written }), at)?.usd;
        expect(usd).toBeCloseTo(theirs?.total_price ?? Number.NaN, 9);
      },
    ),
    { numRuns: 150 },
  );
});

test("a name never becomes more than a handful of look-ups, whatever it is", () => {
  fc.assert(
    fc.property(fc.option(fc.string()), fc.string(), (provider, model) => {
      expect(modelNames(provider, model).length).toBeLessThan(40);
    }),
  );
  expect(modelNames(null, "openai/".repeat(10_000)).length).toBeLessThan(40);
});
