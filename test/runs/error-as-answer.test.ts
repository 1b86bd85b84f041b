import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** A model server's refusal that a framework returned as its agent's answer, with a status of success. */

const said = (text: string) =>
  JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: text }] }]);

const agent = (answer: string) =>
  span("r", undefined, "invoke_agent keeper", 0, 50, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "keeper",
    "gen_ai.output.messages": said(answer),
  });
const chat = (answer: string) =>
  span("c", "r", "chat small", 1, 40, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.output.messages": said(answer),
  });

async function outcome(
  ...spans: ReturnType<typeof span>[]
): Promise<Pick<AgentRun, "status" | "answer" | "error">> {
  const [run, ...others] = await replayed(document(spans));
  if (run === undefined || others.length > 0) throw new Error("not one run");
  return { status: run.status, answer: run.answer, error: run.error };
}

const refusals = [
  "Error code: 429 - {'error': {'message': 'Rate limit reached'}}",
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens.",
  "Rate limit reached for gpt-4o in organization org-1",
  "Rate limit exceeded for requests per minute",
  "You exceeded your current quota, please check your plan and billing details.",
  "Incorrect API key provided: sk-none.",
  "The model `gpt-99` does not exist or you do not have access to it.",
  "openai.BadRequestError: the request was refused",
  "litellm.RateLimitError: RateLimitError: too many requests",
  "google.genai.errors.ClientError: 400 INVALID_ARGUMENT",
];
const answers = [
  "The lake is 31 metres deep.",
  "Error codes are listed on page 429 of the manual.",
  "Your program ended with: Error code: 429, so wait a minute.",
  "A rate limit reached for one key does not hold for another.",
  "The model `gpt-99` is not on the price list.",
  "openai is a company; its client raises errors.",
];

describe("an answer without any model call", () => {
  it.each(refusals)("%s: is a failure", async (text) => {
    expect(await outcome(agent(text))).toEqual({ status: "error", answer: null, error: text });
  });

  it.each(answers)("%s: is an answer", async (text) => {
    expect(await outcome(agent(text))).toEqual({ status: "ok", answer: text, error: null });
  });
});

it.each(refusals)("said by a model, this is an answer: %s", async (text) => {
  expect(await outcome(agent(text), chat(text))).toEqual({ status: "ok", answer: text, error: null });
});
