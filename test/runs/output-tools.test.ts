import { describe, expect, it } from "vitest";
import { isDetail } from "../../src/report/render/commands/run-tree.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import {
  agentSpan,
  chatSpan,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolAttributes,
  words,
} from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** Structured output that a model gives through a tool: the tool is the answer, as the named producers write it. */

const json = JSON.stringify;

const question = "How high is the river, as data?";
const reading = { station: "north", metres: 2 };
const answer = json(reading);
const user = words("user", question);
const asks = (id: string, name: string, args: object) => ({ type: "tool_call", id, name, arguments: args });
const assistant = (...parts: object[]) => ({ role: "assistant", parts });
const returns = (id: string, name: string, response: string) => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, name, response }],
});

const chat = (
  id: string,
  at: number,
  inputs: readonly object[],
  output: object,
  more: Attributes = {},
): Span =>
  chatSpan(id, "r", at, {
    "gen_ai.response.model": "small",
    ...tokenCounts(10, 2),
    "gen_ai.response.finish_reasons": ["tool_call"],
    ...inputMessages(...inputs),
    ...outputMessages(output),
    ...more,
  });
const agent = (more: Attributes = {}): Span => agentSpan("r", undefined, "gauger", 0, 90, more);
const gauge = (at: number): Span =>
  span("g", "r", "execute_tool gauge", at, at + 2, toolAttributes("gauge", "c1", "2 m"));
const gauged = [user, assistant(asks("c1", "gauge", { station: "north" })), returns("c1", "gauge", "2 m")];

/** A question, a tool that runs, and the answer through a tool of that name. */
function calls(name: string, args: object = reading, more: Attributes = {}): Span[] {
  return [
    chat("a", 1, [user], assistant(asks("c1", "gauge", { station: "north" })), more),
    gauge(10),
    chat("b", 20, gauged, assistant(asks("c2", name, args)), more),
  ];
}

const tool = (name: string, result: string, more: Attributes = {}): Span =>
  span("o", "r", `execute_tool ${name}`, 30, 32, {
    ...toolAttributes(name, "c2", result),
    ...more,
  });

interface Case {
  readonly scope: string;
  readonly spans: readonly Span[];
}

const cases: Readonly<Record<string, Case>> = {
  "Pydantic AI: a name of the application's, contents on": {
    scope: "pydantic-ai",
    spans: [agent({ final_result: answer }), ...calls("report", reading)],
  },
  "LangChain ToolStrategy: after a retry": {
    scope: "otel",
    spans: [
      agent(),
      ...calls("Reading", { station: "north" }),
      chat(
        "c",
        40,
        [
          ...gauged,
          assistant(asks("c2", "Reading", { station: "north" })),
          returns("c2", "Reading", "Returning structured response: station='north' metres=2"),
        ],
        assistant(asks("c3", "Reading", reading)),
      ),
    ],
  },
  "Google ADK: output_schema beside tools": {
    scope: "gcp.vertex.agent",
    spans: [agent(), ...calls("set_model_response"), tool("set_model_response", answer)],
  },
  "Claude Agent SDK: output_format": {
    scope: "com.anthropic.claude_code.tracing",
    spans: [
      agent(),
      ...calls("StructuredOutput"),
      tool("StructuredOutput", "Structured output provided successfully"),
    ],
  },
};

const run = ({ scope, spans }: Case) => replayedOne(document(spans, { scope }));

describe.each(Object.entries(cases))("%s", (_, one) => {
  it("is no tool, and the run is complete", async () => {
    const { tools, handoffs, complete, missing } = await run(one);
    const unknown = missing.filter((entry) => !isDetail(entry));
    expect({ names: tools.map(({ name }) => name), handoffs, complete, unknown }).toEqual({
      names: ["gauge"],
      handoffs: [],
      complete: true,
      unknown: [expect.objectContaining({ what: "cost" })],
    });
  });

  it("is explained", async () => {
    const assembled = await run(one);
    const facts = isExplained(assembled) ? assembled.explain() : [];
    expect(facts.find(({ fact }) => fact === "answer")?.note).toMatch(
      /^the model gave the answer through the tool /,
    );
  });
});

it("a tool that was asked for and did not run is no output tool: the run has no end", async () => {
  const {
    answer: given,
    tools,
    complete,
    missing,
  } = await run({
    scope: "pydantic-ai",
    spans: [agent(), ...calls("report", reading)],
  });
  expect({ given, complete }).toEqual({ given: null, complete: false });
  expect(tools.map(({ name }) => name)).toEqual(["gauge", "report"]);
  expect(missing.filter((entry) => !isDetail(entry))).toMatchObject([
    { what: "end" },
    { what: "cost" },
    { what: "tool_execution" },
  ]);
});
