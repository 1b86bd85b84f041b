import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, event, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Producers of whom nobody wrote down a name: what they write is found by its looks. */

async function run(...documents: Parameters<typeof replayed>): Promise<AgentRun> {
  const [one, ...others] = await replayed(...documents);
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

describe("what stands in events that nobody declared", () => {
  it("a model call's words, under the speakers' names, and its tokens", async () => {
    const json = JSON.stringify;
    const given = json({ station: "north" });
    const asks = { tool_id: "c1", tool_name: "gauge", tool_arguments: given };
    const asked = [
      event("data.input", {
        input: [json({ system: "Be brief." }), json({ user: "How high is the river?" })],
      }),
      event("data.output", { response: json({ assistant: [asks] }) }),
      event("metadata", { prompt_tokens: 30, completion_tokens: 8 }),
    ];
    const earlier = json({ tool_function: "gauge", tool_arguments: given });
    const answered = [
      event("data.input", {
        input: [json({ user: "How high is the river?" }), json({ assistant: [earlier] })],
      }),
      event("data.output", { response: json({ assistant: "Two metres." }) }),
      event("metadata", { prompt_tokens: 50, completion_tokens: 5 }),
    ];
    const inference = { "span.type": "inference" };
    const { query, answer, llmCalls, usage, tools } = await run(
      document([
        span("r", undefined, "work", 0, 90, { "span.type": "workflow" }),
        span("a", "r", "create", 1, 10, inference, { events: asked }),
        span("b", "r", "create", 20, 30, inference, { events: answered }),
      ]),
    );
    expect({ query, answer, llmCalls }).toEqual({
      query: "How high is the river?",
      answer: "Two metres.",
      llmCalls: 2,
    });
    expect(usage).toMatchObject({ input: 80, output: 13 });
    expect(tools).toMatchObject([{ name: "gauge", arguments: { station: "north" } }]);
  });
});

describe("values whose names say nothing", () => {
  const sent = [{ role: "user", content: "How high is the river?" }];
  const got = { role: "assistant", content: "Two metres." };

  it("choices are what came back, not what was sent", async () => {
    const choices = JSON.stringify([{ finish_reason: "stop", message: got }]);
    const said = { letters: JSON.stringify(sent), choices, engine: "gpt-4o-mini" };
    const known = await run(document([span("a", undefined, "work", 0, 9, said)]));
    expect(known).toMatchObject({ query: "How high is the river?", answer: "Two metres." });
  });
});

describe("names of spans", () => {
  it("an operation is no tool's name", async () => {
    const spans = [span("a", undefined, "acme.toolCall", 0, 9, { "openinference.span.kind": "TOOL" })];
    expect((await run(document(spans))).tools).toMatchObject([{ name: null }]);
  });
});
