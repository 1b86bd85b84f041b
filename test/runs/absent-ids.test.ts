import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import { agentSpan, chatSpan, tokenCounts } from "../support/genai.ts";
import { type Attributes, document, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** Producers that write an absent id as text: as JSON's `null`, Python's `None`, JavaScript's `undefined`, or empty. */

const json = JSON.stringify;
const absent = ["null", "None", "undefined", "", " ", "NULL"];

const run = (spans: readonly Span[], scope = "test"): Promise<AgentRun> =>
  replayedOne(document(spans, { scope }));

const chat = (id: string, parent: string, at: number, attributes: Attributes = {}) =>
  chatSpan(id, parent, at, { ...tokenCounts(10, 2), ...attributes });
const agent = (id: string, attributes: Attributes) => agentSpan(id, undefined, "clerk", 0, 90, attributes);

describe.each(absent)("an id written as %j is absent", (text) => {
  it.each([
    ["the conventions", "test", { "gen_ai.conversation.id": text }],
    [
      "Logfire's integration of the Agents SDK",
      "logfire.openai_agents",
      { "logfire.span_type": "span", group_id: text },
    ],
    ["the conventions, as JSON", "test", { "gen_ai.conversation.id": json(text) }],
    ["OpenInference", "openinference.instrumentation.x", { "session.id": text }],
    ["metadata", "test", { metadata: json({ thread_id: text }) }],
  ])("as a conversation in %s", async (_, scope, attributes) => {
    expect((await run([agent("r", attributes), chat("a", "r", 1)], scope)).conversationId).toBeNull();
  });

  it("as a conversation, where another span has the id", async () => {
    const spans = [
      agent("r", { "gen_ai.conversation.id": text }),
      chat("a", "r", 1, { "gen_ai.conversation.id": "c-7" }),
    ];
    expect((await run(spans)).conversationId).toBe("c-7");
  });
});

it("the explanation lists such an id as no id", async () => {
  const one = await run([
    agent("r", { "gen_ai.conversation.id": "null" }),
    chat("a", "r", 1, { "gen_ai.conversation.id": "c-7" }),
  ]);
  const facts = isExplained(one) ? one.explain() : [];
  const fact = facts.find((each) => each.fact === "conversation_id");
  expect(fact?.from).toMatchObject([{ value: "c-7" }]);
  expect(fact?.passedOver).toMatchObject([{ value: "null", why: expect.stringContaining("not an id") }]);
});
