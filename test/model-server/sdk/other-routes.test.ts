import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { type ModelServer } from "../../../src/model-server/server/model-server.ts";
import { ScriptedResponder, serverOf } from "../scripted.ts";

const names = ["model-a", "model-b"];

async function serverWithModels(): Promise<ModelServer> {
  return serverOf(new ScriptedResponder([]), { models: () => names });
}

test("each SDK lists the models, and finds one", async () => {
  const server = await serverWithModels();
  const openai = new OpenAI({ apiKey: "any", baseURL: `${server.baseUrl("x")}/v1` });
  const anthropic = new Anthropic({ apiKey: "any", baseURL: server.baseUrl("x") });
  const google = new GoogleGenAI({ apiKey: "any", httpOptions: { baseUrl: server.baseUrl("x") } });
  const pager = await google.models.list();

  expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(names);
  expect((await openai.models.retrieve("model-a")).id).toBe("model-a");
  expect((await anthropic.models.list()).data.map(({ id }) => id)).toEqual(names);
  expect((await anthropic.models.retrieve("model-b")).id).toBe("model-b");
  expect(pager.page.map(({ name }) => name)).toEqual(["models/model-a", "models/model-b"]);
  expect((await google.models.get({ model: "model-a" })).name).toBe("models/model-a");
});

test("embeddings are the same whenever and however they are asked for", async () => {
  const server = await serverWithModels();
  const client = new OpenAI({ apiKey: "any", baseURL: `${server.baseUrl()}/v1` });
  const ask = async (input: string | string[], others: object = {}): Promise<number[][]> => {
    const { data } = await client.embeddings.create({ model: "e", input, ...others });
    return data.map(({ embedding }) => embedding);
  };
  const cosine = (a: number[] = [], b: number[] = []): number =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

  const [cats, catsAgain, cars] = await ask(["cats like milk", "milk, cats like it", "cars need fuel"]);
  const [asFloats] = await ask("cats like milk", { encoding_format: "float" });
  const [short] = await ask("cats like milk", { dimensions: 8 });

  expect(cats).toHaveLength(1536);
  expect(asFloats).toEqual(cats);
  expect(short).toHaveLength(8);
  expect(cosine(cats, cats)).toBeCloseTo(1);
  expect(cosine(cats, catsAgain)).toBeGreaterThan(cosine(cats, cars));
});

test("tokens are counted roughly for clients that ask before they send", async () => {
  const server = await serverWithModels();
  const anthropic = new Anthropic({ apiKey: "any", baseURL: server.baseUrl() });
  const google = new GoogleGenAI({ apiKey: "any", httpOptions: { baseUrl: server.baseUrl() } });
  const content = "word ".repeat(400);
  const messages = [{ role: "user" as const, content }];
  const { input_tokens } = await anthropic.messages.countTokens({ model: "m", messages });
  const { totalTokens } = await google.models.countTokens({ model: "m", contents: content });

  expect(input_tokens).toBeGreaterThan(300);
  expect(input_tokens).toBeLessThan(700);
  expect(totalTokens).toBe(input_tokens);
});
