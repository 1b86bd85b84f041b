import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Kinds of telemetry that producers were found to write when they were first recorded. */

type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

const json = JSON.stringify;

async function runsOf(...spans: readonly Span[]): Promise<AgentRun[]> {
  return replayed(document(spans));
}

async function only(...spans: readonly Span[]): Promise<AgentRun> {
  const [run, ...others] = await runsOf(...spans);
  if (run === undefined || others.length > 0) throw new Error(`${others.length + (run ? 1 : 0)} runs`);
  return run;
}

const agent = (id: string, parent: string | undefined, start: number, end: number): Span =>
  span(id, parent, "invoke_agent keeper", start, end, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "keeper",
  });

const chat = (id: string, parent: string | undefined, start: number, attributes: Attributes): Span =>
  span(id, parent, "chat small", start, start + 8, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    ...attributes,
  });

const ended = {
  "gen_ai.usage.input_tokens": 10,
  "gen_ai.usage.output_tokens": 2,
  "gen_ai.response.id": "r1",
};
const tool = (id: string, parent: string, start: number, result = "2 m"): Span =>
  span(id, parent, "execute_tool gauge", start, start + 2, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "gauge",
    "gen_ai.tool.call.result": result,
  });

describe("a last call of which no end is recorded", () => {
  const rows: readonly (readonly [string, Attributes, number | undefined, string | null])[] = [
    ["and nothing calls successful, may have failed", {}, undefined, null],
    [
      "but zeros may have failed",
      { "gen_ai.usage.input_tokens": 0, "gen_ai.usage.output_tokens": 0 },
      undefined,
      null,
    ],
    ["is successful where its span says so", {}, 1, "ok"],
    [
      "is successful where it has words",
      { "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: "2 m" }] }]) },
      undefined,
      "ok",
    ],
  ];
  it.each(rows)("%s", async (_, attributes, status, expected) => {
    const last = chat("b", "r", 40, attributes);
    const run = await only(
      span("r", undefined, "question", 0, 90, {}),
      chat("a", "r", 1, ended),
      tool("t", "r", 20),
      status === undefined ? last : { ...last, status: { code: status } },
    );
    expect(run.status).toBe(expected);
    expect(run.complete).toBe(expected !== null);
  });
});

it.each([
  ["Agent: 'keeper' generate", "keeper"],
  ['agent "night keeper"', "night keeper"],
  ["Agent: keeper", "keeper"],
  ["Agent: agent", "shop"],
  ["agency keeper", "shop"],
])("an application's own span %s around model calls names the agent %s", async (name, named) => {
  const run = await only(span("r", undefined, name, 0, 90, {}), chat("a", "r", 1, ended));
  expect(run.agent).toBe(named);
});

describe("an application's span around the run that failed", () => {
  const failed = { status: { code: 2, message: "Error code: 400" } };
  const asksTool = {
    ...ended,
    "gen_ai.output.messages": json([
      { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "gauge", arguments: {} }] },
    ]),
  };
  const says = {
    ...ended,
    "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: "2 m" }] }]),
  };

  it.each([
    ["after a request that nothing follows, is the run's failure", "OrderDesk", asksTool, "error"],
    ["is the run's failure, whatever its name", "POST /ask", asksTool, "error"],
    ["after an answer, is not", "OrderDesk", says, "ok"],
  ] as const)("%s", async (_, name, attributes, status) => {
    const run = await only(span("r", undefined, name, 0, 90, {}, failed), chat("a", "r", 1, attributes));
    expect(run.status).toBe(status);
  });
});

describe("an answer in an attribute without a declared meaning", () => {
  const output = "vendor.response.text";

  it.each<[string, Attributes, string | null]>([
    ["a text", { [output]: "2 m" }, "2 m"],
    ["a list of one text", { [output]: ["2 m"] }, "2 m"],
    ["the JSON of a list of one text", { [output]: json(["2 m"]) }, "2 m"],
    ["a list of one empty text", { [output]: json([""]) }, ""],
    ["an empty text", { [output]: "" }, ""],
    ["a list of several texts", { [output]: json(["2 m", "3 m"]) }, null],
    ["no attribute", {}, null],
  ])("%s", async (_, attributes, answer) => {
    const stop = { ...ended, "gen_ai.response.finish_reasons": ["stop"] };
    const asked = json([{ role: "user", parts: [{ type: "text", content: "How high?" }] }]);
    const call = chat("a", "r", 1, { ...stop, "gen_ai.input.messages": asked, ...attributes });
    expect((await only(agent("r", undefined, 0, 90), call)).answer).toBe(answer);
  });
});

it.each(["one scope", "two scopes"])(
  "spans of no length at one time, of %s, with ids of two responses are two calls",
  async (scopes) => {
    const moment = (spanId: string, responseId: string) =>
      span(spanId, "r", "chat small", 5, 5, {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "small",
        "gen_ai.response.id": responseId,
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 2,
        "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: spanId }] }]),
      });
    const [run] = await replayed(
      document([agent("r", undefined, 0, 90), moment("a", "r1")], { scope: "one" }),
      document([moment("b", "r2")], { scope: scopes === "one scope" ? "one" : "two" }),
    );
    expect(run).toMatchObject({ llmCalls: 2, usage: { input: 20 } });
  },
);
