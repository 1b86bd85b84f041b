import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Words that frameworks put around queries, answers and tool results. */

const json = JSON.stringify;
type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

async function run(...documents: readonly (readonly [scope: string, ...spans: Span[]])[]): Promise<AgentRun> {
  const [one, ...others] = await replayed(
    ...documents.map(([scope, ...spans]) => document(spans, { scope })),
  );
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

const question = "How high is the river?";
const answer = "Two metres.\nIt rises.";
const message = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
const chat = (parent: string | undefined, sent: string, said: string): Span =>
  span("a", parent, "chat small", 10, 20, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.input.messages": json([message("system", "You read gauges."), message("user", sent)]),
    "gen_ai.output.messages": json([message("assistant", said)]),
  });
const wrapper = (attributes: Attributes = {}): Span =>
  span("w", undefined, "handle", 0, 90, { "openinference.span.kind": "CHAIN", ...attributes });
const kickoff = (attributes: Attributes = {}): Span =>
  span("k", "w", "Crew.kickoff", 1, 89, { "openinference.span.kind": "CHAIN", ...attributes });

const task = (description: string) =>
  `\nCurrent Task: ${description}\n\nThis is the expected criteria for your final answer: The answer.\nyou MUST return the actual complete content as the final answer, not a summary.\n\nBegin! This is VERY important to you.\n\nThought:`;
const thought = `I now can give a great answer  \nFinal Answer: ${answer}`;
const crewai = "openinference.instrumentation.crewai";
const openai = "openinference.instrumentation.openai";

describe("CrewAI below a wrapper", () => {
  it("the task and the final answer are plain", async () => {
    const one = await run(
      ["app", wrapper()],
      [crewai, kickoff()],
      [openai, chat("k", task(question), thought)],
    );
    expect({ query: one.query, answer: one.answer }).toEqual({ query: question, answer });
  });

  it("the query is what the crew was given, where the task only holds it", async () => {
    const one = await run(
      ["app", wrapper({ "input.value": json({ request_id: "r-1" }) })],
      [crewai, kickoff({ "input.value": json({ inputs: { question } }) })],
      [openai, chat("k", task(`Answer the visitor: ${question} Be brief.`), thought)],
    );
    expect(one.query).toBe(question);
  });
});

describe("DSPy's fields", () => {
  const sent = `[[ ## context ## ]]\nnothing\n\n[[ ## question ## ]]\n${question}\n\nRespond with the corresponding output fields, starting with the field \`[[ ## reasoning ## ]]\`, then \`[[ ## answer ## ]]\`, and then ending with the marker for \`[[ ## completed ## ]]\`.`;
  const said = `[[ ## reasoning ## ]]\nThe gauge says so.\n\n[[ ## answer ## ]]\n${answer}\n\n[[ ## completed ## ]]`;

  it.each([
    [
      "the client's instrumentation alone",
      [["opentelemetry.instrumentation.openai_v2", chat(undefined, sent, said)]],
    ],
    [
      "below a wrapper",
      [
        ["app", wrapper()],
        ["opentelemetry.instrumentation.openai_v2", chat("w", sent, said)],
      ],
    ],
  ] as const)("are no part of query and answer: %s", async (_, documents) => {
    const one = await run(...(documents as readonly (readonly [string, Span])[]));
    expect({ query: one.query, answer: one.answer }).toEqual({ query: question, answer });
  });
});

describe("words before a colon", () => {
  it.each([
    "user: a word that a user may begin with",
    "Ask the system: is it up?",
    `Note\nuser: ${question}`,
  ])("a user's own text stays as it is: %j", async (text) => {
    expect((await run(["app", chat(undefined, text, answer)])).query).toBe(text);
  });
});

it.each([
  "The steps:\n1. Read.\nFinal Answer: two metres.",
  "Final Answer: two metres.",
  "A heading of DSPy looks like ## answer ##.",
])("an answer of the model's own words stays as it is: %j", async (text) => {
  expect((await run(["app", chat(undefined, question, text)])).answer).toBe(text);
});

describe("results of tools", () => {
  const agent = span("r", undefined, "invoke_agent gauger", 0, 90, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "gauger",
  });
  const tool = (result: string): Span =>
    span("t", "r", "execute_tool gauge", 30, 40, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "gauge",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.call.arguments": json({ station: "north" }),
      "gen_ai.tool.call.result": result,
    });

  const whole = `2 m ${"and rising ".repeat(30)}`.trim();
  it.each([
    ["...[truncated]", `${whole.slice(0, 50)}...[truncated]`],
    ["…", `${whole.slice(0, 50)}…`],
    ["... (truncated)", `${whole.slice(0, 50)}... (truncated)`],
    ["<truncated 200 characters>", `${whole.slice(0, 50)} <truncated 200 characters>`],
    ["nothing", whole.slice(0, 50)],
  ])("a result that ends with %s in its span is whole in the messages", async (_, cut) => {
    const parts = [{ type: "tool_call_response", id: "c1", response: whole }];
    const asked = {
      role: "assistant",
      parts: [{ type: "tool_call", id: "c1", name: "gauge", arguments: { station: "north" } }],
    };
    const later = span("b", "r", "chat small", 50, 60, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.input.messages": json([message("user", question), asked, { role: "tool", parts }]),
      "gen_ai.output.messages": json([message("assistant", answer)]),
    });
    const { tools } = await run(["test", agent, tool(cut), later]);
    expect(tools).toMatchObject([{ result: whole }]);
  });
});
