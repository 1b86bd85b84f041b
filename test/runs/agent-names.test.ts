import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Who a run's agent is: by declared names, by what runs what, and never by the name of an operation or wrapper. */

type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

async function run(spans: readonly Span[], scope = "test"): Promise<AgentRun> {
  const [one, ...others] = await replayed(document(spans, { scope }));
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

const agent = (id: string, parent: string | undefined, name: string, start: number, end: number): Span =>
  span(id, parent, `invoke_agent ${name}`, start, end, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": name,
  });
const openinference = (id: string, parent: string | undefined, name: string, more: Attributes = {}): Span =>
  span(id, parent, name, 0, 90, { "openinference.span.kind": "AGENT", ...more });
const chat = (id: string, parent: string, at: number, more: Attributes = {}): Span =>
  span(id, parent, "chat small", at, at + 5, {
    "gen_ai.operation.name": "chat",
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    ...more,
  });
const pairs = ({ handoffs }: AgentRun): string[] => handoffs.map(({ from, to }) => `${from} → ${to}`);
const noteOn = (one: AgentRun): string | null | undefined =>
  (isExplained(one) ? one.explain() : []).find(({ fact }) => fact === "agent")?.note;

describe("an agent without its own model call that runs another", () => {
  it.each([
    [
      "the conventions",
      [agent("r", undefined, "TriageAgent", 0, 90), agent("b", "r", "BillingAgent", 5, 80)],
    ],
    [
      "OpenInference",
      [openinference("r", undefined, "TriageAgent"), openinference("b", "r", "BillingAgent")],
    ],
    [
      "OpenInference, by attribute",
      [
        openinference("r", undefined, "run", { "agent.name": "TriageAgent" }),
        openinference("b", "r", "run", { "agent.name": "BillingAgent" }),
      ],
    ],
    [
      "Langfuse",
      [
        span("r", undefined, "TriageAgent", 0, 90, { "langfuse.observation.type": "agent" }),
        span("b", "r", "BillingAgent", 5, 80, { "langfuse.observation.type": "agent" }),
      ],
    ],
  ])("hands over to it and is the run's agent: %s", async (_, spans) => {
    const one = await run([...spans, chat("a", "b", 10)]);
    expect({ agent: one.agent, finalAgent: one.finalAgent, handoffs: pairs(one) }).toEqual({
      agent: "TriageAgent",
      finalAgent: "BillingAgent",
      handoffs: ["TriageAgent → BillingAgent"],
    });
    expect(one.llm.map(({ agent: who }) => who)).toEqual(["BillingAgent"]);
    expect(one.handoffs[0]).toMatchObject({ kind: "change", inferred: true });
    expect(noteOn(one)).toContain("without its own model call");
  });

  it("with a step between them", async () => {
    const step = span("s", "r", "run", 2, 88, { "openinference.span.kind": "CHAIN" });
    const spans = [agent("r", undefined, "TriageAgent", 0, 90), step, agent("b", "s", "BillingAgent", 5, 80)];
    expect(pairs(await run([...spans, chat("a", "b", 10)]))).toEqual(["TriageAgent → BillingAgent"]);
  });
});

describe("the query of an agent without its own model call", () => {
  const asked = (text: string): Attributes => ({
    "gen_ai.input.messages": JSON.stringify(
      text.split("|").map((content) => ({ role: "user", parts: [{ type: "text", content }] })),
    ),
  });
  const desk = (first: string, second: string): Promise<AgentRun> =>
    run([
      agent("r", undefined, "desk", 0, 90),
      agent("b", "r", "scout", 5, 40),
      chat("a", "b", 10, asked(first)),
      agent("c", "r", "writer", 45, 80),
      chat("d", "c", 50, asked(second)),
    ]);

  it("is unknown if it gave each helper a task of its own", async () => {
    const one = await desk("Find the tides.", "Write a report.");
    expect(one.query).toBeNull();
    expect(one.missing).toContainEqual(expect.objectContaining({ what: "query" }));
  });
});
