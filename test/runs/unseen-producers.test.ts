import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { agentAttributes, chatAttributes, tokenCounts } from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** What frameworks write under instrumentations that were not known when the rules for them were made. */

const json = JSON.stringify;

async function run(...spans: readonly Span[]): Promise<AgentRun> {
  const [one] = await replayed(document(spans));
  if (one === undefined) throw new Error("no run");
  return one;
}

const invoke = (id: string, parent: string | undefined, name: string, start: number, end: number): Span =>
  span(id, parent, `invoke_agent ${name}`, start, end, agentAttributes(name));

const chat = (id: string, parent: string, start: number, attributes: Attributes): Span =>
  span(id, parent, "chat small", start, start + 8, {
    ...chatAttributes("small"),
    ...tokenCounts(10, 2),
    ...attributes,
  });

it("a class of a framework with its module is no agent's name", async () => {
  const { agent } = await run(invoke("r", undefined, "dspy.ReAct", 0, 90), chat("a", "r", 10, {}));
  expect(agent).toBe("shop");
});

describe("messages", () => {
  it("LangChain's messages without types: the question is no answer", async () => {
    const messages = [
      { content: "How high?", id: "1" },
      { content: "2 m", id: "2", response_metadata: {}, tool_calls: [], usage_metadata: null },
    ];
    const found = await run(
      span("r", undefined, "keeper", 0, 90, {
        "langwatch.span.type": "chain",
        "langwatch.output": json({ type: "json", value: { messages } }),
      }),
      span("a", "r", "llm", 10, 20, {
        "langwatch.span.type": "llm",
        "gen_ai.usage.input_tokens": 10,
        "langwatch.input": json({ type: "chat_messages", value: [{ role: "user", content: "How high?" }] }),
      }),
    );
    expect(found).toMatchObject({ query: "How high?", answer: "2 m" });
  });
});
